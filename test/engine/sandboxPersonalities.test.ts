import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';
import { propertyRuns } from '../support/propertyRuns.mjs';
import { runNode } from '../support/runNode';
import { useSandbox } from '../support/sandbox.mts';

const sandboxOf = useSandbox();

const priorities = ['urgent', 'high', 'medium', 'low'] as const;
const tickets = Array.from({ length: 230 }, (_, i) => ({
	ticketNumber: (i * 97) % 1_009,
	priority: priorities[i % 4] ?? 'low',
	title: `${'bAc'[i % 3]} ${i % 11}`,
	closedAt: i % 5 === 0 ? null : new Date(Date.UTC(2026, 0, 1, 0, i % 50)).toISOString(),
}));

beforeAll(async () => {
	await sandboxOf().fill(tickets);
}, 20_000);

const personality = fc.record(
	{
		largestPage: fc.constantFrom(100, 40, 7),
		withoutIds: fc.boolean(),
		numbersAsText: fc.boolean(),
		times: fc.constantFrom('utc', 'noZone', 'offset', 'wholeSeconds', 'epochMs'),
		defaultOrder: fc.constantFrom('newest', 'number', 'stored'),
		nullsFirst: fc.constantFrom('descending', 'ascending', 'always', 'never'),
		priorities: fc.shuffledSubarray([...priorities], { minLength: 4 }),
		ignoresCase: fc.boolean(),
		otherSpelling: fc.constantFrom('refused', 'ignored'),
		refusal: fc.constantFrom(400, 422),
		givesDetails: fc.boolean(),
		largestSort: fc.constantFrom(null, 1),
		ignores: fc.constantFrom('nothing', 'nothing', 'nothing', 'sort', 'select', 'filters'),
		hasNextPage: fc.constantFrom('exact', 'late'),
		clockAheadMs: fc.constantFrom(0, -600_000, 600_000),
	},
	{ requiredKeys: [] },
);

const question = fc.record({
	wanted: fc.constantFrom(undefined, ...priorities),
	column: fc.constantFrom(undefined, 'ticketNumber', 'priority', 'title', 'closedAt'),
	direction: fc.constantFrom('asc', 'desc'),
	limit: fc.constantFrom(undefined, 5, 60, 150),
	spelling: fc.constantFrom('formal', 'narrative', 'both'),
});

it('finds what matches, or says why not, whatever the service is like', async () => {
	const seen = { right: 0, errors: 0 };
	const ask = async (
		chosen: object,
		{
			wanted,
			column,
			direction,
			limit,
			spelling,
		}: typeof question extends fc.Arbitrary<infer T> ? T : never,
	) => {
		await sandboxOf().setOptions({ personality: chosen, spelling });
		const condition: INodeParameters = {
			column: 'priority',
			operator: 'eq',
			priorityValue: wanted,
		};
		const { main, error } = await runNode({
			parameters: {
				resource: 'ticket',
				operation: 'search',
				output: 'raw',
				returnAll: limit === undefined,
				...(limit !== undefined && { limit }),
				...(wanted && { filters: { conditions: [condition] } }),
				...(column && { sort: { rules: [{ column, direction }] } }),
			},
			credential: sandboxOf().credential,
		});
		if (error) {
			seen.errors += 1;
			expect(String(error.message)).toMatch(/The service (ignores|does not|rejected)|It /);
			return;
		}
		seen.right += 1;
		const matching = tickets.filter(({ priority }) => !wanted || priority === wanted);
		const numbers = main.map(({ json }) => Number(json['ticketNumber']));
		expect(new Set(numbers).size).toBe(numbers.length);
		expect(numbers.length).toBe(Math.min(limit ?? Infinity, matching.length));
		const allowed = new Set(matching.map(({ ticketNumber }) => ticketNumber));
		expect(numbers.filter((number) => !allowed.has(number))).toEqual([]);
		if (column !== 'ticketNumber') return;
		const sorted = [...allowed].sort((a, b) => (direction === 'asc' ? a - b : b - a));
		expect(numbers).toEqual(sorted.slice(0, limit));
	};
	await fc.assert(fc.asyncProperty(personality, question, ask), propertyRuns(120));
	expect(seen.right).toBeGreaterThan(2 * seen.errors);
	expect(seen.errors).toBeGreaterThan(0);
}, 120_000);
