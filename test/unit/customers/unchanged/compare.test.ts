import { compareWithSent, readSentState } from '../../../../src/customers/unchanged/compare';
import { sizeOf } from '../../../support/propertyRuns.mjs';

interface Payload {
	readonly identifier: string;
	readonly name: string;
}

const all = () => true;
const none = () => false;
const exported = (count: number): Payload[] =>
	Array.from({ length: count }, (_, i) => ({ identifier: `C-${i}`, name: `Name ${i}` }));

const compare = (customers: readonly Payload[], digests?: string) =>
	compareWithSent(
		{
			values: customers,
			identityOf: ({ identifier }) => identifier,
			bodyOf: (customer) => customer,
		},
		digests,
	);

const skippedOf = (customers: readonly Payload[], digests?: string) => {
	const { isUnchanged } = compare(customers, digests);
	return customers.filter(isUnchanged);
};

describe('customers that the service has already', () => {
	const customers = exported(20_000);
	const digests = compare(customers).digestsOf(all);

	it('are unchanged in the next run, in whatever order they come', () => {
		expect(skippedOf(customers, digests)).toHaveLength(20_000);
		expect(skippedOf([...customers].reverse(), digests)).toHaveLength(20_000);
	});

	it('are sent with the few of their bucket when one of them changed', () => {
		const changed = customers.with(77, { identifier: 'C-77', name: 'New' });
		const skipped = skippedOf(changed, digests);
		expect(skipped.map(({ identifier }) => identifier)).not.toContain('C-77');
		expect(skipped.length).toBeGreaterThan(20_000 - 25);
	});

	it('are sent again when the digests are lost or damaged', () => {
		for (const other of [undefined, '', digests.slice(1), ' '.repeat(digests.length)])
			expect(skippedOf(customers, other)).toHaveLength(0);
	});

	it('are remembered only where all of a bucket were accepted', () => {
		const { digestsOf } = compare(customers);
		const skipped = skippedOf(
			customers,
			digestsOf(({ identifier }) => identifier !== 'C-77'),
		);
		expect(skipped.map(({ identifier }) => identifier)).not.toContain('C-77');
		expect(skipped.length).toBeGreaterThan(20_000 - 25);
		expect(skippedOf(customers, digestsOf(none))).toHaveLength(0);
	});

	it.each([
		[0, 1_024],
		[1_600, 1_024],
		[2_000, 2_048],
		[20_000, 16_384],
	])('%d of them take a state in proportion', (count, buckets) => {
		expect(compare(exported(count)).digestsOf(all)).toHaveLength(buckets * 7);
	});

	it('are unchanged when the export has grown or shrunk to another number of buckets', () => {
		const grown = exported(40_000);
		expect(skippedOf(grown, digests).length).toBeGreaterThan(4_000);
		const kept = compare(grown, digests).digestsOf(all);
		expect(skippedOf(grown, kept)).toHaveLength(40_000);
		const few = exported(1_000);
		expect(skippedOf(few, compare(few, kept).digestsOf(all))).toHaveLength(1_000);
	});

	it('are unchanged whatever order their columns are in and whichever row they stand in', () => {
		const one = {
			identifier: 'A',
			metadata: { City: 'Reno', tags: { b: 1, a: [2] }, row_number: 2 },
		};
		const other = {
			metadata: { row_number: 9, tags: { a: [2], b: 1 }, City: 'Reno' },
			identifier: 'A',
		};
		const digest = (body: object) =>
			compareWithSent(
				{ values: [body], identityOf: () => 'A', bodyOf: () => body },
				undefined,
			).digestsOf(all);
		expect(digest(other)).toBe(digest(one));
		expect(digest({ ...one, metadata: { ...one.metadata, City: 'Oslo' } })).not.toBe(digest(one));
		expect(digest({ identifier: 'A', metadata: { since: new Date(1) } })).not.toBe(
			digest({ identifier: 'A', metadata: { since: new Date(2) } }),
		);
		expect(digest({ identifier: 'A', metadata: [] })).not.toBe(
			digest({ identifier: 'A', metadata: {} }),
		);
		expect(digest({ identifier: 'A', name: [['b', 1]] })).not.toBe(
			digest({ identifier: 'A', name: { b: 1 } }),
		);
	});

	it('tell two customers with one identifier from the same in another order', () => {
		const [first, second] = [
			{ identifier: 'A', name: '1' },
			{ identifier: 'A', name: '2' },
		];
		const { digestsOf } = compare([first, second]);
		expect(skippedOf([first, second], digestsOf(all))).toHaveLength(2);
		expect(skippedOf([second, first], digestsOf(all))).toHaveLength(0);
	});

	it('are sent when they come back after a run without them', () => {
		const { digestsOf } = compare(exported(1), compare(exported(2)).digestsOf(all));
		expect(skippedOf(exported(2), digestsOf(all))).toEqual(exported(1));
	});
});

it('sends at most 3 % of hundreds of thousands of customers of which 1 % changed', () => {
	const customers = exported(sizeOf(200_000));
	const digests = compare(customers).digestsOf(all);
	const isChanged = (i: number) => i % 100 === 37;
	const changed = customers.map((each, i) => (isChanged(i) ? { ...each, name: 'New' } : each));
	const skipped = skippedOf(changed, digests);
	expect(skipped.some(({ name }) => name === 'New')).toBe(false);
	expect(customers.length - skipped.length).toBeLessThanOrEqual(0.03 * customers.length);
	expect(digests.length).toBeLessThan(1_000_000);
});

it('a state that is damaged or of another version is none', () => {
	const digests = compare(exported(3)).digestsOf(all);
	const state = { version: 1, scope: 'a', run: 3, digests };
	expect(readSentState(state)).toEqual(state);
	const sources = { email: ['Mail', 'E-Mail'] };
	expect(readSentState({ ...state, sources: JSON.stringify(sources) })).toEqual({
		...state,
		sources,
	});
	const damaged = [
		...[undefined, null, 'x', [], {}, { ...state, version: 2 }, { ...state, run: -1 }],
		...[
			{ ...state, run: 1e300 },
			{ ...state, digests: digests.slice(7) },
			{ ...state, scope: 1 },
		],
	];
	for (const each of damaged) expect(readSentState(each)).toBeUndefined();
});
