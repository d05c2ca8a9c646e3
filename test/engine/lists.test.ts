import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters, INodeType } from 'n8n-workflow';
import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { good } from '../support/credential';
import { calls, search } from '../support/panel';
import { additionalDataFor, runNode, workflowOfOne } from '../support/runNode';
import { listOf, members, PHONE, uuidOf } from '../support/samples';
import { forget, serve } from '../support/service';
import { findTickets, scriptedPage, ticket } from '../support/tickets';

const desk = new ConversationDesk();
const { listSearch } = desk.methods;

/** The context that n8n gives a list in the panel. */
function panel(parameters: INodeParameters, path: string, apiKey: string): LoadOptionsContext {
	const { node, workflow } = workflowOfOne(desk as unknown as INodeType, parameters);
	const additionalData = additionalDataFor(workflow, { ...good, apiKey: apiKey.padEnd(8, '-') });
	return new LoadOptionsContext(
		workflow,
		node,
		{ ...additionalData, currentNodeParameters: parameters },
		path,
	);
}

let keys = 0;

/** A list of the node, opened by someone new. */
async function open(name: keyof typeof listSearch, filter?: string, column?: string) {
	const parameters = { filters: { conditions: [{ column: column ?? 'statusId' }] } };
	keys += 1;
	const context = panel(parameters, 'parameters.filters.conditions[0].value', `key-${keys}`);
	const read = async (again?: string) =>
		(await listSearch[name].call(context, again)).results.map(({ name: shown, value }) => [
			shown,
			value,
		]);
	return { results: await read(filter), again: read };
}

/** Tickets 1 to 1,200. The hundreds have another status, and all except the first share an agent. */
const tickets = Array.from({ length: 1_200 }, (_, i) =>
	ticket(i + 1, {
		id: uuidOf(i + 1),
		title: `Order ${i + 1}`,
		statusId: uuidOf((i + 1) % 100 === 0 ? 7_001 : 7_002),
		agentId: i === 0 ? null : uuidOf(8_000),
		conversationId: i === 1_150 ? uuidOf(9_000) : null,
	}),
);

const serveTickets = () => serve(({ body }) => scriptedPage(...findTickets(tickets, body)));

afterEach(forget);

it('lists the values of a column in the newest 1,000 tickets, the most frequent first', async () => {
	const received = serveTickets();
	const { results } = await open('searchColumnValues');
	expect(results).toEqual([
		['00000000… · 990 tickets · newest #1199 Order 1199', uuidOf(7_002)],
		['00000000… · 10 tickets · newest #1200 Order 1200', uuidOf(7_001)],
	]);
	expect(received).toHaveLength(11);
	expect(listOf(received[0]?.body, 'sort')[0]).toEqual({
		field: 'ticketNumber',
		direction: 'desc',
	});
});

it('asks for the tickets once while a panel is filled in, and anew for another credential', async () => {
	const received = serveTickets();
	const { again } = await open('searchAgents');
	expect(await again('8f')).toEqual([]);
	expect(received).toHaveLength(11);
	await open('searchConversations');
	expect(received).toHaveLength(22);
});

it('offers the same values where a condition takes several', async () => {
	serveTickets();
	keys += 1;
	const parameters = { filters: { conditions: [{ column: 'statusId', operator: 'in' }] } };
	const context = panel(parameters, 'parameters.filters.conditions[0].idValues', `key-${keys}`);
	const values = await desk.methods.loadOptions.getColumnValues.call(context);
	expect(values.map(({ value }) => value)).toEqual([uuidOf(7_002), uuidOf(7_001)]);
});

it('finds a recent ticket by number or title', async () => {
	serveTickets();
	const { results, again } = await open('searchTickets', '1199');
	expect(results).toEqual([['#1199 Order 1199', uuidOf(1_199)]]);
	expect(await again('order 599')).toEqual([['#599 Order 599', uuidOf(599)]]);
	expect(await again('no such title')).toEqual([]);
});

it.each([
	[
		'searchColumnValues',
		'flowId',
		'No recent ticket has a value in Flow ID. Choose By ID and enter it.',
	],
	[
		'searchAgents',
		undefined,
		'No recent ticket has a value in Agent ID. Choose By ID and enter it.',
	],
	['searchTickets', undefined, 'There is no ticket yet, or the credential may not see it.'],
] as const)('says why %s of %s has no choice', async (name, column, text) => {
	serve(() => scriptedPage([]));
	expect((await open(name, undefined, column)).results).toEqual([[text, '']]);
});

it('says what the service says, keeps nothing of that, and shows no key', async () => {
	let works = false;
	serve(() => (works ? scriptedPage([tickets[5]]) : { status: 401, body: { message: 'key-9' } }));
	await expect(open('searchAgents')).rejects.toThrow('did not accept the credential');
	works = true;
	keys -= 1;
	expect((await open('searchAgents')).results).toEqual([
		['00000000… · 1 ticket · newest #6 Order 6', uuidOf(8_000)],
	]);
});

const agent = uuidOf(1);

/** The agent of the call that is made, or the error where none is. */
async function agentFor(agentId: INodeParameters[string]) {
	const received = serve(() => ({ status: 200, body: [{ id: uuidOf(3) }] }));
	const parameters = { ...calls, agentId, toPhoneNumber: PHONE };
	const { error } = await runNode({ rows: [{ agent }], parameters });
	const [conversation] = listOf(received[0]?.body, 'conversations');
	return error?.message ?? members(conversation)['agentId'];
}

it.each<[string, INodeParameters[string]]>([
	['as chosen from the list', { __rl: true, mode: 'list', value: agent }],
	['as entered', { __rl: true, mode: 'id', value: ` ${agent} ` }],
	['as an expression beside the list', { __rl: true, mode: 'id', value: '={{ $json.agent }}' }],
	['as a text of an older workflow', agent],
	['as an expression of an older workflow', '={{ $json.agent }}'],
	['as another expression', '={{ $json.agent.toLowerCase() }}'],
])('takes an agent %s', async (_, agentId) => {
	expect(await agentFor(agentId)).toBe(agent);
});

it.each([
	[{ __rl: true, mode: 'list', value: agent }],
	[{ __rl: true, mode: 'id', value: '={{ $json.agent }}' }],
	[agent],
	['={{ $json.agent }}'],
])('takes %j as the value of a condition', async (value) => {
	const received = serve(() => scriptedPage([]));
	const { error } = await runNode({
		rows: [{ agent }],
		parameters: {
			...search,
			filters: { conditions: [{ column: 'statusId', operator: 'eq', value }] },
		},
	});
	expect(error).toBeUndefined();
	expect(members(received[0]?.body)['filters']).toEqual({ statusId: { eq: agent } });
});
