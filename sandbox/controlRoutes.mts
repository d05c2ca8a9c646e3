import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod/v4';
import type { Control } from './control.mts';
import { faultRule } from './faults.mts';
import { optionsChange } from './options.mts';
import { parseJson, readBody } from './readBody.mts';
import { json } from './reply.mts';
import type { Reply } from './reply.mts';
import { sendOutcome } from './sendOutcome.mts';
import { ticketPart } from './ticket.mts';

type Route = (control: Control, body: unknown) => unknown;

const ids = z.union([z.array(z.string()), z.strictObject({ ids: z.array(z.string()) })]);
const resetBody = z.strictObject({ keepTickets: z.boolean().optional() }).default({});
const changeBody = z.strictObject({ id: z.string(), set: ticketPart });
const seedBody = z.strictObject({ count: z.int().min(0).max(5_000_000) });

const deleteTickets: Route = (control, body) => {
	const parsed = ids.parse(body);
	return { deleted: control.deleteTickets(Array.isArray(parsed) ? parsed : parsed.ids) };
};

const routes: Readonly<Record<string, Route>> = {
	'POST /reset': (control, body) => {
		control.reset(resetBody.parse(body));
		return control.counts();
	},
	'POST /faults': (control, body) => {
		const rules = z.array(faultRule).parse(body);
		control.setFaults(rules);
		return { rules: rules.length };
	},
	'POST /options': (control, body) => control.setOptions(optionsChange.parse(body)),
	'GET /received': (control) => control.received(),
	'GET /counts': (control) => control.counts(),
	'GET /customers': (control) => control.customers(),
	'GET /conversations': (control) => control.conversations(),
	'GET /tickets': (control) => control.tickets(),
	'GET /tickets/count': (control) => ({ count: control.countTickets() }),
	'POST /tickets': (control, body) => ({
		ids: control.insertTickets(z.array(ticketPart).parse(body)),
	}),
	'DELETE /tickets': deleteTickets,
	'POST /tickets/delete': deleteTickets,
	'POST /tickets/change': (control, body) => {
		const { id, set } = changeBody.parse(body);
		return { changed: control.changeTicket(id, set) };
	},
	'POST /tickets/seed': (control, body) => {
		control.seedTickets(seedBody.parse(body).count);
		return { count: control.countTickets() };
	},
};

/** The path under which the control lies. */
export const controlPath = '/sandbox';

function work(control: Control, key: string, text: string): Reply {
	const route = routes[key];
	if (!route) return json(404, { message: `No control ${key}`, known: Object.keys(routes) });
	const body = text === '' ? undefined : parseJson(text);
	if (text !== '' && body === undefined) return json(400, { message: 'The body is not JSON' });
	try {
		return json(200, route(control, body));
	} catch (error) {
		const issues = error instanceof z.ZodError ? error.issues : undefined;
		const message = error instanceof Error ? error.message : String(error);
		return json(400, issues ? { message: 'Invalid control', issues } : { message });
	}
}

/** Answers one request to the control. */
export async function answerControl(
	control: Control,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const path = (request.url ?? '').split('?')[0] ?? '';
	const text = (await readBody(request, 500_000_000)) ?? '';
	const reply = work(control, `${request.method} ${path.slice(controlPath.length)}`, text);
	await sendOutcome(response, { kind: 'reply', reply });
}
