import isEqual from 'lodash/isEqual';
import type { Ledger, Operation, Row } from '../../../src/core/operation';
import type { HttpResult } from '../../../src/core/http';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import type { Script } from '../../support/fakeRuntime';
import { fakeRuntime, inTurn, jsonLedger, lost, reply } from '../../support/fakeRuntime';
import { listOf, members } from '../../support/samples';
import { outcomeOf, reasonOf, runRows } from '../../support/runRows';

const SOURCE = { method: 'api' };
const FINE = reply(200, { jobId: 'job-1' });
type Settings = Parameters<typeof fakeRuntime>[1];

const fields = (customer: unknown, more: Record<string, unknown> = {}): Row => ({
	parameters: { inputMode: 'fields', customer, ...more },
});
const json = (customerJson: unknown, options: object = {}): Row => ({
	parameters: { inputMode: 'json', customerJson, options },
});
const row = (identifier: unknown, more: Record<string, unknown> = {}, data: object = {}): Row =>
	fields({ identifier, ...data }, more);
const rowsOf = (count: number, more: Record<string, unknown> = {}) =>
	Array.from({ length: count }, (_, i) => row(`C-${i + 1}`, more));

const runWith =
	(operation: Operation) =>
	async (script: Script, rows: readonly Row[], settings?: Settings, ledger?: Ledger, round = 0) => {
		const { sent, context } = fakeRuntime(script, settings);
		const result = await runRows(operation, rows, context(ledger, undefined, round));
		const batches = sent.map(({ body }) => listOf(body, 'customers').map(members));
		return {
			...result,
			sent,
			/** One word per row: its outcome. */
			outcomes: result.rows.map(outcomeOf),
			/** The customers of the first request, without the source that they share. */
			customers: (batches[0] ?? []).map(({ source, ...values }) =>
				isEqual(source, SOURCE) ? values : { source, ...values },
			),
			identifiers: batches.map((batch) => batch.map(({ identifier }) => identifier)),
		};
	};

const run = runWith(createBatch);
const update = runWith(upsertBatch);

describe('a batch of customers', () => {
	it('is sent as the interface describes', async () => {
		const { sent, rows } = await run(inTurn(FINE), rowsOf(2, { partial: true }));
		expect(sent).toMatchObject([{ method: 'POST', path: '/customers/batch' }]);
		expect(sent[0]?.body).toEqual({
			customers: [
				{ source: SOURCE, identifier: 'C-1' },
				{ source: SOURCE, identifier: 'C-2' },
			],
			strategy: 'insert',
			partial: true,
		});
		const updated = await update(inTurn(FINE), rowsOf(1, { partial: true }));
		expect(members(updated.sent[0]?.body)).toEqual({
			customers: [{ source: SOURCE, identifier: 'C-1' }],
			strategy: 'upsert',
		});
		const accepted = { outcome: 'accepted', reason: 'Sent', jobId: 'job-1', request: 1 };
		expect(rows).toEqual([
			{ items: [{ row: 1, identifier: 'C-1', ...accepted }] },
			{ items: [{ row: 2, identifier: 'C-2', ...accepted }] },
		]);
	});

	it('leaves the source out where the option says so, but not one that was given', async () => {
		const entered = [{ identifier: 'A' }, { identifier: 'B', source: { method: 'crm' } }];
		const sentWith = async (options: object) => {
			const rows = entered.map((each) => json(each, options));
			const { sent } = await run(inTurn(FINE), rows);
			return listOf(sent[0]?.body, 'customers');
		};
		expect(await sentWith({})).toEqual([{ identifier: 'A', source: SOURCE }, entered[1]]);
		expect(await sentWith({ leaveOutSource: true })).toEqual(entered);
	});

	it('has 500 customers where nothing is said', async () => {
		const { identifiers } = await run(inTurn(FINE), rowsOf(1001));
		expect(identifiers.map((each) => each.length).sort((a, b) => b - a)).toEqual([500, 500, 1]);
	});
});

const REPORTED = { code: 'BAD_REQUEST', message: 'Invalid input data', issues: [] };

/** Responses with a 2xx status, and the outcome of each customer. */
const SAID: ReadonlyArray<readonly [string, HttpResult, string]> = [
	['a job', FINE, 'accepted'],
	['an empty error beside the job', reply(200, { error: '', jobId: 'job-1' }), 'accepted'],
	['nothing', reply(200, ''), 'unknown'],
	['a job that is no text', reply(200, { jobId: 7 }), 'unknown'],
	['an empty job', reply(200, { jobId: ' ' }), 'unknown'],
	['a list of jobs', reply(200, [{ jobId: 'job-1' }]), 'unknown'],
	['broken JSON', reply(200, '{"jobId"'), 'unknown'],
	['success: false', reply(200, { success: false, jobId: 'job-1' }), 'rejected'],
	['a filled error', reply(200, { error: { at: 1 }, jobId: 'j' }), 'rejected'],
	['a documented error', reply(200, REPORTED), 'rejected'],
];

it('a tool of an agent sends no more than 50 customers per call', async () => {
	const many = await update(inTurn(FINE), rowsOf(51, { asTool: true }));
	expect(many.sent).toEqual([]);
	expect(many.rows.map(reasonOf)[0]).toContain('51 customers are more than the 50');
	expect((await update(inTurn(FINE), rowsOf(50, { asTool: true }))).sent).toHaveLength(1);
	expect((await update(inTurn(FINE), rowsOf(51))).sent).toHaveLength(1);
});

it.each(SAID)('takes %s for what becomes of its customers', async (_, response, outcome) => {
	for (const send of [run, update]) {
		const { outcomes, sent } = await send(inTurn(response), rowsOf(2));
		expect([outcomes, sent.length]).toEqual([[outcome, outcome], 1]);
	}
});

it('may have stored an upsert whose response was lost before the service says no', async () => {
	const { outcomes } = await update(inTurn(lost(), reply(200, { success: false })), rowsOf(1));
	expect(outcomes).toEqual(['unknown']);
});

it.each([
	['keepFirst', {}, 'Row 1 has the same identifier (A)'],
	['keepLast', { name: 'Ana' }, 'Sent'],
])(
	'a mark without its row counts as the row of its customer: %s',
	async (duplicates, mergedFields, reason) => {
		const options = { duplicates };
		const bad = row('A', { options }, { isDoNotDisturbEnabled: 'yes', email: 'x' });
		const { customers, rows } = await update(inTurn(FINE), [bad, row('A', {}, { name: 'Ana' })]);
		expect(customers).toEqual([{ identifier: 'A', ...mergedFields, isDoNotDisturbEnabled: true }]);
		expect(rows.map(reasonOf)[1]).toBe(reason);
	},
);

it('a mark holds in later rounds of the execution, but not after a dry run or a corrected round', async () => {
	const marked = row('A', {}, { isDoNotDisturbEnabled: 'yes' });
	const unclear = row('B', {}, { isDoNotDisturbEnabled: 'maybe' });
	const later = row('A', {}, { name: 'Ana' });
	const person = { identifier: 'A', name: 'Ana' };
	const sentAfter = async (round: number, ...first: readonly Row[]) => {
		const ledger = jsonLedger();
		await update(inTurn(FINE), first, {}, ledger);
		return (await update(inTurn(FINE), [later], {}, ledger, round)).customers[0];
	};
	expect(await sentAfter(1, marked)).toEqual({ ...person, isDoNotDisturbEnabled: true });
	expect(await sentAfter(0, marked, unclear)).toEqual(person);
	expect(await sentAfter(1, marked, unclear)).toBeUndefined();
	const preview = row('A', { dryRun: true }, { isDoNotDisturbEnabled: 'yes' });
	expect(await sentAfter(1, preview)).toEqual(person);
});
