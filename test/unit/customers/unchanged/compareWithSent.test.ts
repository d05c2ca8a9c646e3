import { compareWithSent, readSentState } from '../../../../src/customers/unchanged/unchangedGuard';
import { sizeOf } from '../../../support/propertyRuns.mjs';

interface Payload {
	readonly identifier: string;
	readonly name: string;
}

const all = () => true;
const exported = (count: number): Payload[] =>
	Array.from({ length: count }, (_, i) => ({ identifier: `C-${i}`, name: `Name ${i}` }));

/** What a comparison finds, in terms of the customers. */
const compare = (customers: readonly Payload[], digests?: string) => {
	const entries = customers.map((content, row) => ({ row, identity: content.identifier, content }));
	const { isUnchanged, joinDigests } = compareWithSent(entries, digests);
	return {
		skipped: entries.filter(isUnchanged).map(({ content }) => content),
		joinDigests: (isStored: (customer: Payload) => boolean) =>
			joinDigests(({ content }) => isStored(content)),
	};
};

describe('customers that the service has already', () => {
	const customers = exported(2_000);
	const digests = compare(customers).joinDigests(all);

	it('are sent again when the digests are lost or damaged', () => {
		for (const other of [undefined, '', digests.slice(1), ' '.repeat(digests.length)])
			expect(compare(customers, other).skipped).toHaveLength(0);
	});

	it.each([
		[{ City: 'Reno', tags: { b: 1, a: [2] } }, { tags: { a: [2], b: 1 }, City: 'Reno' }, 1],
		[{ City: 'Reno' }, { City: 'Oslo' }, 0],
		[{ since: new Date(1) }, { since: new Date(2) }, 0],
		[[], {}, 0],
		[[['b', 1]], { b: 1 }, 0],
	])('with the metadata %j and then %j: %d is unchanged', (metadata, later, count) => {
		const customer = { identifier: 'A', name: 'Ana' };
		const sent = compare([{ ...customer, metadata } as Payload]).joinDigests(all);
		expect(compare([{ ...customer, metadata: later } as Payload], sent).skipped).toHaveLength(
			count,
		);
	});

	it('are sent where two rows of one customer changed places', () => {
		const rows = ['1', '2'].map((name) => ({ identifier: 'A', name }));
		const kept = compare(rows).joinDigests(all);
		expect(compare(rows, kept).skipped).toHaveLength(2);
		expect(compare([...rows].reverse(), kept).skipped).toHaveLength(0);
	});
});

it('sends those of hundreds of thousands of customers that changed, and keeps 8 bytes of each', () => {
	const customers = exported(sizeOf(200_000));
	const digests = compare(customers).joinDigests(all);
	const changed = customers.map((each, i) => (i % 100 === 37 ? { ...each, name: 'New' } : each));
	expect(compare(changed, digests).skipped).toEqual(changed.filter(({ name }) => name !== 'New'));
	expect(digests).toHaveLength(8 * customers.length);
});

it.each([{ version: 2 }, { run: -1 }, { scope: 1 }, { digests: 5 }])(
	'a state with %j is none, because it is damaged or of another version',
	(damage) => {
		const state = { version: 1, scope: 'a', run: 3, digests: '' };
		expect(readSentState(state)).toEqual(state);
		expect(readSentState({ ...state, ...damage })).toBeUndefined();
	},
);
