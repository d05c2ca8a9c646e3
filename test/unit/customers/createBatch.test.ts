import { describeFailure } from '../../../src/core/describeFailure';
import type { Ledger, Operation, Row } from '../../../src/core/operation';
import type { HttpResult } from '../../../src/core/http';
import { createBatch } from '../../../src/customers/createBatch';
import { upsertBatch } from '../../../src/customers/upsertBatch';
import type { Script } from '../../support/fakeRuntime';
import {
	fakeDedupeStore,
	fakeRuntime,
	inTurn,
	jsonLedger,
	jsonState,
	lost,
	neverSent,
	reply,
} from '../../support/fakeRuntime';
import { listOf, members } from '../../support/samples';
import { runRows } from '../../support/runRows';

const SOURCE = { method: 'api' };
const FINE = reply(200, { jobId: 'job-1' });
type Settings = Parameters<typeof fakeRuntime>[1];

const row = (identifier: unknown, more: Record<string, unknown> = {}): Row => ({
	parameters: { inputMode: 'fields', customer: { identifier }, ...more },
});
const rowsOf = (count: number, more: Record<string, unknown> = {}) =>
	Array.from({ length: count }, (_, i) => row(`C-${i + 1}`, more));

/** A refusal as the interface documents it, which stores nothing. */
const REFUSAL = { code: 'BAD_REQUEST', message: 'Invalid input data', issues: [] };

const runWith =
	(operation: Operation) =>
	async (script: Script, rows: readonly Row[], settings?: Settings, ledger?: Ledger) => {
		const { sent, context, runtime } = fakeRuntime(script, settings);
		const result = await runRows(operation, rows, context(ledger));
		return {
			...result,
			sent,
			runtime,
			/** One word a row: its outcome. */
			outcomes: result.rows.map(({ items, failure, details }) =>
				failure ? details?.['outcome'] : items[0]?.outcome,
			),
			identifiers: sent.map(({ body }) =>
				listOf(body, 'customers').map((customer) => members(customer)['identifier']),
			),
		};
	};

const run = runWith(createBatch);
const update = runWith(upsertBatch);

describe('a batch of customers', () => {
	it('is sent as the interface describes', async () => {
		const { sent, rows } = await run(inTurn(FINE), [
			row('C-1', { partial: true }),
			row('C-2', { partial: true }),
		]);
		expect(sent).toMatchObject([{ method: 'POST', path: '/customers/batch' }]);
		expect(sent[0]?.body).toEqual({
			customers: [
				{ source: SOURCE, identifier: 'C-1' },
				{ source: SOURCE, identifier: 'C-2' },
			],
			strategy: 'insert',
			partial: true,
		});
		expect(rows).toEqual([
			{
				items: [{ row: 1, outcome: 'accepted', identifier: 'C-1', jobId: 'job-1', batch: 1 }],
			},
			{
				items: [{ row: 2, outcome: 'accepted', identifier: 'C-2', jobId: 'job-1', batch: 1 }],
			},
		]);
	});

	it.each([
		[{}, { strategy: 'insert', partial: false }],
		[{ partial: false }, { strategy: 'insert', partial: false }],
		[{ partial: true }, { strategy: 'insert', partial: true }],
	])('that creates, with %j sends %j', async (parameters, expected) => {
		const { sent } = await run(inTurn(FINE), [row('C', parameters)]);
		const { customers, ...rest } = members(sent[0]?.body);
		expect(customers).toHaveLength(1);
		expect(rest).toEqual(expected);
	});

	it.each([{}, { partial: true }, { partial: false }])(
		'that updates says nothing of partial success, which is for inserts, with %j',
		async (parameters) => {
			const { sent } = await update(inTurn(FINE), [row('C', parameters)]);
			const { customers, ...rest } = members(sent[0]?.body);
			expect(customers).toHaveLength(1);
			expect(rest).toEqual({ strategy: 'upsert' });
		},
	);

	it('leaves the source out where the option says so, but not one that was given', async () => {
		const customersJson = [{ identifier: 'A' }, { identifier: 'B', source: { method: 'crm' } }];
		const withSource = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'json', customersJson } },
		]);
		expect(listOf(withSource.sent[0]?.body, 'customers')).toEqual([
			{ identifier: 'A', source: SOURCE },
			{ identifier: 'B', source: { method: 'crm' } },
		]);
		const without = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'json', customersJson, options: { sendSource: false } } },
		]);
		expect(listOf(without.sent[0]?.body, 'customers')).toEqual(customersJson);
	});

	it('ignores columns of a mapped row that are no customer fields', async () => {
		const customer = { identifier: 'C', name: null, colour: 'red', source: 'x', __row: 5 };
		const { sent } = await run(inTurn(FINE), [{ parameters: { inputMode: 'fields', customer } }]);
		expect(listOf(sent[0]?.body, 'customers')).toEqual([{ source: SOURCE, identifier: 'C' }]);
	});

	it('takes the columns of a row that was mapped by hand as they are', async () => {
		const customer = { identifier: 'C', Email: 'a@example.com' };
		const parameters = { inputMode: 'fields', customer, customerMapping: 'defineBelow' };
		const { sent } = await run(inTurn(FINE), [{ parameters }]);
		expect(listOf(sent[0]?.body, 'customers')).toEqual([{ source: SOURCE, identifier: 'C' }]);
	});

	it.each([
		['a number without one', 'US', '415-555-0178', '+14155550178'],
		['a number with another one', 'US', '+49 30 1234567', '+49301234567'],
		['no number', 'US', '', undefined],
	])('reads %s with the default country', async (_, defaultCountry, entered, expected) => {
		const customer = { identifier: 'C', phoneNumber: entered };
		const { sent } = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'fields', customer, options: { defaultCountry } } },
		]);
		expect(listOf(sent[0]?.body, 'customers')).toEqual([
			{
				source: SOURCE,
				identifier: 'C',
				...(expected !== undefined && { phoneNumber: expected }),
			},
		]);
	});

	it.each([{}, { defaultCountry: '' }])('guesses no country with %j', async (options) => {
		const customer = { identifier: 'C', phoneNumber: '415-555-0178' };
		const { sent, rows } = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'fields', customer, options } },
		]);
		expect(sent).toEqual([]);
		expect(rows[0]?.failure).toMatchObject({
			problems: [
				{
					path: ['customer', 'phoneNumber'],
					message: expect.stringContaining('has no country code') as string,
				},
			],
		});
	});

	it('takes JSON as it is, whatever is said about columns and country codes', async () => {
		const options = { defaultCountry: 'US', remainingColumns: 'metadata' };
		const parameters = { inputMode: 'json', customersJson: { identifier: 'A' }, options };
		const { sent } = await run(inTurn(FINE), [{ parameters }]);
		expect(listOf(sent[0]?.body, 'customers')).toEqual([{ source: SOURCE, identifier: 'A' }]);
	});

	it.each([undefined, null, 'C-1', 5])('refuses %j in place of a customer', async (customer) => {
		for (const customerMapping of ['defineBelow', 'autoMapInputData']) {
			const { sent, rows } = await run(inTurn(FINE), [
				{ parameters: { inputMode: 'fields', customer, customerMapping } },
			]);
			expect(sent).toEqual([]);
			expect(rows[0]?.failure).toMatchObject({
				problems: [
					{
						path: ['customer'],
						message: 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}',
					},
				],
			});
		}
	});

	it.each([null, undefined, 'x'])('refuses %j in place of parameters', async (parameters) => {
		const { sent, outcomes } = await run(inTurn(FINE), [{ parameters }]);
		expect([sent, outcomes]).toEqual([[], ['rejected']]);
	});

	it.each([
		['a list', [{ identifier: 'A' }, { identifier: 'B' }]],
		['text', '[{"identifier":"A"},{"identifier":"B"}]'],
	])('takes JSON as %s', async (_, customersJson) => {
		const { identifiers, rows } = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'json', customersJson } },
		]);
		expect(identifiers).toEqual([['A', 'B']]);
		expect(rows[0]?.items).toMatchObject([{ identifier: 'A' }, { identifier: 'B' }]);
	});

	it.each([
		['[]', 'customersJson', 'is an empty list'],
		['', 'customersJson', 'is empty'],
		['{"identifier":"A","colour":1}', 'customersJson', "has no field 'colour'"],
		['[{"identifier":"A"},{"identifier":""}]', 'customersJson.1.identifier', 'is'],
		['[{"identifier":"A"},5]', 'customersJson.1', 'must be an object'],
		['null', 'customersJson', 'must be an object'],
	])('refuses the JSON %s', async (customersJson, path, message) => {
		const { sent, rows, outcomes } = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'json', customersJson } },
		]);
		expect(sent).toEqual([]);
		expect(outcomes).toEqual(['rejected']);
		const failure = rows[0]?.failure;
		expect(failure?.kind === 'input' && failure.problems[0]).toEqual({
			path: path.split('.').map(toKey),
			message: expect.stringContaining(message) as string,
		});
	});

	it('is cut by number of customers', async () => {
		const { identifiers } = await run(
			inTurn(FINE),
			rowsOf(5, { options: { batchSize: 2, parallelRequests: 1 } }),
		);
		expect(identifiers).toEqual([['C-1', 'C-2'], ['C-3', 'C-4'], ['C-5']]);
	});

	it('is cut at 500 customers where nothing is said', async () => {
		const { identifiers } = await run(inTurn(FINE), rowsOf(1001));
		expect(identifiers.map((chunk) => chunk.length).sort((a, b) => b - a)).toEqual([500, 500, 1]);
	});

	it('is cut by bytes', async () => {
		const customersJson = Array.from({ length: 5 }, (_, i) => ({
			identifier: `C-${i + 1}`,
			metadata: 'é'.repeat(800_000),
		}));
		const { identifiers } = await run(inTurn(FINE), [
			{ parameters: { inputMode: 'json', customersJson, options: { parallelRequests: 1 } } },
		]);
		expect(identifiers).toEqual([['C-1', 'C-2'], ['C-3', 'C-4'], ['C-5']]);
	});

	it('pauses between requests for the seconds of the options', async () => {
		const { pauses, context } = fakeRuntime(inTurn(FINE));
		const options = { batchSize: 1, pause: 2, parallelRequests: 1 };
		await runRows(createBatch, rowsOf(3, { options }), context());
		expect(pauses).toEqual([2000, 2000]);
	});

	it('has one item for a request where that is asked for', async () => {
		const { shared, rows } = await run(
			inTurn(FINE),
			rowsOf(2, { options: { outputAs: 'requests' } }),
		);
		expect(rows).toEqual([{ items: [] }, { items: [] }]);
		expect(shared).toEqual([
			{
				item: {
					outcome: 'accepted',
					jobId: 'job-1',
					batch: 1,
					count: 2,
					customers: [
						{ row: 1, identifier: 'C-1' },
						{ row: 2, identifier: 'C-2' },
					],
				},
				rows: [0, 1],
			},
		]);
	});

	it('never sends more requests at once than asked for', async () => {
		const { sent } = await run(
			inTurn(FINE),
			rowsOf(10, { options: { batchSize: 1, parallelRequests: 3 } }),
			{ latency: 100 },
		);
		const start = sent[0]?.at ?? 0;
		expect(sent.map(({ at }) => (at - start) / 100)).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
	});

	it.each([
		['an upsert', update, {}, 3],
		['a plain insert', run, {}, 3],
		['an insert that is not partial', run, { partial: false }, 3],
		['a partial insert, which stores in part', run, { partial: true }, 1],
	])(
		'that is refused goes in parts where bad rows are isolated, if it is %s',
		async (_, send, more, attempts) => {
			const { sent } = await send(
				inTurn(reply(400, REFUSAL), FINE),
				rowsOf(2, { ...more, options: { isolateBadRows: true } }),
			);
			expect(sent).toHaveLength(attempts);
			const whole = await send(inTurn(reply(400, REFUSAL), FINE), rowsOf(2, more));
			expect(whole.sent).toHaveLength(1);
			const undocumented = await send(
				inTurn(reply(400, 'Bad Request'), FINE),
				rowsOf(2, { ...more, options: { isolateBadRows: true } }),
			);
			expect(undocumented.sent).toHaveLength(1);
		},
	);

	it.each([[{ jobId: 7 }], [{ job: 'job-1' }], ['"job-1"'], ['[]'], ['null'], ['']])(
		'has no job where the service answers %j',
		async (response) => {
			const { rows } = await run(inTurn(reply(200, response)), [row('A')]);
			expect(rows[0]?.items).toMatchObject([{ outcome: 'accepted', jobId: null }]);
		},
	);

	it('gives every row the job of its own request', async () => {
		const { rows } = await run(
			(_, number) => reply(200, { jobId: `job-${number}` }),
			rowsOf(5, { options: { batchSize: 2, parallelRequests: 1 } }),
		);
		expect(
			rows.map(({ items }) => [members(items[0])['jobId'], members(items[0])['batch']]),
		).toEqual([
			['job-1', 1],
			['job-1', 1],
			['job-2', 2],
			['job-2', 2],
			['job-3', 3],
		]);
	});
});

const toKey = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);

describe('invalid rows', () => {
	const rows = [row('A'), row(''), row('C')];

	it('do not keep the valid ones back', async () => {
		const { identifiers, outcomes, rows: results } = await run(inTurn(FINE), rows);
		expect(identifiers).toEqual([['A', 'C']]);
		expect(outcomes).toEqual(['accepted', 'rejected', 'accepted']);
		expect(results[1]).toMatchObject({
			items: [],
			failure: { kind: 'input', problems: [{ path: ['customer', 'identifier'] }] },
		});
	});

	it('stop everything where the user wants that', async () => {
		const options = { invalidRows: 'stop' };
		const {
			sent,
			outcomes,
			rows: results,
		} = await run(inTurn(FINE), [
			row('A', { options }),
			row('', { options }),
			row('C', { options }),
		]);
		expect(sent).toEqual([]);
		expect(outcomes).toEqual(['notSent', 'rejected', 'notSent']);
		expect(results[0]?.failure).toMatchObject({
			kind: 'held',
			message: expect.stringContaining('one row is invalid') as string,
		});
	});

	it('are counted where they stop everything', async () => {
		const options = { invalidRows: 'stop' };
		const rows = ['A', '', ''].map((identifier) => row(identifier, { options }));
		const { rows: results } = await run(inTurn(FINE), rows);
		expect(results[0]?.failure).toEqual({
			kind: 'held',
			message:
				"Not sent, because 2 rows are invalid. Correct the input, or set 'If Rows Are Invalid' to 'Send the Valid Rows'",
		});
	});

	it('are those, too, whose parameters could not be read', async () => {
		const problems = [{ path: ['customer'], message: 'could not be read' }];
		const { outcomes, rows: results } = await run(inTurn(FINE), [row('A'), { problems }]);
		expect(outcomes).toEqual(['accepted', 'rejected']);
		expect(results[1]?.failure).toEqual({ kind: 'input', problems });
	});

	it('send nothing where all are invalid', async () => {
		const { sent, outcomes } = await run(inTurn(FINE), [row(''), row(null)]);
		expect(sent).toEqual([]);
		expect(outcomes).toEqual(['rejected', 'rejected']);
	});
});

/** [what the service answers, and goes on answering, outcome with insert, sendings with insert, the same with upsert] */
const MATRIX: ReadonlyArray<readonly [string, HttpResult, string, number, string, number]> = [
	['200', FINE, 'accepted', 1, 'accepted', 1],
	['201', reply(201, { jobId: 'j' }), 'accepted', 1, 'accepted', 1],
	['an empty 200', reply(200, ''), 'accepted', 1, 'accepted', 1],
	['204', reply(204), 'accepted', 1, 'accepted', 1],
	['another shape', reply(200, { job: 5 }), 'accepted', 1, 'accepted', 1],
	['broken JSON', reply(200, '{"jobId"'), 'unknown', 1, 'unknown', 1],
	['a web page', reply(200, '<html>'), 'unknown', 1, 'unknown', 1],
	['302', reply(302), 'rejected', 1, 'rejected', 1],
	['400', reply(400), 'rejected', 1, 'rejected', 1],
	['401', reply(401), 'rejected', 1, 'rejected', 1],
	['403', reply(403), 'rejected', 1, 'rejected', 1],
	['404', reply(404), 'rejected', 1, 'rejected', 1],
	['413', reply(413), 'rejected', 3, 'rejected', 3],
	['408', reply(408), 'unknown', 1, 'unknown', 5],
	['429', reply(429), 'rejected', 5, 'rejected', 5],
	['500', reply(500), 'unknown', 1, 'unknown', 5],
	['503', reply(503), 'unknown', 1, 'unknown', 5],
	['a reset', lost(), 'unknown', 1, 'unknown', 5],
	['a timeout', lost('ETIMEDOUT'), 'unknown', 1, 'unknown', 5],
	['a refused connection', neverSent(), 'notSent', 5, 'notSent', 5],
	['an untrusted certificate', neverSent('CERT_HAS_EXPIRED'), 'notSent', 1, 'notSent', 1],
];

describe('the outcome of a customer', () => {
	it.each(MATRIX)('after %s', async (_, response, inserted, insertions, upserted, upsertions) => {
		const insert = await run(inTurn(response), rowsOf(2));
		expect([insert.outcomes, insert.sent.length]).toEqual([[inserted, inserted], insertions]);
		const upsert = await update(inTurn(response), rowsOf(2));
		expect([upsert.outcomes, upsert.sent.length]).toEqual([[upserted, upserted], upsertions]);
	});

	it('is accepted where an upsert gets through in the end', async () => {
		const { outcomes, sent } = await update(
			inTurn(lost(), reply(503), reply(429), FINE),
			rowsOf(2),
		);
		expect(outcomes).toEqual(['accepted', 'accepted']);
		expect(sent).toHaveLength(4);
	});

	it('is accepted where an insert gets through after a pause', async () => {
		const { outcomes, sent } = await run(
			inTurn(reply(429, '', { 'retry-after': '3' }), neverSent(), FINE),
			rowsOf(1),
		);
		expect(outcomes).toEqual(['accepted']);
		expect(sent).toHaveLength(3);
	});

	it.each([
		['429', reply(429)],
		['a refused connection', neverSent()],
		['401', reply(401)],
	])('stays unknown where an upsert may have arrived before %s', async (_, last) => {
		const { outcomes } = await update(inTurn(lost(), last), rowsOf(1));
		expect(outcomes).toEqual(['unknown']);
	});

	it('is rejected where an upsert that may have arrived is then judged on its content', async () => {
		const { outcomes } = await update(inTurn(lost(), reply(400)), rowsOf(1));
		expect(outcomes).toEqual(['rejected']);
	});

	it('is its own for each request', async () => {
		const { outcomes, rows } = await run(
			inTurn(FINE, reply(400), lost(), FINE),
			rowsOf(4, { options: { batchSize: 1, parallelRequests: 1 } }),
		);
		expect(outcomes).toEqual(['accepted', 'rejected', 'unknown', 'accepted']);
		expect(rows.map(({ failure }) => failure?.kind)).toEqual([
			undefined,
			'api',
			'connection',
			undefined,
		]);
		expect(rows[2]?.details).toMatchObject({ outcome: 'unknown', batch: 3 });
	});

	it('is not sent for all that a stop kept back, and unknown for what was under way', async () => {
		const { outcomes, sent } = await run(
			inTurn(FINE),
			rowsOf(6, { options: { batchSize: 1, parallelRequests: 2 } }),
			{ latency: 100, stopAfter: 150 },
		);
		expect(outcomes).toEqual(['accepted', 'accepted', 'unknown', 'unknown', 'notSent', 'notSent']);
		expect(sent).toHaveLength(4);
	});

	it('names the values of a row one by one where they ended differently', async () => {
		const customersJson = ['A', 'B', 'C', 'D'].map((identifier) => ({ identifier }));
		const options = { batchSize: 1, parallelRequests: 1 };
		const { rows } = await run(inTurn(FINE, reply(400), lost(), FINE), [
			{ parameters: { inputMode: 'json', customersJson, options } },
		]);
		expect(rows[0]?.items).toMatchObject([{ identifier: 'A' }, { identifier: 'D' }]);
		expect(rows[0]?.failure).toMatchObject({ kind: 'connection' });
		expect(rows[0]?.details).toEqual({
			outcome: 'unknown',
			batch: 3,
			counts: { accepted: 2, rejected: 1, unknown: 1 },
			failed: [
				{ index: 1, outcome: 'rejected' },
				{ index: 2, outcome: 'unknown' },
			],
		});
	});

	it('is summed up in one sentence', async () => {
		const { summary } = await run(inTurn(FINE, reply(400), lost()), [
			...rowsOf(3, { options: { batchSize: 1, parallelRequests: 1 } }),
			row(''),
		]);
		expect(summary).toBe(
			'4 rows, 3 requests: 1 accepted, 1 rejected by the service, 1 rejected before sending, 1 unknown (may have arrived)',
		);
	});
});

describe('a second run with the same ledger', () => {
	const options = { batchSize: 1, parallelRequests: 1 };

	it('sends again what was rejected or not sent, and nothing else', async () => {
		const ledger = jsonLedger();
		const first = await run(
			inTurn(FINE, reply(400), lost(), neverSent('CERT_HAS_EXPIRED')),
			rowsOf(4, { options }),
			{},
			ledger,
		);
		expect(first.outcomes).toEqual(['accepted', 'rejected', 'unknown', 'notSent']);
		const second = await run(
			inTurn(reply(200, { jobId: 'job-2' })),
			rowsOf(4, { options }),
			{},
			jsonLedger(ledger.save()),
		);
		expect(second.identifiers).toEqual([['C-2'], ['C-4']]);
		expect(second.outcomes).toEqual(['accepted', 'accepted', 'unknown', 'accepted']);
		expect(second.rows.map(({ items }) => members(items[0])['jobId'])).toEqual([
			'job-1',
			'job-2',
			undefined,
			'job-2',
		]);
	});

	it('keeps an insert and an upsert of the same customer apart', async () => {
		const ledger = jsonLedger();
		await run(inTurn(FINE), [row('A')], {}, ledger);
		const second = await update(inTurn(FINE), [row('A')], {}, ledger);
		expect(second.sent).toHaveLength(1);
	});
});

it.each(['sheet', undefined, 5])(
	'an input mode %j that there is not is a problem of its row',
	async (inputMode) => {
		const parameters = { inputMode, customer: { identifier: 'A' } };
		const { context, sent } = fakeRuntime(inTurn(FINE));
		const { rows } = await runRows(createBatch, [{ parameters }], context());
		expect(rows[0]?.failure).toEqual({
			kind: 'input',
			problems: [{ path: ['inputMode'], message: 'must be one of fields, json' }],
		});
		expect(sent).toEqual([]);
	},
);

describe('what the words of a batch add', () => {
	const said = async (response: HttpResult, send = run) => {
		const { rows } = await send(inTurn(response), [row('A')]);
		const { failure } = rows[0] ?? {};
		return failure && describeFailure(failure, (path) => path.join('.'));
	};

	it('is that both keys are needed', async () => {
		expect(await said(reply(401))).toMatchObject({
			advice: 'Check API Key and Access Token in the credential. Customer batches need both.',
		});
	});

	it('is which operation updates, for an insert only', async () => {
		const taken = reply(400, {
			code: 'CONFLICT',
			message: 'no',
			issues: [{ path: ['customers', 0, 'identifier'], message: 'Already exists' }],
		});
		expect((await said(taken))?.message).toBe(
			'customer.identifier: Already exists. Use Create or Update Batch. (400 CONFLICT)',
		);
		expect((await said(taken, update))?.message).toBe(
			'customer.identifier: Already exists. Correct it, then run the node again. (400 CONFLICT)',
		);
	});
});

it('returns what is unchanged as one item where requests are', async () => {
	const { state, saved } = jsonState();
	const entries = new Set<string>();
	const nightly = async (names: readonly string[], before?: string) => {
		const world = fakeRuntime(inTurn(FINE));
		if (before !== undefined) state.save(JSON.parse(before));
		const all = names.map((name, n) => ({
			parameters: {
				inputMode: 'fields',
				customer: { identifier: `C-${n}`, name },
				options: { skipUnchanged: true, outputAs: 'requests' },
			},
		}));
		return await runRows(
			upsertBatch,
			all,
			world.context(jsonLedger(), fakeDedupeStore(entries), 0, state),
		);
	};
	await nightly(['a', 'b', 'c']);
	const { shared } = await nightly(['a', 'x', 'c'], saved());
	expect(shared?.map(({ item, rows }) => [item, rows])).toEqual([
		[
			{
				outcome: 'accepted',
				jobId: expect.any(String) as string,
				batch: 1,
				count: 1,
				customers: [{ row: 2, identifier: 'C-1' }],
			},
			[1],
		],
		[
			{
				outcome: 'unchanged',
				jobId: null,
				batch: null,
				count: 2,
				customers: [
					{ row: 1, identifier: 'C-0' },
					{ row: 3, identifier: 'C-2' },
				],
			},
			[0, 2],
		],
	]);
});
