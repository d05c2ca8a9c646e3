import {
	NodeApiError,
	NodeOperationError,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeParameters,
} from 'n8n-workflow';
import { good } from '../../support/credential';
import { listOf, members, uuidOf } from '../../support/samples';
import { forget, serve, type Received, type Scripted } from '../../support/service';
import { findTickets, scriptedPage, ticket, type TicketRow } from '../../support/tickets';
import { PollContext } from 'n8n-core';
import { ConversationDeskTrigger } from '../../../nodes/ConversationDesk/ConversationDeskTrigger.node';
import { additionalDataFor, workflowOfOne } from '../../support/runNode';

const trigger = new ConversationDeskTrigger();

interface Already {
	readonly credential?: ICredentialDataDecryptedObject;
	/** The state in n8n's database. */
	readonly state?: unknown;
}

/** The trigger in n8n's own context for polls, in a workflow that keeps its static data. */
function setUpTrigger(
	parameters: INodeParameters,
	{ credential = good, state = {} }: Already = {},
) {
	const { node, workflow } = workflowOfOne(trigger, parameters, {
		id: 'test',
		active: true,
		settings: { timezone: 'Europe/Berlin' },
		staticData: JSON.parse(JSON.stringify(state)) as IDataObject,
	});
	const errors: Error[] = [];
	return {
		/** The failed executions that n8n would show. */
		errors,
		/** Polls once, as the schedule or (with 'manual') as a test in the editor does. */
		poll: async (mode: 'trigger' | 'manual' = 'trigger') => {
			const context = new PollContext(
				workflow,
				workflow.getNode(node.name) ?? node,
				additionalDataFor(workflow, credential),
				mode,
				'activate',
				undefined,
				(error) => errors.push(error),
			);
			return (await trigger.poll.call(context))?.[0] ?? null;
		},
		/** The state that n8n would save in its database. */
		state: () => JSON.parse(JSON.stringify(workflow.staticData)) as unknown,
	};
}

afterEach(forget);

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 15, 12, minute)).toISOString();

/** A ticket that was never changed since it was created. */
const createdAt = (n: number, minute: number): TicketRow =>
	ticket(n, { id: uuidOf(n), title: `Ticket ${n}`, createdAt: at(minute) });

const serving =
	(rows: readonly TicketRow[]) =>
	({ body }: Received): Scripted => {
		const isByCreation = members(listOf(body, 'sort')[0])['field'] === 'createdAt';
		const tickets = isByCreation
			? rows
			: rows.map((row) => ({ ...row, updatedAt: row['createdAt'] }));
		return scriptedPage(...findTickets(tickets, body));
	};

const created = {
	event: 'ticketCreated',
	filterMode: 'builder',
	filters: { conditions: [] },
	output: 'raw',
};

/** The error of a poll. */
const failureOf = async (
	trigger: ReturnType<typeof setUpTrigger>,
	mode?: 'manual',
): Promise<unknown> =>
	await trigger.poll(mode).then(
		() => undefined,
		(error: unknown) => error,
	);

it('hands out nothing when it is activated, then each new ticket as an item', async () => {
	const rows = [createdAt(1, 0), createdAt(2, 1)];
	serve(serving(rows));
	const trigger = setUpTrigger(created);
	expect(await trigger.poll()).toBeNull();
	expect(await trigger.poll()).toBeNull();
	rows.push(createdAt(3, 2), createdAt(4, 3));
	expect((await trigger.poll())?.map(({ json }) => json)).toEqual([
		createdAt(3, 2),
		createdAt(4, 3),
	]);
	expect(await trigger.poll()).toBeNull();
});

it.each([
	[
		'=ORD-{{ $vars.none }}',
		/Filters.*could not be read: .*within a text\. In a trigger, write one/,
	],
	[
		"={{ 'ORD-' + $vars.none }}",
		/Filters.*could not be read: .*\$vars\.none .*within a calculation/,
	],
	[
		"={{ $now.minus({ days: $vars['none'] }) }}",
		/within a calculation\. In a trigger, provide for/,
	],
	['={{ $vars.none }}', /is empty/],
])('reads no ticket with the condition %s', async (value, message) => {
	const received = serve(serving([createdAt(1, 0)]));
	const conditions = [{ column: 'title', operator: 'contains', value }];
	expect(await failureOf(setUpTrigger({ ...created, filters: { conditions } }))).toMatchObject({
		message: expect.stringMatching(message) as string,
	});
	expect(received).toEqual([]);
});

it('begins anew where the filter, the workspace or the address changes, and ignores what is old', async () => {
	const rows = [createdAt(1, 0), { ...createdAt(2, 1), priority: 'urgent' }];
	serve(serving(rows));
	const urgent = { column: 'priority', operator: 'eq', priorityValue: 'urgent' };
	const filtered = { ...created, filters: { conditions: [urgent] } };
	const trigger = setUpTrigger(filtered);
	await trigger.poll();
	const state = trigger.state();
	rows.push(createdAt(3, 2));
	for (const changed of [
		setUpTrigger(created, { state }),
		setUpTrigger(filtered, { state, credential: { ...good, workspaceId: uuidOf(9) } }),
	]) {
		expect(await changed.poll()).toBeNull();
		expect(await changed.poll()).toBeNull();
	}
	const same = setUpTrigger(
		{ ...filtered, output: 'selected', columns: ['title'], options: { overlap: 6 } },
		{ state },
	);
	expect(await same.poll()).toHaveLength(1);
});

it.each([[null], ['x'], [7], [[1]]])(
	'begins anew with data of the node that are %j, says so, and goes on',
	async (data) => {
		const rows = [createdAt(1, 0)];
		serve(serving(rows));
		for (const damaged of [data, { watermark: data }]) {
			const trigger = setUpTrigger(created, { state: { 'node:Desk': damaged } });
			expect(await trigger.poll()).toBeNull();
			rows.push(createdAt(rows.length + 1, rows.length));
			const next = setUpTrigger(created, { state: members(trigger.state()) });
			expect(await next.poll()).toHaveLength(1);
			expect(await next.poll()).toBeNull();
			const reported = [...trigger.errors, ...next.errors].map(({ message }) => message);
			expect(reported).toEqual([expect.stringContaining('damaged')]);
		}
	},
);

it('shows the newest ticket in a manual test, and moves nothing', async () => {
	const rows = Array.from({ length: 12 }, (_, n) => createdAt(n + 1, n));
	const received = serve(serving(rows));
	const trigger = setUpTrigger(created);
	const shown = await trigger.poll('manual');
	expect(shown?.map(({ json }) => json['ticketNumber'])).toEqual([12]);
	expect(received).toHaveLength(1);
	expect(trigger.state()).toEqual({ 'node:Desk': {} });
});

it('says so when a manual test finds nothing', async () => {
	serve(serving([]));
	const error = await failureOf(setUpTrigger(created), 'manual');
	expect(error).toBeInstanceOf(NodeOperationError);
	expect(error).toMatchObject({
		message: 'No ticket matches yet',
		description: 'Remove some conditions, or make the event happen to a ticket and test again',
	});
});

describe('a poll that fails', () => {
	it('tells n8n that the service limits requests, and how long to wait', async () => {
		serve(() => ({ status: 429, headers: { 'retry-after': '900' } }));
		const error = await failureOf(setUpTrigger(created));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'The service is limiting requests (429). It asks to wait 900 seconds',
			description: expect.stringContaining('Run the workflow later or less often') as string,
			httpCode: '429',
			failure: { cause: 'rate-limited', retryAfterMs: 900_000 },
		});
	});

	it('names the field of a mistake', async () => {
		const received = serve(() => ({ status: 200 }));
		const conditions = [{ column: 'priority', operator: 'in', priorityValues: [] }];
		const error = await failureOf(setUpTrigger({ ...created, filters: { conditions } }));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(String((error as Error).message)).toContain("'Filters > Condition 1");
		expect(received).toHaveLength(0);
	});

	it('names the parameter whose expression cannot be read', async () => {
		const trigger = setUpTrigger({ ...created, output: '={{ $json.x }}' });
		await expect(trigger.poll()).rejects.toThrow("'Output' could not be read: ");
	});

	it.each([
		['waitFor', 'Waiting Longer Than'],
		['waitUnit', 'Unit'],
		['output', 'Output'],
	])('names the parameter %s where its expression gives nothing', async (name, label) => {
		const received = serve(() => ({ status: 200 }));
		for (const nothing of ['={{ null }}', '={{ undefined }}']) {
			const entered = { ...created, event: 'notAnswered', waitFor: 5, waitUnit: 'hours' };
			const error = await failureOf(setUpTrigger({ ...entered, [name]: nothing }));
			expect(String((error as Error).message)).toContain(`'${label}' is empty`);
		}
		expect(received).toHaveLength(0);
	});
});
