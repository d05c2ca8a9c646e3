import { stringify } from 'flatted';
import { createBatch } from '../../../src/customers/batch';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';

/** The bytes of a value in the format in which n8n saves executions. */
const flattedSize = (value: unknown): number => new TextEncoder().encode(stringify(value)).length;

const customers = (count: number, batchSize: number, parallelRequests: number) =>
	Array.from({ length: count }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `C-${100_000 + i}`, name: `Customer ${i}` },
			options: { batchSize, parallelRequests },
		},
	}));

const job = (n: number) => reply(200, { jobId: `5f0c6a3e-9d1b-4e7a-8c25-${String(n).repeat(12)}` });

describe('the ledger of a run', () => {
	it.each([
		['in order', 1],
		['many at once', 8],
	])("takes at most 40 bytes a row of n8n's database, sent %s", async (_, parallel) => {
		// As in the context of a node, which n8n saves with one copy of each object.
		const kept: Record<string, unknown> = {};
		const runtime = fakeRuntime((_sent, number) => job(number % 10));
		const run = await runRows(createBatch, customers(10_000, 500, parallel), runtime.context(kept));
		expect(run.summary).toBe('10,000 rows, 20 requests: 10,000 accepted');
		expect(flattedSize(kept)).toBeLessThan(10_000 * 40);
		expect(flattedSize(kept)).toBeGreaterThan(10_000 * 16);
	});
});
