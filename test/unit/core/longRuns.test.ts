import { create } from '../../../src/conversations/create/create';
import { createBatch } from '../../../src/customers/batch';
import { search } from '../../../src/tickets/search/search';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { AGENT } from '../../support/samples';
import { upTo } from '../../support/tickets';

const call = (n: number) => ({ toPhoneNumber: `+1415555${1_000 + n}`, agentId: AGENT });
const page = { data: [], metadata: { hasNextPage: false } };

it.each([
	[
		'conversations',
		create,
		{ inputMode: 'fields', dryRun: true, whoMayBeCalled: 'everyone' },
		(n: number) => ({ ...call(n), conversationType: 'telephony' }),
	],
	[
		'customers',
		createBatch,
		{ inputMode: 'fields', dryRun: true },
		(n: number) => ({ customer: { identifier: `C-${n}` } }),
	],
	['tickets', search, {}, () => ({ returnAll: false, limit: 1 })],
])(
	'n8n goes on with other work while the rows of %s are read, however many there are',
	async (_, operation, settings, row) => {
		const { context } = fakeRuntime(() => reply(200, page));
		const given = context();
		let nowMs = given.now();
		let turns = 0;
		const rows = upTo(200).map((n) => ({ parameters: { ...settings, ...row(n) } }));
		const run = await operation.run(
			{ settings: { parameters: settings }, rows, count: rows.length },
			{
				...given,
				// A row takes 10 ms, and n8n may do something else after 50.
				now: () => (nowMs += 10),
				sleep: async () => void (turns += 1),
			},
		);
		expect(run.rows).toHaveLength(200);
		expect(turns).toBeGreaterThanOrEqual(200 / 5 - 2);
	},
);
