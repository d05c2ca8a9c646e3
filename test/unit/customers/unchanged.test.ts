import fc from 'fast-check';
import { compareWithSent } from '../../../src/customers/unchanged';

interface Payload {
	readonly identifier: string;
	readonly name: string;
}

const scope = 'https://desk.example.com/api/v2 workspace-1';
const all = () => true;
const none = () => false;
const exported = (count: number): Payload[] =>
	Array.from({ length: count }, (_, i) => ({ identifier: `C-${i}`, name: `Name ${i}` }));
const json = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const skippedOf = (customers: readonly Payload[], saved: unknown, where = scope) => {
	const { isUnchanged } = compareWithSent(customers, { scope: where, saved });
	return customers.filter((_, index) => isUnchanged(index));
};

describe('customers that the service has already', () => {
	const customers = exported(20_000);
	const saved = json(compareWithSent(customers, { scope, saved: undefined }).after(all));

	it('are unchanged in the next run, in whatever order they come', () => {
		expect(skippedOf(customers, saved)).toHaveLength(20_000);
		expect(skippedOf([...customers].reverse(), saved)).toHaveLength(20_000);
	});

	it('are sent with the few of their bucket when one of them changed', () => {
		const changed = customers.with(77, { identifier: 'C-77', name: 'New' });
		const skipped = skippedOf(changed, saved);
		expect(skipped.map(({ identifier }) => identifier)).not.toContain('C-77');
		expect(skipped.length).toBeGreaterThan(20_000 - 25);
	});

	it('are sent again when the state is lost, damaged, of another scope or of another version', () => {
		const damaged = { ...saved, digests: saved.digests.slice(1) };
		for (const other of [undefined, null, 'x', {}, damaged, { ...saved, version: 2 }])
			expect(skippedOf(customers, other)).toHaveLength(0);
		expect(skippedOf(customers, saved, 'another workspace')).toHaveLength(0);
	});

	it('are remembered only where all of a bucket were accepted', () => {
		const comparison = compareWithSent(customers, { scope, saved: undefined });
		const skipped = skippedOf(
			customers,
			comparison.after((index) => index !== 77),
		);
		expect(skipped.map(({ identifier }) => identifier)).not.toContain('C-77');
		expect(skipped.length).toBeGreaterThan(20_000 - 25);
		expect(skippedOf(customers, comparison.after(none))).toHaveLength(0);
	});

	it('take under 64 kB, however many they are', () => {
		expect(JSON.stringify(saved).length).toBeLessThan(40_000);
	});

	it('tell two customers with one identifier from the same in another order', () => {
		const [first, second] = [
			{ identifier: 'A', name: '1' },
			{ identifier: 'A', name: '2' },
		];
		const { after } = compareWithSent([first, second], { scope, saved: undefined });
		expect(skippedOf([first, second], after(all))).toHaveLength(2);
		expect(skippedOf([second, first], after(all))).toHaveLength(0);
	});

	it('are forgotten by an empty export, which has nothing to send', () => {
		const { after } = compareWithSent([], { scope, saved });
		expect(after(all).digests.trim()).toBe('');
	});
});

const people = fc.uniqueArray(
	fc.record({
		identifier: fc.integer({ min: 0, max: 12 }).map((n) => `C-${n}`),
		name: fc.constantFrom('a', 'b'),
	}),
	{ selector: ({ identifier }) => identifier },
);
const fate = fc.constantFrom('accepted', 'accepted', 'rejected', 'unknown', 'arrived');
const oneRun = fc.record({
	customers: people,
	fates: fc.infiniteStream(fate),
	faultless: fc.boolean(),
	killedAfter: fc.option(fc.nat(12), { freq: 3 }),
	state: fc.constantFrom('kept', 'kept', 'kept', 'lost'),
});

it('never skips a customer that differs, over runs with faults, kills and lost state', () => {
	let skipped = 0;
	fc.assert(
		fc.property(fc.array(oneRun, { minLength: 2, maxLength: 12 }), (runs) => {
			const service = new Map<string, string>();
			let saved: unknown;
			for (const { customers, fates, faultless, killedAfter, state } of runs) {
				if (state === 'lost') saved = undefined;
				const comparison = compareWithSent(customers, { scope, saved });
				saved = json(comparison.before);
				const accepted = new Set<number>();
				const end = faultless ? undefined : killedAfter;
				for (const [index, { identifier, name }] of customers.entries()) {
					if (comparison.isUnchanged(index)) {
						skipped += 1;
						expect([identifier, service.get(identifier)]).toEqual([identifier, name]);
						continue;
					}
					if (end !== null && end !== undefined && index >= end) continue;
					const what = faultless ? 'accepted' : String(fates.next().value);
					if (what === 'accepted' || what === 'arrived') service.set(identifier, name);
					if (what === 'accepted') accepted.add(index);
				}
				if (end === null || end === undefined)
					saved = json(comparison.after((index) => accepted.has(index)));
				if (faultless)
					for (const { identifier, name } of customers) expect(service.get(identifier)).toBe(name);
			}
		}),
		{ numRuns: 200 },
	);
	expect(skipped).toBeGreaterThan(100);
});
