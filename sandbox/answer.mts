import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { FaultBook, Verdict } from './faultBook.mts';
import { endsBeforeWork, faultOutcome } from './faultReply.mts';
import type { Outcome } from './faultReply.mts';
import { mutateTickets } from './mutateTickets.mts';
import { findOperation } from './operations.mts';
import type { Operation } from './operations.mts';
import { perform } from './perform.mts';
import type { FullRequest } from './perform.mts';
import { readBody } from './readBody.mts';
import { refusal } from './reply.mts';
import type { Reply } from './reply.mts';
import type { OpenRequest, RequestLog } from './requestLog.mts';
import { sendOutcome } from './sendOutcome.mts';
import type { World } from './world.mts';

/** What a running sandbox consists of; a reset replaces the world. */
export interface Service {
	world: World;
	readonly log: RequestLog;
	readonly faults: FaultBook;
	/** Waits for a turn of the event loop that no other reply has. */
	readonly turn: () => Promise<void>;
}

const nothing: Reply = { status: 200, body: '' };

async function decide(
	service: Service,
	{ operation, verdict }: { operation: Operation; verdict: Verdict },
	request: FullRequest,
): Promise<Outcome> {
	const { ending, additions } = verdict;
	const delays = additions.map((rule) => (rule.kind === 'latency' ? rule.ms : 0));
	const { latencyMs, capacity } = service.world.options;
	const crowding = Math.max(1, service.log.inProgress() / (capacity ?? Infinity));
	const latency = delays.reduce((sum, ms) => sum + ms, latencyMs * crowding);
	if (latency > 0) {
		await wait(latency);
		await service.turn();
	}
	const { world } = service;
	for (const rule of additions) {
		if (rule.kind === 'mutate') mutateTickets(world.tickets, rule);
	}
	if (ending && endsBeforeWork(ending)) return faultOutcome(ending, nothing);
	const reply = perform(world, operation, request);
	return ending ? faultOutcome(ending, reply) : { kind: 'reply', reply };
}

function unknownRoute(status: 404 | 405): Outcome {
	return { kind: 'reply', reply: refusal(status) };
}

async function outcomeOf(
	service: Service,
	request: IncomingMessage,
	{ entry, operation }: { entry: OpenRequest; operation: Operation | 404 | 405 },
): Promise<Outcome> {
	try {
		const text = await readBody(request, service.world.options.maxBytes);
		if (text !== undefined) entry.text = text;
		if (typeof operation === 'number') return unknownRoute(operation);
		const verdict = service.faults.judge({
			operation,
			count: entry.count,
			text: `${entry.path} ${text ?? ''}`,
		});
		const kinds = [verdict.ending, ...verdict.additions].map((rule) => rule?.kind);
		entry.fault = kinds.find((kind) => kind !== undefined) ?? null;
		const full = { headers: request.headers, path: entry.path, text };
		return await decide(service, { operation, verdict }, full);
	} catch (error) {
		// A client that goes away while it sends is no error of ours.
		if (!request.destroyed || request.complete) console.error(error);
		return { kind: 'reply', reply: refusal(500) };
	}
}

/** Answers one request to the service and notes it in the log, whatever becomes of it. */
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
		service.world.options.keepRequests,
	);
	response.once('close', end);
	const outcome = await outcomeOf(service, request, { entry, operation });
	if ('reply' in outcome && !response.destroyed) entry.status = outcome.reply.status;
	await sendOutcome(response, outcome);
}
