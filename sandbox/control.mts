import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod/v4';
import type { Service } from './answer.mts';
import { faultRule } from './faults.mts';
import type { FaultInput } from './faults.mts';
import type { Operation } from './operations.mts';
import { changeOptions } from './options.mts';
import type { OptionsChange } from './options.mts';
import { json, parseJson, readBody } from './reply.mts';
import type { Reply } from './reply.mts';
import { sendOutcome } from './sendOutcome.mts';
import { ticketPart } from './ticket.mts';
import type { TicketPart } from './ticket.mts';
import type { World } from './world.mts';

/** The counts of the sandbox since the reset. */
export interface Counts {
	total: number;
	requests: Record<Operation, number>;
	maxConcurrent: Record<Operation, number>;
	ticketsReturned: number;
	customersStored: number;
	conversationsCreated: number;
}

/** The actions of a test on a running sandbox, over HTTP or in this process. */
export type Control = ReturnType<typeof createControl>;

const ids = z.array(z.string());
const resetBody = z.strictObject({ keepTickets: z.boolean().default(false) });
const changeBody = z.strictObject({ id: z.string(), set: ticketPart });

/** Makes the control of a service; `newWorld` makes the world of its start. */
export function createControl(service: Service, newWorld: () => World) {
	const initialOptions = service.world.options;
	return {
		/** Returns to the state of the start; `keepTickets` keeps the tickets. */
		reset: (body: { keepTickets?: boolean } = {}): void => {
			if (resetBody.parse(body).keepTickets) {
				service.world.customers.clear();
				service.world.conversations.clear();
				service.world.ticketsReturned = 0;
			} else {
				service.world.tickets.close();
				service.world = newWorld();
			}
			service.world.options = initialOptions;
			service.log.clear();
			service.faults.replace([]);
		},
		/** Replaces all fault rules. */
		setFaults: (rules: readonly FaultInput[]): void =>
			service.faults.replace(z.array(faultRule).parse(rules)),
		setOptions: (change: OptionsChange): void => {
			service.world.options = changeOptions(service.world.options, change);
		},
		received: () => service.log.received(),
		counts: (): Counts => ({
			...service.log.counts(),
			ticketsReturned: service.world.ticketsReturned,
			customersStored: service.world.customers.size(),
			conversationsCreated: service.world.conversations.size(),
		}),
		customers: () => service.world.customers.all(),
		conversations: () => ({
			conversations: service.world.conversations.all(),
			callsPerNumber: service.world.conversations.callsPerNumber(),
		}),
		tickets: () => service.world.tickets.all(),
		countTickets: () => service.world.tickets.count(),
		/** Stores tickets with invented values for missing columns, and returns their IDs. */
		insertTickets: (rows: readonly TicketPart[]) =>
			service.world.tickets.insert(z.array(ticketPart).parse(rows)),
		/** Deletes tickets and counts them. */
		deleteTickets: (ticketIds: readonly string[]) =>
			service.world.tickets.delete(ids.parse(ticketIds)),
		/** Changes a ticket and its `updatedAt`; false if there is no such ticket. */
		changeTicket: (change: { id: string; set: TicketPart }) => {
			const { id, set } = changeBody.parse(change);
			return service.world.tickets.change(id, set);
		},
		/** Invents more tickets. */
		seedTickets: (count: number): void => service.world.tickets.seed(z.int().min(0).parse(count)),
	};
}

/** The path of the control: `POST /sandbox/insertTickets` has the argument as its body. */
export const controlPath = '/sandbox';

/** Answers one request to the control. */
export async function answerControl(
	control: Control,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const text = (await readBody(request, 500_000_000)) ?? '';
	const name = (request.url ?? '').slice(controlPath.length + 1);
	await sendOutcome(response, { kind: 'reply', reply: act(control, name, text) });
}

function act(control: Control, name: string, text: string): Reply {
	const actions = Object.keys(control);
	if (!actions.includes(name)) return json(404, { message: `No control ${name}`, actions });
	const argument = text === '' ? undefined : parseJson(text);
	if (text !== '' && argument === undefined) return json(400, { message: 'The body is not JSON' });
	try {
		const action = control[name as keyof Control] as (argument: unknown) => unknown;
		return json(200, action(argument) ?? null);
	} catch (error) {
		return json(400, { message: error instanceof Error ? error.message : String(error) });
	}
}
