import { create } from '../../../../src/conversations/create/create';
import type { Row } from '../../../../src/core/operation';
import type { HttpResult } from '../../../../src/core/http';
import type { Script } from '../../../support/fakeRuntime';
import {
	fakeDedupeStore,
	fakeRuntime,
	inTurn,
	jsonLedger,
	lost,
	neverSent,
	reply,
} from '../../../support/fakeRuntime';
import { AGENT, listOf, members, PHONE, phoneOf } from '../../../support/samples';
import { outcomeOf, reasonOf, runRows } from '../../../support/runRows';
import { fieldsRow, start } from '../../../support/startConversations';

type Settings = Parameters<typeof fakeRuntime>[1];
const FINE = reply(200, { ok: true });

const row = (n: number, more: Record<string, unknown> = {}): Row => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(n), ...more },
});
const rowsOf = (count: number, more: Record<string, unknown> = {}) =>
	Array.from({ length: count }, (_, i) => row(i + 1, more));
const json = (conversationsJson: unknown, more: Record<string, unknown> = {}): Row => ({
	parameters: { inputMode: 'json', conversationsJson, ...more },
});

async function run(
	script: Script,
	rows: readonly Row[],
	settings?: Settings,
	ledger = jsonLedger(),
) {
	const { sent, context } = fakeRuntime(script, settings);
	const result = await runRows(create, rows, context(ledger));
	return {
		...result,
		sent,
		outcomes: result.rows.map(outcomeOf),
		paths: result.rows.map(({ failure }) =>
			failure?.kind === 'input' ? failure.problems.map(({ path }) => path.join('.')) : [],
		),
		called: sent.map(({ body }) =>
			listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
		),
	};
}

describe('starting conversations', () => {
	it('sends what the interface describes', async () => {
		const variables = { variables: [{ name: 'firstName', value: 'Ana' }] };
		const { sent, rows } = await run(inTurn(FINE), [
			row(1, { dynamicVariables: variables }),
			row(2),
		]);
		expect(sent).toMatchObject([{ method: 'POST', path: '/conversations' }]);
		const sentTo = { agentId: AGENT, conversationType: 'telephony' };
		expect(sent[0]?.body).toEqual({
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
				variables: { firstName: 'Ana' },
				request: 1,
			},
		]);
	});

	it('takes one conversation or a list in JSON', async () => {
		const one = { agentId: AGENT, toPhoneNumber: PHONE };
		expect((await run(inTurn(FINE), [json(one)])).called).toEqual([[PHONE]]);
		const options = { duplicates: 'sendAll' };
		const list = json(JSON.stringify([one, one]), { options });
		expect((await run(inTurn(FINE), [list])).called).toEqual([[PHONE, PHONE]]);
	});

	it.each<[object, string]>([
		[{ dynamicVariablesJson: '{' }, 'dynamicVariablesJson'],
		[{ agentId: 'x' }, 'agentId'],
		[{ toPhoneNumber: '212-555-0196' }, 'toPhoneNumber'],
		[{ conversationType: undefined }, 'conversationType'],
	])('refuses the row %j, and calls no one', async (more, path) => {
		const valid = { variablesMode: 'json', dynamicVariablesJson: {} };
		const rows = [row(1, valid), row(2, { ...valid, ...more }), row(3, valid)];
		const { sent, paths, outcomes } = await run(inTurn(FINE), rows);
		expect([sent, paths[1]]).toEqual([[], [path]]);
		expect(outcomes).toEqual(['notSent', 'rejected', 'notSent']);
	});

	it.each([
		[undefined, 'conversationsJson'],
		['[{"a": 1}, 5]', 'conversationsJson.1'],
		[
			[{ agentId: AGENT, toPhoneNumber: PHONE }, { agentId: AGENT }],
			'conversationsJson.1.toPhoneNumber',
		],
	])('refuses the JSON %j', async (conversationsJson, path) => {
		const { sent, paths } = await run(inTurn(FINE), [json(conversationsJson)]);
		expect([sent, paths]).toEqual([[], [[path]]]);
	});

	it('cuts requests at 50 conversations, one after the other, where nothing is said', async () => {
		const { called, sent } = await run(inTurn(FINE), rowsOf(120), { latency: 10 });
		expect(called.map((chunk) => chunk.length)).toEqual([50, 50, 20]);
		expect(called.flat()).toEqual(Array.from({ length: 120 }, (_, i) => phoneOf(i + 1)));
		expect(new Set(sent.map(({ at }) => at)).size).toBe(3);
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

it('calls those again whom the response says it did not take', async () => {
	const ledger = jsonLedger();
	const dedupeStore = fakeDedupeStore();
	const execute = async (response: HttpResult) => {
		const { sent, context } = fakeRuntime(inTurn(response));
		const { rows } = await runRows(create, rowsOf(2), context(ledger, dedupeStore));
		return [sent.length, rows.map(outcomeOf)];
	};
	expect(await execute(reply(200, { success: false }))).toEqual([1, ['rejected', 'rejected']]);
	const half = [{ id: 'x' }, { error: 'blocked' }];
	expect(await execute(reply(200, half))).toEqual([1, ['accepted', 'rejected']]);
	expect(await execute(FINE)).toEqual([1, ['accepted', 'accepted']]);
	expect(await execute(FINE)).toEqual([0, ['accepted', 'accepted']]);
});

const SPRING = { maximumAttempts: 1, campaignKey: 'spring' };

describe('a number that stands in several rows', () => {
	const twice = (options: object) => [1, 2, 1].map((n) => row(n, { options }));

	it.each([
		[{}, [1, 2]],
		[{ duplicates: 'sendAll' }, [1, 2, 1]],
		[{ duplicates: 'sendAll', ...SPRING }, [1, 2]],
	])('is called as often as %j says', async (options, expected) => {
		expect((await run(inTurn(FINE), twice(options))).called).toEqual([expected.map(phoneOf)]);
	});
});

it('the person stays the same for a retry whose type and person are written otherwise', async () => {
	const ledger = jsonLedger();
	const rowsAs = (type: string, personId: string) => [
		row(1, { conversationType: type }),
		row(2, { conversationType: 'chat', toPhoneNumber: '', options: { personId } }),
	];
	const first = await run(inTurn(lost()), rowsAs('Phone Call', 'P-1\u200b'), {}, ledger);
	const second = await run(inTurn(FINE), rowsAs('telephony', 'P-1'), {}, ledger);
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

describe('Maximum Conversations', () => {
	it('is 500 where nothing is said', async () => {
		const { sent, outcomes, rows } = await run(inTurn(FINE), rowsOf(501));
		expect([sent, new Set(outcomes)]).toEqual([[], new Set(['notSent'])]);
		expect(rows.map(reasonOf)[500]).toContain('501 conversations are more than');
		expect((await run(inTurn(FINE), rowsOf(500))).called.flat()).toHaveLength(500);
	});

	it('counts the conversations of lists', async () => {
		const one = { agentId: AGENT, toPhoneNumber: PHONE };
		const requests = async (maximumConversations: number) => {
			const more = { options: { duplicates: 'sendAll', maximumConversations } };
			return (await run(inTurn(FINE), [json([one, one, one], more), json(one, more)])).sent.length;
		};
		expect([await requests(4), await requests(3)]).toEqual([1, 0]);
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
});

/** [what the service answers, and goes on answering, the outcome, how often it is sent] */
const MATRIX: ReadonlyArray<readonly [string, HttpResult, string, number]> = [
	['an empty 200', reply(200, ' '), 'accepted', 1],
	['broken JSON', reply(200, '{"conversations":['), 'unknown', 1],
	['302', reply(302), 'rejected', 1],
	['400', reply(400), 'rejected', 1],
	['413', reply(413), 'rejected', 5],
	['408', reply(408), 'unknown', 1],
	['429', reply(429), 'rejected', 5],
	['500', reply(500), 'unknown', 1],
	['a reset', lost(), 'unknown', 1],
	['a refused connection', neverSent(), 'notSent', 5],
	['an untrusted certificate', neverSent('CERT_HAS_EXPIRED'), 'notSent', 1],
];

describe('the outcome of a conversation', () => {
	it.each(MATRIX)('after %s', async (_, response, outcome, attempts) => {
		const { outcomes, sent } = await run(inTurn(response), rowsOf(3));
		expect([outcomes, sent.length]).toEqual([[outcome, outcome, outcome], attempts]);
	});

	it('is not sent where the user stops during the pause after a 429', async () => {
		const script = inTurn(reply(429, '', { 'retry-after': '60' }), FINE);
		const { outcomes, sent } = await run(script, rowsOf(1), { stopAfter: 500 });
		expect([outcomes, sent.length]).toEqual([['notSent'], 1]);
	});

	it('is not sent for what comes after a stop, and unknown for what was in progress', async () => {
		const rows = rowsOf(4, { options: { batchSize: 1 } });
		const { outcomes, called } = await run(inTurn(FINE), rows, { latency: 100, stopAfter: 150 });
		expect(outcomes).toEqual(['accepted', 'unknown', 'notSent', 'notSent']);
		expect(called).toEqual([[phoneOf(1)], [phoneOf(2)]]);
	});
});

describe('a second run with the same ledger', () => {
	it('calls no one twice in a loop, and says so, and counts over all rounds', async () => {
		const ledger = jsonLedger();
		const round = async (number: number, more: Record<string, unknown>, ...rows: number[]) => {
			const { sent, context } = fakeRuntime(inTurn(FINE));
			const entered = rows.map((n) => row(n, more));
			const result = await runRows(create, entered, context(ledger, undefined, number));
			return [sent.length, result.rows.map(outcomeOf)];
		};
		expect(await round(0, {}, 1, 2)).toEqual([1, ['accepted', 'accepted']]);
		expect(await round(1, {}, 2, 3)).toEqual([1, ['notSent', 'accepted']]);
		expect(await round(1, {}, 2, 3)).toEqual([0, ['notSent', 'accepted']]);
		expect(await round(2, { options: { maximumConversations: 3 } }, 4)).toEqual([0, ['notSent']]);
		expect(await round(2, { options: { maximumConversations: 4 } }, 4)).toEqual([1, ['accepted']]);
		const sendAll = { options: { duplicates: 'sendAll' } };
		expect(await round(3, sendAll, 1)).toEqual([1, ['accepted']]);
		expect(await round(3, sendAll, 1)).toEqual([0, ['accepted']]);
	});
});
