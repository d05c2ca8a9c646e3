import { create } from '../../src/conversations/create/create';
import { upsertBatch } from '../../src/customers/batch';
import { fakeRuntime, inTurn, reply } from '../support/fakeRuntime';
import { sizeOf } from '../support/propertyRuns.mjs';
import { AGENT } from '../support/samples';
import { runRows } from '../support/runRows';

/** Enough for what is spread over a call to fail, with `npm run test:worlds`. */
const COUNT = sizeOf(200_000, 50);

it('guards a run of hundreds of thousands of rows', async () => {
	const w = fakeRuntime(inTurn(reply(200, { jobId: 'j' })));
	const rows = Array.from({ length: COUNT }, (_, value) => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			conversationType: 'chat',
			dynamicVariables: { variables: [{ name: 'n', value }] },
		},
	}));
	const r = await runRows(create, rows, w.context());
	expect(r.rows[0]?.failure?.kind).toBe('held');
}, 300_000);

it('previews hundreds of thousands of rows, and counts the requests', async () => {
	const { sent, context } = fakeRuntime(inTurn(reply(200, { jobId: 'j' })));
	const rows = Array.from({ length: COUNT }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `C-${i}`, name: 'Ana' },
			dryRun: true,
			options: { batchSize: 100_000 },
		},
	}));
	const { summary } = await runRows(upsertBatch, rows, context());
	expect(summary).toContain(`Dry run: ${COUNT.toLocaleString('en-US')} customers would be sent`);
	expect(sent).toEqual([]);
}, 300_000);
