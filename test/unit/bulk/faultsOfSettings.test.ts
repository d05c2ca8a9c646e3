import { create } from '../../../src/conversations/create/create';
import type { Operation } from '../../../src/core/operation';
import { createBatch } from '../../../src/customers/batch';
import { fakeRuntime, jsonLedger, reply } from '../../support/fakeRuntime';
import { AGENT, phoneOf } from '../../support/samples';

type Columns = Readonly<Record<string, unknown>>;

const calls = {
	inputMode: 'fields',
	dryRun: false,
	whoMayBeCalled: 'everyone',
	agentId: AGENT,
	toPhoneNumber: '={{ $json.phone }}',
};
const customers = (email: string, mappingMode = 'defineBelow') => ({
	inputMode: 'fields',
	dryRun: false,
	customer: { mappingMode, value: { identifier: '={{ $json.id }}', email } },
});
const badCustomer = { customer: { identifier: 'A', email: 'x' } };

/** Runs two rows with what was entered; `cells` are what the first row has instead of good ones. */
async function run(
	operation: Operation,
	entered: Columns,
	cells: Columns,
	{ ledger = jsonLedger(), round = 0 } = {},
) {
	const { sent, context } = fakeRuntime(() => reply(200, { jobId: 'job' }));
	const rows = [1, 2].map((n) => {
		const customer = { identifier: `C-${n}`, email: 'b@example.com' };
		const good = { agentId: AGENT, toPhoneNumber: phoneOf(n), customer };
		return { parameters: n === 1 ? { ...good, ...cells } : good };
	});
	const input = { settings: { parameters: entered }, rows, count: rows.length };
	const { rows: results } = await operation.run(input, context(ledger, undefined, round));
	const ends = results.map(({ items, failure, failureItem }) => {
		const { outcome, code } = (failureItem ?? items[0]) as Columns;
		const path = failure?.kind === 'input' ? failure.problems[0]?.path.join('.') : undefined;
		return [outcome, code, path];
	});
	return { requests: sent.length, ends };
}

const HOURS_PATH = 'safeguards.callingHours.when.hours.rows.0.days.0';
const hours = { callingHours: { when: { hours: { rows: [{ days: 'mo, tu' }] } } } };

it.each<[string, Operation, Columns, Columns, string]>([
	['an empty agent', create, { ...calls, agentId: '' }, { agentId: '' }, 'agentId'],
	['a number', create, { ...calls, toPhoneNumber: '1' }, { toPhoneNumber: '1' }, 'toPhoneNumber'],
	['an option', create, { ...calls, options: { parallel: 1 } }, {}, 'options'],
	['a day', create, { ...calls, safeguards: hours }, {}, HOURS_PATH],
	['a field of the mapper', createBatch, customers('x'), badCustomer, 'customer.email'],
])(
	'%s that is wrong by itself is no fault of a row',
	async (_, operation, entered, cells, path) => {
		const end = ['notSent', 'settings', path];
		for (const dryRun of [false, true])
			expect(await run(operation, { ...entered, dryRun }, cells)).toEqual({
				requests: 0,
				ends: [end, end],
			});
	},
);

it.each<[string, Operation, Columns, Columns, string]>([
	['an expression', create, { ...calls, agentId: '={{ $json.a }}' }, { agentId: '' }, 'agentId'],
	['the mapper', createBatch, customers('={{ $json.mail }}'), badCustomer, 'customer.email'],
	['a column', createBatch, customers('', 'autoMapInputData'), badCustomer, 'customer.email'],
])('what %s gives is a fault of its row', async (_, operation, entered, cells, path) => {
	const options = { invalidRows: 'sendValid' };
	const { ends } = await run(operation, { ...entered, options }, cells);
	expect(ends).toEqual([
		['rejected', 'invalid', path],
		['accepted', undefined, undefined],
	]);
});

it('a wrong setting stops the later rounds of its execution, until its round ran again; a dry run does not', async () => {
	const outcomesAfter = async (dryRun: boolean, ...rounds: number[]) => {
		const ledger = jsonLedger();
		await run(create, { ...calls, agentId: '', dryRun }, { agentId: '' }, { ledger });
		const outcomes: unknown[] = [];
		for (const round of rounds)
			outcomes.push((await run(create, calls, {}, { ledger, round })).ends[0]?.[0]);
		return outcomes;
	};
	expect(await outcomesAfter(false, 1, 0)).toEqual(['notSent', 'accepted']);
	expect(await outcomesAfter(true, 1)).toEqual(['accepted']);
});
