import fc from 'fast-check';
import {
	listChanges,
	packChanges,
	seenChangesOf,
	unpackChanges,
} from '../../../../src/tickets/trigger/seenChanges';

const key = fc.record({
	atMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.maxSafeNat()),
	number: fc.oneof(
		fc.integer({ min: -50, max: 50 }),
		fc.integer({ min: -(2 ** 31), max: 2 ** 48 }),
	),
});

it('unpacks what it packed', () => {
	fc.assert(
		fc.property(fc.array(key, { maxLength: 60 }), (keys) => {
			const unpacked = unpackChanges(packChanges(keys));
			expect(unpacked && listChanges(unpacked)).toEqual(listChanges(seenChangesOf(keys)));
		}),
	);
});

it.each(['A', '?', 'gg', 'ghg', 'AAAA'])('takes %s for no packed changes', (text) => {
	expect(unpackChanges(text)).toBeUndefined();
});
