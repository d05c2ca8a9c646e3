import { createBatch } from '../../../src/customers/batch';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';

const run = async (identifiers: readonly string[], options: object, stopAfter?: number) => {
	const settings = stopAfter === undefined ? {} : { stopAfter, latency: 100 };
	const runtime = fakeRuntime(inTurn(reply(200, { jobId: 'job' })), settings);
	const rows = identifiers.map((identifier) => ({
		parameters: { inputMode: 'fields', customer: { identifier }, options },
	}));
	return { ...(await runRows(createBatch, rows, runtime.context())), sent: runtime.sent.length };
};

describe('rows of which some are invalid', () => {
	it.each([
		[['a', ''], 'one row is'],
		[['a', '', ''], '2 rows are'],
	])('%j are all kept back where that is wanted, and say why', async (identifiers, invalid) => {
		const { rows, sent } = await run(identifiers, { invalidRows: 'stop' });
		expect([sent, outcomeOf(rows[0] ?? { items: [] })]).toEqual([0, 'notSent']);
		expect(rows[0]?.failure).toMatchObject({
			message: expect.stringContaining(`Not sent, because ${invalid} invalid`) as string,
		});
	});

	it('are sent without those where that is wanted', async () => {
		const { rows, sent } = await run(['a', '', 'b'], { invalidRows: 'sendValid' });
		expect(sent).toBe(1);
		expect(rows.map(({ items }) => items.length)).toEqual([1, 0, 1]);
	});
});

it('counts only requests that were sent', async () => {
	const options = { batchSize: 1, parallelRequests: 1 };
	const { summary } = await run(['a', 'b', 'c', 'd'], options, 150);
	expect(summary).toBe('4 rows, 2 requests: 1 accepted, 1 unknown (may have arrived), 2 not sent');
});
