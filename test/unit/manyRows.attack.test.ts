import { create } from '../../src/conversations/create/create';
import { fakeRuntime, inTurn, reply } from '../support/fakeRuntime';
import { sizeOf } from '../support/propertyRuns.mjs';
import { AGENT, PHONE } from '../support/samples';
import { runRows } from '../support/runRows';

it('guards a run of hundreds of thousands of rows', async () => {
	const w = fakeRuntime(inTurn(reply(200, { jobId: 'j' })));
	const rows = Array.from({ length: sizeOf(200_000) }, () => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			toPhoneNumber: PHONE,
			options: { duplicates: 'sendAll' },
		},
	}));
	const r = await runRows(create, rows, w.context());
	expect(r.rows[0]?.failure?.kind).toBe('held');
}, 300_000);
