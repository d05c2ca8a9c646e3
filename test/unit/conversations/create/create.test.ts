import { create } from '../../../../src/conversations/create/create';
import type { Ledger, Row } from '../../../../src/core/operation';
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
import { AGENT, listOf, members, PHONE, phoneOf, uuidOf } from '../../../support/samples';
import { outcomeOf, reasonOf, runRows } from '../../../support/runRows';
import { fieldsRow, start } from '../../../support/startConversations';

type Settings = Parameters<typeof fakeRuntime>[1];
const FINE = reply(200, { ok: true });

const row = (n: number, more: Record<string, unknown> = {}): Row => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(n), ...more },
});
const rowsOf = (count: number, more: Record<string, unknown> = {}) =>
	Array.from({ length: count }, (_, i) => row(i + 1, more));
/** Rows of one run share the mode in which variables are entered. */
const modeOf = (more: object): Record<string, unknown> =>
	'variablesMode' in more ? { ...more, dynamicVariablesJson: {} } : {};

const json = (conversationsJson: unknown, more: Record<string, unknown> = {}): Row => ({
	parameters: { inputMode: 'json', conversationsJson, ...more },
});

async function run(script: Script, rows: readonly Row[], settings?: Settings, ledger?: Ledger) {
	const { sent, context } = fakeRuntime(script, settings);
	const result = await runRows(create, rows, context(ledger));
	return {
		...result,
		sent,
		outcomes: result.rows.map(outcomeOf),
		called: sent.map(({ body }) =>
			listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
		),
	};
}

describe('starting conversations', () => {
	it('sends what the interface describes', async () => {
		const { sent, rows } = await run(inTurn(FINE), [
			row(1, {
				conversationType: 'telephony',
				dynamicVariables: { variables: [{ name: 'firstName', value: 'Ana' }] },
			}),
			row(2),
		]);
		expect(sent).toMatchObject([{ method: 'POST', path: '/conversations' }]);
		expect(sent[0]?.body).toEqual({
			conversations: [
				{
					agentId: AGENT,
					conversationType: 'telephony',
					toPhoneNumber: phoneOf(1),
					dynamicVariables: { firstName: 'Ana' },
				},
				{
					agentId: AGENT,
					conversationType: 'telephony',
					toPhoneNumber: phoneOf(2),
					dynamicVariables: {},
				},
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

	it('takes variables as JSON, as text or as an object', async () => {
		for (const dynamicVariablesJson of ['{"a":{"b":1}}', { a: { b: 1 } }]) {
			const { sent } = await run(inTurn(FINE), [
				row(1, { variablesMode: 'json', dynamicVariablesJson }),
			]);
			expect(listOf(sent[0]?.body, 'conversations')[0]).toMatchObject({
				dynamicVariables: { a: { b: 1 } },
			});
		}
	});

	it('sends a variable of rows that has the name of the prototype', async () => {
		const variables = [{ name: '__proto__', value: 'x' }];
		const { sent } = await run(inTurn(FINE), [row(1, { dynamicVariables: { variables } })]);
		expect(JSON.stringify(sent[0]?.body)).toContain('"dynamicVariables":{"__proto__":"x"}');
	});

	it('sends rows of several campaigns together', async () => {
		const rows = ['a', 'b', 'a'].map((campaignKey, i) =>
			row(i + 1, { options: { maximumAttempts: 1, campaignKey } }),
		);
		const { called } = await run(inTurn(FINE), rows);
		expect(called).toEqual([[phoneOf(1), phoneOf(2), phoneOf(3)]]);
	});

	it.each([
		[{ variablesMode: 'json', dynamicVariablesJson: '{' }, 'dynamicVariablesJson'],
		[{ variablesMode: 'json', dynamicVariablesJson: '[1]' }, 'dynamicVariablesJson'],
		[{ variablesMode: 'json', dynamicVariablesJson: '' }, 'dynamicVariablesJson'],
		[{ agentId: 'x' }, 'agentId'],
		[{ toPhoneNumber: '212-555-0196' }, 'toPhoneNumber'],
		[{ toPhoneNumber: undefined }, 'toPhoneNumber'],
		[{ conversationType: ' ' }, 'conversationType'],
		[
			{ dynamicVariables: { variables: [{ name: 'a' }, { name: 'a' }] } },
			'dynamicVariables.variables',
		],
	])('refuses %j and calls no one', async (more, path) => {
		const { sent, rows, outcomes } = await run(inTurn(FINE), [
			row(1, modeOf(more)),
			row(2, more),
			row(3, modeOf(more)),
		]);
		expect(sent).toEqual([]);
		const failure = rows[1]?.failure;
		const problems = failure?.kind === 'input' ? failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
		expect(outcomes).toEqual(['notSent', 'rejected', 'notSent']);
	});

	it.each([
		[{ options: { maximumConversations: 0 } }, 'safeguards.maximumConversations'],
		[{ options: { batchSize: 0 } }, 'options.batching.batch.batchSize'],
		[{ options: { parallelRequests: 21 } }, 'options.batching.batch.parallelRequests'],
		[{ inputMode: undefined }, 'inputMode'],
	])('refuses the settings %j for every row', async (more, path) => {
		const { sent, rows, outcomes } = await run(inTurn(FINE), [row(1, more), row(2, more)]);
		expect([sent, outcomes]).toEqual([[], ['rejected', 'rejected']]);
		for (const { failure } of rows) {
			const problems = failure?.kind === 'input' ? failure.problems : [];
			expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
		}
	});

	it('calls the valid rows where the user wants that', async () => {
		const options = { invalidRows: 'sendValid' };
		const { called, outcomes } = await run(inTurn(FINE), [
			row(1, { options }),
			row(2, { options, toPhoneNumber: 'x' }),
			row(3, { options }),
		]);
		expect(called).toEqual([[phoneOf(1), phoneOf(3)]]);
		expect(outcomes).toEqual(['accepted', 'rejected', 'accepted']);
	});

	it('takes one conversation or a list in JSON', async () => {
		const one = { agentId: AGENT, toPhoneNumber: PHONE };
		expect((await run(inTurn(FINE), [json(one)])).called).toEqual([[PHONE]]);
		expect(
			(
				await run(inTurn(FINE), [
					json(JSON.stringify([one, one]), { options: { duplicates: 'sendAll' } }),
				])
			).called,
		).toEqual([[PHONE, PHONE]]);
	});

	it.each([
		['[]', 'conversationsJson'],
		[
			[{ agentId: AGENT, toPhoneNumber: PHONE }, { agentId: AGENT }],
			'conversationsJson.1.toPhoneNumber',
		],
	])('refuses the JSON %j', async (conversationsJson, path) => {
		const { sent, rows } = await run(inTurn(FINE), [json(conversationsJson)]);
		expect(sent).toEqual([]);
		const failure = rows[0]?.failure;
		const problems = failure?.kind === 'input' ? failure.problems : [];
		expect(problems.map((problem) => problem.path.join('.'))).toEqual([path]);
	});

	it('cuts requests at 50 conversations, one after the other, where nothing is said', async () => {
		const { called, sent } = await run(inTurn(FINE), rowsOf(120), { latency: 10 });
		expect(called.map((chunk) => chunk.length)).toEqual([50, 50, 20]);
		expect(called.flat()).toEqual(Array.from({ length: 120 }, (_, i) => phoneOf(i + 1)));
		expect(new Set(sent.map(({ at }) => at)).size).toBe(3);
	});

	it('pairs a list in the reply with its rows', async () => {
		const script: Script = ({ body }) =>
			reply(200, {
				conversations: listOf(body, 'conversations').map((one) => ({
					id: `id-of-${String(members(one)['toPhoneNumber'])}`,
				})),
			});
		const { rows } = await run(script, rowsOf(5, { options: { batchSize: 2 } }));
		expect(rows.map(({ items }) => members(items[0])['conversationId'])).toEqual(
			[1, 2, 3, 4, 5].map((n) => `id-of-${phoneOf(n)}`),
		);
	});

	it.each([
		['an empty reply', '', null],
		['an object', '{"jobId":"j"}', { jobId: 'j' }],
		['text', '"started"', 'started'],
	])('gives %s to every row on request, and no ID', async (_, text, expected) => {
		const rowsWithResponse = rowsOf(2, { options: { includeResponse: true } });
		const { rows, outcomes } = await run(inTurn(reply(200, text)), rowsWithResponse);
		expect(outcomes).toEqual(['accepted', 'accepted']);
		for (const { items } of rows) {
			expect(items[0]).toMatchObject({ conversationId: null, response: expected });
		}
	});
});

it('does not say that people were called of whom the response says nothing, and calls them no more', async () => {
	const ledger = jsonLedger();
	const first = await run(inTurn(reply(200, [{ id: 'x' }])), rowsOf(2), {}, ledger);
	expect(first.outcomes).toEqual(['unknown', 'unknown']);
	const second = await run(inTurn(FINE), rowsOf(2), {}, ledger);
	expect([second.outcomes, second.sent]).toEqual([['unknown', 'unknown'], []]);
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

describe('a number that stands in several rows', () => {
	const twice = (options: object) => [
		row(1, { options }),
		row(2, { options }),
		row(1, { options }),
	];

	it.each([
		[{}, [phoneOf(1), phoneOf(2)]],
		[{ duplicates: 'keepFirst' }, [phoneOf(1), phoneOf(2)]],
		[{ duplicates: 'sendAll' }, [phoneOf(1), phoneOf(2), phoneOf(1)]],
		[
			{ duplicates: 'sendAll', maximumAttempts: 1, campaignKey: 'spring' },
			[phoneOf(1), phoneOf(2)],
		],
	])('is called as often as %j says', async (options, expected) => {
		expect((await run(inTurn(FINE), twice(options))).called).toEqual([expected]);
	});

	it.each([{}, { maximumAttempts: 1, campaignKey: 'spring' }])(
		'stops the run where that is wanted, also if attempts are counted: %j',
		async (attempts) => {
			const options = { duplicates: 'stop', ...attempts };
			const { sent, outcomes, rows } = await run(inTurn(FINE), twice(options));
			expect(sent).toEqual([]);
			expect(outcomes).toEqual(['notSent', 'notSent', 'notSent']);
			expect(rows.map(reasonOf)[1]).toContain('rows 1 and 3 have the same phone number');
		},
	);
});

describe('whose a conversation is', () => {
	it('is the same in whatever words and capitals its type is written', async () => {
		const types = ['telephony', 'Telephony', 'Phone Call'];
		const rows = types.map((conversationType) => row(1, { conversationType }));
		const { called, outcomes } = await run(inTurn(FINE), rows);
		expect(called).toEqual([[phoneOf(1)]]);
		expect(outcomes).toEqual(['accepted', 'notSent', 'notSent']);
	});

	it('stays the same for a retry whose type and person are written otherwise', async () => {
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

	it('is text or a number, and returned', async () => {
		const chat = { conversationType: 'chat', toPhoneNumber: '' };
		const { rows } = await start([
			fieldsRow({ ...chat, options: { personId: 4711 } }),
			fieldsRow({ ...chat, options: { personId: ' P-2 ' } }),
			fieldsRow({ ...chat, options: { personId: null } }),
		]);
		expect(rows.map(({ items }) => items[0]?.['personId'])).toEqual(['4711', 'P-2', undefined]);
		expect(rows.map(({ items }) => Object.keys(items[0] ?? {}).includes('toPhoneNumber'))).toEqual([
			false,
			false,
			false,
		]);
		const wrong = await start([fieldsRow({ options: { personId: { a: 1 } } })]);
		expect(wrong.problems).toEqual([[['safeguards.personId', 'must be text']]]);
	});

	it('is one person or several in a dry run', async () => {
		const shown = await start([fieldsRow({ options: { dryRun: true } })]);
		expect(shown.summary).toBe(
			'Dry run: 1 person would be called in 1 request. Turn off Dry Run to call them.',
		);
		expect(shown.rows[0]?.items).toEqual([
			{
				row: 1,
				outcome: 'wouldSend',
				reason: 'Would be called',
				toPhoneNumber: PHONE,
				agentId: AGENT,
				conversationType: 'telephony',
				dynamicVariables: {},
				request: 1,
				dryRun: true,
			},
		]);
		const wrong = await start([fieldsRow({ agentId: 'x', options: { dryRun: true } })]);
		expect(wrong.rows[0]?.failureItem).toEqual({
			row: 1,
			outcome: 'rejected',
			toPhoneNumber: PHONE,
			dryRun: true,
		});
		const marked = await start([fieldsRow({ options: { dryRun: true, doNotCallColumn: true } })]);
		expect(marked.rows[0]?.items).toMatchObject([
			{
				row: 1,
				outcome: 'notSent',
				toPhoneNumber: PHONE,
				reason: 'Not called, because the row is marked do not call',
				dryRun: true,
			},
		]);
		expect(marked.summary).toContain(
			'Dry run: 0 people would be called in 0 requests. 1 marked Do Not Call',
		);
	});
});

it.each([null, undefined, 'x', { inputMode: 'other' }])(
	'refuses %j in place of parameters',
	async (parameters) => {
		const { sent, outcomes } = await run(inTurn(FINE), [{ parameters }]);
		expect([sent, outcomes]).toEqual([[], ['rejected']]);
	},
);

describe('the guard against too many conversations', () => {
	it('calls no one where there are more than 500 and nothing is said', async () => {
		const { sent, outcomes, rows } = await run(inTurn(FINE), rowsOf(501));
		expect(sent).toEqual([]);
		expect(new Set(outcomes)).toEqual(new Set(['notSent']));
		expect(rows.map(reasonOf)[500]).toBe(
			"Not sent, because 501 conversations are more than 'Maximum Conversations' (500) allows. Raise it if you mean to start them all",
		);
		expect((await run(inTurn(FINE), rowsOf(500))).called.flat()).toHaveLength(500);
	});

	it('counts the conversations of lists', async () => {
		const one = { agentId: AGENT, toPhoneNumber: PHONE };
		const options = { duplicates: 'sendAll' };
		const requests = async (maximumConversations: number) => {
			const more = { options: { ...options, maximumConversations } };
			return (await run(inTurn(FINE), [json([one, one, one], more), json(one, more)])).sent.length;
		};
		expect([await requests(4), await requests(3)]).toEqual([1, 0]);
	});

	it('counts valid rows only', async () => {
		const more = { options: { maximumConversations: 2, invalidRows: 'sendValid' } };
		const { called } = await run(inTurn(FINE), [
			row(1, more),
			row(2, { ...more, agentId: '' }),
			row(3, more),
		]);
		expect(called).toEqual([[phoneOf(1), phoneOf(3)]]);
	});

	it('counts conversations of earlier attempts and rounds', async () => {
		const ledger = jsonLedger();
		const options = { batchSize: 1, maximumConversations: 3 };
		const rows = (numbers: readonly number[]) =>
			numbers.map((n) => fieldsRow({ toPhoneNumber: phoneOf(n), options }));
		await start(rows([1, 2]), ledger);
		const more = await start(rows([1, 2, 3, 4]), ledger);
		expect(more.sent).toEqual([]);
		expect(more.problems[3]).toBe(
			"Not sent, because 2 conversations, after 2 earlier in this execution, are more than 'Maximum Conversations' (3) allows. Raise it if you mean to start them all",
		);
		expect((await start(rows([1, 2, 3, 4]))).problems[0]).toBe(
			"Not sent, because 4 conversations are more than 'Maximum Conversations' (3) allows. Raise it if you mean to start them all",
		);
		expect((await start(rows([1, 2, 3]), ledger)).sent).toHaveLength(1);
		expect((await start(rows([4]), ledger)).problems[0]).toContain(
			"because 1 conversation, after 3 earlier in this execution, is more than 'Maximum Conversations' (3)",
		);
	});
});

/** [what the service answers, and goes on answering, the outcome, how often it is sent] */
const MATRIX: ReadonlyArray<readonly [string, HttpResult, string, number]> = [
	['200', FINE, 'accepted', 1],
	['201', reply(201, {}), 'accepted', 1],
	['an empty 200', reply(200, ' '), 'accepted', 1],
	['204', reply(204), 'accepted', 1],
	['broken JSON', reply(200, '{"conversations":['), 'unknown', 1],
	['a web page', reply(200, '<html>'), 'unknown', 1],
	['302', reply(302), 'rejected', 1],
	['400', reply(400), 'rejected', 1],
	['400 with errors', reply(400, { errors: [{ id: 'e', title: 'bad' }] }), 'rejected', 1],
	['401', reply(401), 'rejected', 1],
	['403', reply(403), 'rejected', 1],
	['404', reply(404), 'rejected', 1],
	['413', reply(413), 'rejected', 5],
	['408', reply(408), 'unknown', 1],
	['429', reply(429), 'rejected', 5],
	['429 for an hour', reply(429, '', { 'retry-after': '3600' }), 'rejected', 1],
	['500', reply(500), 'unknown', 1],
	['502', reply(502), 'unknown', 1],
	['503 with Retry-After', reply(503, '', { 'retry-after': '1' }), 'unknown', 1],
	['a reset', lost(), 'unknown', 1],
	['a timeout', lost('ETIMEDOUT'), 'unknown', 1],
	['a refused connection', neverSent(), 'notSent', 5],
	['an unknown host', neverSent('ENOTFOUND'), 'notSent', 5],
	['an untrusted certificate', neverSent('CERT_HAS_EXPIRED'), 'notSent', 1],
];

describe('the outcome of a conversation', () => {
	it.each(MATRIX)('after %s', async (_, response, outcome, attempts) => {
		const { outcomes, sent } = await run(inTurn(response), rowsOf(3));
		expect([outcomes, sent.length]).toEqual([[outcome, outcome, outcome], attempts]);
	});

	it('is unknown at once where a reset comes after a 429', async () => {
		const { outcomes, sent } = await run(inTurn(reply(429), lost(), FINE), rowsOf(1));
		expect([outcomes, sent.length]).toEqual([['unknown'], 2]);
	});

	it('is not sent where the user stops during the pause after a 429', async () => {
		const script = inTurn(reply(429, '', { 'retry-after': '60' }), FINE);
		const { outcomes, sent } = await run(script, rowsOf(1), { stopAfter: 500 });
		expect([outcomes, sent.length]).toEqual([['notSent'], 1]);
	});

	it('is not sent for what comes after a stop, and unknown for what was under way', async () => {
		const { outcomes, called, rows } = await run(
			inTurn(FINE),
			rowsOf(4, { options: { batchSize: 1 } }),
			{ latency: 100, stopAfter: 150 },
		);
		expect(outcomes).toEqual(['accepted', 'unknown', 'notSent', 'notSent']);
		expect(called).toEqual([[phoneOf(1)], [phoneOf(2)]]);
		expect(rows.map(({ failure }) => failure?.kind === 'connection' && failure.code)).toEqual([
			false,
			'ABORTED',
			'CANCELED',
			'CANCELED',
		]);
	});

	it('goes on with the next request after one that failed', async () => {
		const { outcomes } = await run(
			inTurn(lost(), FINE, reply(400), FINE),
			rowsOf(4, { options: { batchSize: 1 } }),
		);
		expect(outcomes).toEqual(['unknown', 'accepted', 'rejected', 'accepted']);
	});
});

describe('a second run with the same ledger', () => {
	it('calls no one again who was called or may have been', async () => {
		const ledger = jsonLedger();
		const options = { batchSize: 1 };
		const first = await run(
			inTurn(reply(200, { id: uuidOf(9) }), lost(), reply(400), reply(500), neverSent('CERT_X')),
			rowsOf(5, { options }),
			{},
			ledger,
		);
		expect(first.outcomes).toEqual(['accepted', 'unknown', 'rejected', 'unknown', 'notSent']);
		const saved = ledger.save();
		const second = await run(inTurn(FINE), rowsOf(5, { options }), {}, jsonLedger(saved));
		expect(second.called).toEqual([[phoneOf(3)], [phoneOf(5)]]);
		expect(second.outcomes).toEqual(['accepted', 'unknown', 'accepted', 'unknown', 'accepted']);
		expect(second.rows[0]).toEqual(first.rows[0]);
		expect(second.rows[1]).toEqual(first.rows[1]);
		const other = await run(inTurn(FINE), rowsOf(5), {}, jsonLedger(saved));
		expect(other.called).toEqual([[phoneOf(3), phoneOf(5)]]);
	});

	it('is not misled by another order or by new rows', async () => {
		const ledger = jsonLedger();
		await run(inTurn(FINE), [row(1), row(2)], {}, ledger);
		const second = await run(inTurn(FINE), [row(3), row(2), row(1)], {}, ledger);
		expect(second.called).toEqual([[phoneOf(3)]]);
	});

	it('calls no one again where a variable is another, or a type in another order', async () => {
		const ledger = jsonLedger();
		const attempt = async (value: string) => {
			const variables = [{ name: 'now', value }];
			return await run(inTurn(FINE), [row(1, { dynamicVariables: { variables } })], {}, ledger);
		};
		expect((await attempt('10:00')).called).toEqual([[phoneOf(1)]]);
		const second = await attempt('10:01');
		expect([second.called, second.outcomes]).toEqual([[], ['accepted']]);
	});

	it('calls no one twice in a loop, and says so, and counts over all rounds', async () => {
		const ledger = jsonLedger();
		const round = async (number: number, more: Record<string, unknown>, ...rows: number[]) => {
			const { sent, context } = fakeRuntime(inTurn(FINE));
			const result = await runRows(
				create,
				rows.map((n) => row(n, more)),
				context(ledger, undefined, number),
			);
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

	it('knows two equal rows as two', async () => {
		const ledger = jsonLedger();
		const options = { batchSize: 1, duplicates: 'sendAll' };
		const first = await run(
			inTurn(FINE, reply(400)),
			[row(1, { options }), row(1, { options })],
			{},
			ledger,
		);
		expect(first.outcomes).toEqual(['accepted', 'rejected']);
		const second = await run(
			inTurn(FINE),
			[row(1, { options }), row(1, { options })],
			{},
			jsonLedger(ledger.save()),
		);
		expect(second.called).toEqual([[phoneOf(1)]]);
		expect(second.outcomes).toEqual(['accepted', 'accepted']);
	});

	it('counts what was sent but never settled as unknown', async () => {
		let saved = '';
		const ledger = jsonLedger();
		await run(
			() => {
				saved = ledger.save();
				return FINE;
			},
			[row(1)],
			{},
			ledger,
		);
		const second = await run(inTurn(FINE), [row(1)], {}, jsonLedger(saved));
		expect(second.sent).toEqual([]);
		expect(second.outcomes).toEqual(['unknown']);
		expect(second.rows[0]?.failure).toMatchObject({ kind: 'connection', code: 'INTERRUPTED' });
	});
});
