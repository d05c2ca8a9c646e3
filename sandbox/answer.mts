import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { authenticate } from './authenticate.mts';
import { createConversations, getConversation } from './conversations.mts';
import { createCustomers } from './customers.mts';
import type { FaultBook, Mutation } from './faults.mts';
import { endsBeforeWork, faultOutcome } from './faultReply.mts';
import type { Outcome } from './faultReply.mts';
import { findOperation } from './operations.mts';
import type { Operation } from './operations.mts';
import { parseJson, readBody, refusal } from './reply.mts';
import type { Reply } from './reply.mts';
import type { OpenRequest, RequestLog } from './requestLog.mts';
import { searchTickets } from './searchTickets.mts';
import { sendOutcome } from './sendOutcome.mts';
import type { TicketStore } from './ticketStore.mts';
import type { World } from './world.mts';

/** The parts of a running sandbox; a reset replaces the world. */
export interface Service {
	world: World;
	readonly log: RequestLog;
	readonly faults: FaultBook;
}

/** A request with its body; `text` is undefined if the body was too large. */
interface FullRequest {
	headers: IncomingHttpHeaders;
	path: string;
	text: string | undefined;
}

const MAX_BYTES = 20_000_000;
const writers = { searchTickets, createCustomers, createConversations };

/** Works off a request: credentials, media type, JSON, schema, operation. */
function perform(world: World, operation: Operation, { headers, path, text }: FullRequest): Reply {
	const refused = authenticate(operation, { headers, path });
	if (refused) return refused;
	if (operation === 'getConversation') return getConversation(world, path);
	const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (mediaType !== 'application/json') return refusal(400);
	if (text === undefined) return refusal(413);
	const body = parseJson(text);
	return body === undefined ? refusal(400) : writers[operation](world, body);
}

/** Creates, deletes and changes tickets, in that order, so rows move between pages. */
function mutateTickets(tickets: TicketStore, mutation: Mutation): void {
	const { create, delete: remove, change } = mutation;
	if (create) tickets.insert(Array.from({ length: create.count }, () => create.template));
	if (remove) tickets.delete([...remove.ids, ...tickets.randomIds(remove.random)]);
	if (!change) return;
	for (const id of [...change.ids, ...tickets.randomIds(change.random)])
		tickets.change(id, change.set);
}

/** Decides the outcome of a request with its faults. */
async function decideOutcome(
	service: Service,
	request: IncomingMessage,
	{ entry, operation }: { entry: OpenRequest; operation: Operation | 404 | 405 },
): Promise<Outcome> {
	const text = await readBody(request, MAX_BYTES);
	if (text !== undefined) entry.text = text;
	if (typeof operation === 'number') return { kind: 'reply', reply: refusal(operation) };
	const { path, count } = entry;
	const { ending, additions } = service.faults.take({
		operation,
		count,
		text: `${path} ${text ?? ''}`,
	});
	entry.fault = ending?.kind ?? additions[0]?.kind ?? null;
	const delays = additions.map((rule) => (rule.kind === 'latency' ? rule.ms : 0));
	const latencyMs = delays.reduce((sum, ms) => sum + ms, service.world.options.latencyMs);
	if (latencyMs > 0) await wait(latencyMs);
	const { world } = service;
	for (const rule of additions) if (rule.kind === 'mutate') mutateTickets(world.tickets, rule);
	if (ending && endsBeforeWork(ending)) return faultOutcome(ending, { status: 200, body: '' });
	const reply = perform(world, operation, { headers: request.headers, path, text });
	return ending ? faultOutcome(ending, reply) : { kind: 'reply', reply };
}

/** Answers one request to the service and logs it. */
export async function answer(
	service: Service,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { method = 'GET', url = '/', headers } = request;
	const path = url.split('?')[0] ?? url;
	const operation = findOperation(method, path);
	const { entry, end } = service.log.open(
		{ method, path, headers },
		typeof operation === 'number' ? null : operation,
	);
	response.once('close', end);
	const outcome = await decideOutcome(service, request, { entry, operation }).catch(
		(error: unknown): Outcome => {
			// A client that disconnects while it sends causes no error of the sandbox.
			if (!request.destroyed || request.complete) console.error(error);
			return { kind: 'reply', reply: refusal(500) };
		},
	);
	if ('reply' in outcome && !response.destroyed) entry.status = outcome.reply.status;
	await sendOutcome(response, outcome);
}
