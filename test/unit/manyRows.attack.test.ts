import { create } from '../../src/conversations/create';
import { fakeWorld, inTurn, reply } from '../support/fakeWorld';
import { AGENT, PHONE } from '../support/samples';

it('guards a run of 200,000 rows', async () => {
	const w = fakeWorld(inTurn(reply(200, { jobId: 'j' })));
	const rows = Array.from({ length: 200_000 }, () => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			toPhoneNumber: PHONE,
			options: { duplicates: 'callEvery' },
		},
	}));
	const r = await create.run(rows, w.desk());
	expect(r.rows[0]?.failure?.kind).toBe('held');
});
