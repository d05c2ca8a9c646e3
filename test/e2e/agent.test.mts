import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { readExample } from '../../tools/demo/examples.mts';
import type { Execution } from '../../tools/host/execution.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, desk } from './desk.mts';
import { ask } from './chat.mts';
import { startModel } from './modelStandIn.mts';

const example = await readExample({ file: 'support-agent.json' });

const filters = { priority: { in: ['urgent'] } };

describe('support-agent.json, with a stand-in for the model', () => {
	let model: Awaited<ReturnType<typeof startModel>>;
	let execution: Execution;
	before(async () => {
		control.reset({ keepTickets: true });
		model = await startModel(
			[
				{ name: 'Search_Tickets', arguments: { filters: { urgency: 'high' }, limit: 3 } },
				{ name: 'Search_Tickets', arguments: { filters, limit: 3 } },
				{ name: 'Get_Ticket', arguments: { ticket: '12' } },
				{
					name: 'Search_Tickets',
					arguments: { filters: { ticketNumber: { gt: 0 } }, limit: 100_000 },
				},
			],
			'Ticket 12 waits.',
		);
		const executionId = await ask(example, model.url, 'Which urgent tickets wait?');
		execution = await desk.n8n.rest.waitForExecution(executionId);
	});
	after(() => model.close());

	/** The response to the model's n-th call of a tool, counted from 0. */
	const toolAnswer = (call: number): string => {
		const answers = model.received.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
		return String(answers[call]?.content);
	};

	test('offers the model both tools with the fields that it may fill in, and no others', () => {
		const tools = (model.received[0]?.tools ?? []).map(({ function: tool }) => {
			const { properties } = tool.parameters as { properties: object };
			return [tool.name, Object.keys(properties).sort()];
		});
		assert.deepEqual(tools.toSorted(), [
			['Get_Ticket', ['ticket']],
			['Search_Tickets', ['filters', 'limit']],
		]);
	});

	test('tells the model what is wrong with a filter, and sends nothing for it', () => {
		assert.match(toolAnswer(0), /urgency/);
		assert.equal(control.counts().requests.searchTickets, 3);
	});

	test('sends what the model asked for, and hands it the tickets', () => {
		const [search, get] = control.received().map(({ body }) => body as Record<string, unknown>);
		assert.deepEqual(search?.['filters'], filters);
		assert.deepEqual(search?.['pagination'], { limit: 3, offset: 0 });
		assert.deepEqual(get?.['filters'], { ticketNumber: { eq: 12 } });
		const tickets = JSON.parse(toolAnswer(1)) as Array<{ priority: string }>;
		assert.deepEqual(
			tickets.map(({ priority }) => priority),
			['urgent', 'urgent', 'urgent'],
		);
		assert.deepEqual(
			(JSON.parse(toolAnswer(2)) as Array<{ ticketNumber: number }>).map((t) => t.ticketNumber),
			[12],
		);
	});

	test('returns no more than 50 tickets, however many the model asks for', () => {
		assert.equal((JSON.parse(toolAnswer(3)) as unknown[]).length, 50);
	});

	test('answers the person with the words of the model', () => {
		assert.equal(execution.status, 'success');
		assert.deepEqual(itemsOf(execution, 'Support Agent'), [{ output: 'Ticket 12 waits.' }]);
	});
});
