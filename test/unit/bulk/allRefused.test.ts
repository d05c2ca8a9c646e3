import countBy from 'lodash/countBy';
import { recallTotals } from '../../../src/bulk/ledger';
import { create } from '../../../src/conversations/create/create';
import type { Operation, Row } from '../../../src/core/operation';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import {
	fakeDedupeStore,
	fakeRuntime,
	jsonLedger,
	reply,
	type Script,
} from '../../support/fakeRuntime';
import { customerRow } from '../../support/customerRows';
import { outcomeOf, runRows } from '../../support/runRows';
import { phoneOf } from '../../support/samples';
import { fieldsRow } from '../../support/startConversations';

const ROWS = 1_000;

const customer = (n: number, options: object): Row => customerRow(`C-${n}`, options);
const call = (n: number, options: object): Row =>
	fieldsRow({ toPhoneNumber: phoneOf(n), options: { ...options, maximumConversations: ROWS } });

const subjects: ReadonlyArray<readonly [string, Operation, typeof call]> = [
	['calls', create, call],
	['created customers', createBatch, customer],
	['updated customers', upsertBatch, customer],
];
const unnamed = { code: 'BAD_REQUEST', message: 'Invalid input data', issues: [] };
const refusals: ReadonlyArray<readonly [string, ReturnType<typeof reply>, string]> = [
	['a documented 400', reply(400, unnamed), 'refused'],
	['a 400 of another shape', reply(400, { message: 'No' }), 'refused'],
	[
		'a 400 that names no row',
		reply(400, { ...unnamed, issues: [{ path: ['agentId'] }] }),
		'refused',
	],
	['402', reply(402, { message: 'The account is empty' }), 'notFound'],
	['413', reply(413), 'refused'],
	['401', reply(401), 'accessDenied'],
	['404', reply(404, { message: 'Unknown workspace slug' }), 'notFound'],
];

/** Sends 1,000 rows; `codes` counts their codes. */
async function run(operation: Operation, rows: readonly Row[], script: Script) {
	const runtime = fakeRuntime(script);
	const ledger = jsonLedger();
	const store = new Set<string>();
	const { rows: results } = await runRows(
		operation,
		rows,
		runtime.context(ledger, fakeDedupeStore(store)),
	);
	const codes = countBy(results, ({ failureItem }) => failureItem?.['code'] ?? 'none');
	return { results, codes, requests: runtime.sent.length, recalled: recallTotals(ledger), store };
}

describe.each(subjects)('to learn that 1,000 %s are refused', (_, operation, row) => {
	const rowsWith = (options: object) => Array.from({ length: ROWS }, (__, n) => row(n, options));

	it.each(refusals)('takes at most 60 requests, after %s', async (__, response, code) => {
		for (const options of [{}, { batchSize: 1 }, { batchSize: 7, parallelRequests: 8 }]) {
			const ended = await run(operation, rowsWith(options), () => response);
			const { results, requests, codes, recalled, store } = ended;
			expect(requests).toBeLessThanOrEqual(60);
			// Two whole batches are less than three requests.
			const isTold = requests > 2 || code !== 'refused';
			expect(codes).toEqual({ [isTold ? code : 'rejected']: ROWS });
			expect(results.map(outcomeOf)).toEqual(Array(ROWS).fill(isTold ? 'notSent' : 'rejected'));
			expect([recalled.sent, store.size]).toEqual([0, 0]);
		}
	});

	it('is no reason to stop where one bad row is among good ones', async () => {
		const isBad = (body: unknown) => /"(C-999|\+14155550999)"/.test(JSON.stringify(body));
		const script: Script = ({ body }) =>
			isBad(body) ? reply(400, unnamed) : reply(200, { jobId: 'job' });
		const { results } = await run(operation, rowsWith({}), script);
		expect(results.map(outcomeOf)).toEqual([...Array(ROWS - 1).fill('accepted'), 'rejected']);
	});
});

it('refusals for different reasons, or after an accepted row, are faults of their rows', async () => {
	const rows = Array.from({ length: 8 }, (_, n) => customer(n, { batchSize: 1 }));
	const outcomes = async (script: Script) =>
		(await run(createBatch, rows, script)).results.map(outcomeOf);
	const refuse = (message: string) => reply(400, { ...unnamed, message });
	const rejected = Array(7).fill('rejected');
	const inEven: Script = (_, n) => refuse(n % 2 ? 'No name' : 'No email');
	expect(await outcomes(inEven)).toEqual(['rejected', ...rejected]);
	const afterOne: Script = (_, n) => (n === 1 ? reply(200, { jobId: 'job' }) : refuse('No'));
	expect(await outcomes(afterOne)).toEqual(['accepted', ...rejected]);
	const issues = [{ path: ['customers', 0, 'email'], message: 'bad' }];
	expect(await outcomes(() => reply(400, { ...unnamed, issues }))).toEqual([
		'rejected',
		...rejected,
	]);
});
