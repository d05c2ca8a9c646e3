import { create } from '../../../src/conversations/create/create';
import type { Operation } from '../../../src/core/operation';
import { createBatch } from '../../../src/customers/batch';
import { search } from '../../../src/tickets/search/search';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { AGENT } from '../../support/samples';
import { upTo } from '../../support/tickets';

const call = (n: number) => ({ toPhoneNumber: `+1415555${1_000 + n}`, agentId: AGENT });
const page = { data: [], metadata: { hasNextPage: false } };

/** Counts how often an operation yields to n8n. Each call of the clock takes 10 ms; a yield is due after 50. */
async function countTurns(operation: Operation, settings: object, rows: readonly object[]) {
	const { context } = fakeRuntime(() => reply(200, page));
	const base = context();
	let nowMs = base.now();
	let turns = 0;
	const run = await operation.run(
		{
			settings: { parameters: settings },
			rows: rows.map((row) => ({ parameters: { ...settings, ...row } })),
			count: rows.length,
		},
		{ ...base, now: () => (nowMs += 10), sleep: async () => void (turns += 1) },
	);
	expect(run.rows).toHaveLength(rows.length);
	return turns;
}

const customers = {
	inputMode: 'fields',
	dryRun: true,
	doNotDisturb: 'none',
	customer: { mappingMode: 'autoMapInputData' },
};

it.each<[string, Operation, object, (n: number) => object, number]>([
	[
		'conversations',
		create,
		{ inputMode: 'fields', dryRun: true, whoMayBeCalled: 'everyone' },
		(n) => ({ ...call(n), conversationType: 'telephony' }),
		1,
	],
	// Their columns are found before they are read.
	['customers', createBatch, customers, (n) => ({ customer: { identifier: n, name: 'Ana' } }), 2],
	['tickets', search, {}, () => ({ returnAll: false, limit: 1 }), 1],
])(
	'n8n goes on with other work while the rows of %s are read, however many there are',
	async (_, operation, settings, row, times) => {
		const turns = await countTurns(operation, settings, upTo(200).map(row));
		expect(turns).toBeGreaterThanOrEqual((times * 200) / 5 - 2);
	},
);
