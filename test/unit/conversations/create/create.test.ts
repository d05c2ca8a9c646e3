import type { Row } from '../../../../src/core/operation';
import type { Script } from '../../../support/fakeRuntime';
import { fakeDedupeStore, inTurn, jsonLedger, lost, reply } from '../../../support/fakeRuntime';
import { AGENT, listOf, PHONE, phoneOf, uuidOf } from '../../../support/samples';
import { fieldsRow, start, startAll } from '../../../support/startConversations';

const FINE = reply(200, { ok: true });
const OTHER_AGENT = uuidOf(7);

const row = (n: number, more: object = {}) => fieldsRow({ toPhoneNumber: phoneOf(n), ...more });
const rowsOf = (count: number, more: object = {}) =>
	Array.from({ length: count }, (_, i) => row(i + 1, more));
const json = (conversationJson: unknown, more: object = {}): Row => ({
	parameters: { inputMode: 'json', conversationJson, ...more },
});

const run = async (script: Script, rows: readonly Row[], settings: object = {}) =>
	await startAll(rows, { script, ...settings });

describe('starting conversations', () => {
	it('sends what the interface describes', async () => {
		const variables = { variables: [{ name: 'firstName', value: 'Ana' }] };
		const { requests, rows } = await run(inTurn(FINE), [
			row(1, { dynamicVariables: variables }),
			row(2),
		]);
		expect(requests).toMatchObject([{ method: 'POST', path: '/conversations' }]);
		const sentTo = { agentId: AGENT, conversationType: 'telephony' };
		expect(requests[0]?.body).toEqual({
			conversations: [
				{ ...sentTo, toPhoneNumber: phoneOf(1), dynamicVariables: { firstName: 'Ana' } },
				{ ...sentTo, toPhoneNumber: phoneOf(2), dynamicVariables: {} },
			],
		});
		expect(rows[0]?.items).toEqual([
			{
				row: 1,
				outcome: 'accepted',
				reason: 'Called',
				conversationId: null,
				toPhoneNumber: phoneOf(1),
				request: 1,
			},
		]);
	});

	it('shows in a dry run what would be said, in one line, and names the agent once', async () => {
		const person = { name: 'person', value: { first: 'Ana' } };
		const variables = {
			variables: [{ name: 'city', value: 'Rome' }, { name: 'age', value: 0 }, person],
		};
		const options = { additionalFieldsJson: { from: '+1' } };
		const rows = rowsOf(2, { dryRun: true, options, dynamicVariables: variables });
		const dry = await run(inTurn(FINE), rows);
		expect([dry.sent, dry.rows[0]?.items]).toEqual([
			[],
			[
				{
					row: 1,
					outcome: 'wouldSend',
					reason: 'Would be called',
					toPhoneNumber: phoneOf(1),
					variables: 'city: Rome · age: 0 · person: {"first":"Ana"}',
					from: '+1',
					request: 1,
					dryRun: true,
					planId: expect.stringMatching(/^p4\.2\./) as string,
				},
			],
		]);
		expect(dry.summary).toContain(
			`. Agent ${AGENT.slice(0, 8)}… (telephony). Safeguards added: none. Only the`,
		);
		const other = row(2, { agentId: OTHER_AGENT, conversationType: 'web chat' });
		// Columns of the row are in its item anyway.
		const columns = { variablesMode: 'columns', inputRow: { name: 'Ana' }, dryRun: true };
		const two = await run(inTurn(FINE), [row(1, columns), other, row(3, { inputRow: {} })]);
		expect(two.rows[0]?.items[0]).not.toHaveProperty('variables');
		expect(two.summary).toContain(
			`Agent ${AGENT.slice(0, 8)}… (telephony) in 2 rows, ${OTHER_AGENT.slice(0, 8)}… (web chat) in 1 row`,
		);
	});

	it.each([
		[undefined, 'conversationJson', 'must be an object'],
		['5', 'conversationJson', 'must be an object'],
		[{ agentId: AGENT }, 'conversationJson.toPhoneNumber', 'is empty'],
		[[{ agentId: AGENT, toPhoneNumber: PHONE }], 'conversationJson', 'contains a list'],
		['[]', 'conversationJson', 'add a Split Out node before this one'],
		[{ conversations: [{ agentId: AGENT, toPhoneNumber: PHONE }] }, 'conversationJson', 'a list'],
	])('refuses the JSON %j', async (conversationJson, path, reason) => {
		const { sent, problems } = await start([json(conversationJson)]);
		expect([sent, problems]).toEqual([[], [[[path, expect.stringContaining(reason)]]]]);
	});

	it('cuts requests at 50 conversations, one after the other, where nothing is said', async () => {
		const { called, requests } = await run(inTurn(FINE), rowsOf(120), { latency: 10 });
		const sizes = requests.map(({ body }) => listOf(body, 'conversations').length);
		expect(sizes).toEqual([50, 50, 20]);
		expect(called).toEqual(Array.from({ length: 120 }, (_, i) => phoneOf(i + 1)));
		expect(new Set(requests.map(({ at }) => at)).size).toBe(3);
	});

	it.each([
		['', null],
		['{"jobId":"j"}', { jobId: 'j' }],
	])('gives the response %j to every row on request, and no ID', async (text, response) => {
		const rows = rowsOf(2, { options: { includeResponse: true } });
		const result = await run(inTurn(reply(200, text)), rows);
		for (const { items } of result.rows)
			expect(items[0]).toMatchObject({ outcome: 'accepted', conversationId: null, response });
	});
});

const SPRING = { maximumAttempts: 1, campaignKey: 'spring' };

it('a number that stands in several rows is called once', async () => {
	const rows = [1, 2, 1].map((n) => row(n));
	expect((await run(inTurn(FINE), rows)).called).toEqual([1, 2].map(phoneOf));
});

it('the person stays the same for a retry whose type and person are written otherwise', async () => {
	const ledger = jsonLedger();
	const rowsAs = (type: string, personId: string) => [
		row(1, { conversationType: type }),
		row(2, { conversationType: 'chat', toPhoneNumber: '', options: { personId } }),
	];
	const first = await run(inTurn(lost()), rowsAs('Phone Call', 'P-1\u200b'), { ledger });
	const second = await run(inTurn(FINE), rowsAs('telephony', 'P-1'), { ledger });
	expect(first.outcomes).toEqual(['unknown', 'unknown']);
	expect([second.outcomes, second.sent]).toEqual([['unknown', 'unknown'], []]);
});

it('a Person ID is text or a number, and returned', async () => {
	const chat = (personId: unknown) =>
		fieldsRow({ conversationType: 'chat', toPhoneNumber: '', options: { personId } });
	const { rows } = await start([4711, ' P-2 ', null].map(chat));
	expect(rows.map(({ items }) => items[0]?.['personId'])).toEqual(['4711', 'P-2', undefined]);
	const wrong = await start([chat({ a: 1 })]);
	expect(wrong.problems).toEqual([[['safeguards.personId', 'must be text']]]);
});

it('names the safeguards that were added, which lack one that n8n dropped', async () => {
	const safeguards = { hoursBetweenCalls: 20, maximumPerDay: 5, ...SPRING };
	const { summary } = await run(inTurn(FINE), rowsOf(1, { options: safeguards }));
	expect(summary).toMatch(/Safeguards added: Attempts, Hours Between Calls, Maximum per Day$/);
});

describe('Maximum Conversations', () => {
	it('is 500 where nothing is said', async () => {
		const { sent, outcomes, reasons } = await run(inTurn(FINE), rowsOf(501));
		expect([sent, new Set(outcomes)]).toEqual([[], new Set(['notSent'])]);
		expect(reasons[500]).toContain('501 conversations are more than');
		expect((await run(inTurn(FINE), rowsOf(500))).called).toHaveLength(500);
	});

	it('counts conversations of earlier attempts and rounds', async () => {
		const ledger = jsonLedger();
		const options = { batchSize: 1, maximumConversations: 3 };
		const call = async (...numbers: readonly number[]) =>
			await start(
				numbers.map((n) => fieldsRow({ toPhoneNumber: phoneOf(n), options })),
				ledger,
			);
		await call(1, 2);
		const more = await call(1, 2, 3, 4);
		expect(more.sent).toEqual([]);
		expect(more.problems[3]).toContain(
			'2 conversations, after 2 earlier in this execution, are more',
		);
		expect((await call(1, 2, 3)).sent).toHaveLength(1);
		expect((await call(4)).problems[0]).toContain('1 conversation, after 3 earlier');
	});

	it('counts the rows alone: people of earlier executions among them, and no one who is left out', async () => {
		const store = fakeDedupeStore();
		const execute = async (numbers: readonly number[], options: object) =>
			await startAll(
				numbers.map((n) => row(n, { options })),
				{ store },
			);
		await execute([1, 2], {});
		const { sent, reasons } = await execute([1, 2, 3], { maximumConversations: 2 });
		expect([sent, reasons[2]]).toEqual([
			[],
			"Not sent, because 3 conversations are more than 'Maximum Conversations' (2) allows. People called in earlier executions count, too. Raise it if you mean to start them all",
		]);
		expect((await execute([4, 4, 4], { maximumConversations: 1 })).sent).toHaveLength(1);
	});
});

describe('the outcome of a conversation', () => {
	it('is not sent where the user stops during the pause after a 429', async () => {
		const script = inTurn(reply(429, '', { 'retry-after': '60' }), FINE);
		const { outcomes, requests } = await run(script, rowsOf(1), { stopAfter: 500 });
		expect([outcomes, requests.length]).toEqual([['notSent'], 1]);
	});

	it('is not sent for what comes after a stop, and unknown for what was in progress', async () => {
		const rows = rowsOf(4, { options: { batchSize: 1 } });
		const stopped = await run(inTurn(FINE), rows, { latency: 100, stopAfter: 150 });
		const { outcomes, called } = stopped;
		expect(outcomes).toEqual(['accepted', 'unknown', 'notSent', 'notSent']);
		expect(stopped.rows[3]?.failureItem).toMatchObject({ code: 'canceled' });
		expect(called).toEqual([1, 2].map(phoneOf));
	});
});
