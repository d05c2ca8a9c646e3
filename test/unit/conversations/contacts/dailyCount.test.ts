import fc from 'fast-check';
import type { Day } from '../../../../src/conversations/contacts/dailyCount';
import { changeCount, findDay } from '../../../../src/conversations/contacts/dailyCount';
import type { Cut } from '../../../support/cutStore';
import { cutStore } from '../../../support/cutStore';
import { fakeDedupeStore } from '../../../support/fakeRuntime';

const NOON = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 86_400_000;
const today = findDay(NOON, { zone: 'UTC', account: 'desk' });

/** Changes the count of a day; says what it was, or undefined where the change was cut off. */
async function change(
	entries: Set<string>,
	by: number,
	{ cut, day = today }: { readonly cut?: Cut | undefined; readonly day?: Day } = {},
) {
	const store = fakeDedupeStore(entries);
	const changed = await (cut ? cutStore(store, cut) : store).alone(
		async (names) => await changeCount(names, day, () => by),
	);
	return changed.ok ? changed.value : undefined;
}

const read = async (entries: Set<string>, day = today) => await change(entries, 0, { day });

it('counts what is added and given back, and never below nothing', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: -300, max: 300 }), { maxLength: 12 }),
			async (all) => {
				const entries = new Set<string>();
				let count = 0;
				for (const by of all) {
					expect(await change(entries, by)).toBe(count);
					count = Math.max(0, count + by);
				}
				expect(await read(entries)).toBe(count);
				expect(entries.size).toBeLessThanOrEqual(40);
			},
		),
	);
});

it('is never too low, wherever changes were cut off', async () => {
	const step = fc.record({
		by: fc.integer({ min: -40, max: 100 }),
		cut: fc.option(fc.record({ at: fc.integer({ min: 1, max: 5 }), isDone: fc.boolean() }), {
			nil: undefined,
		}),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
			const entries = new Set<string>();
			let called = 0;
			let most = 0;
			let cuts = 0;
			for (const { by: wanted, cut } of steps) {
				// No more is given back than was called.
				const by = Math.max(-called, wanted);
				const found = await change(entries, by, { cut });
				if (found !== undefined) expect(found).toBeGreaterThanOrEqual(called);
				// Where a claim was cut off, no one is called; what was given back was not called either.
				if (by < 0 || found !== undefined) called += by;
				most += Math.max(0, by);
				if (found === undefined) cuts += 1;
				const now = await read(new Set(entries));
				expect(now).toBeGreaterThanOrEqual(called);
				if (cuts < 2) expect(now).toBeLessThanOrEqual(2 * most);
			}
		}),
		{ numRuns: 500 },
	);
});

it('begins anew each day, and leaves nothing of the days before, but for one that a clock may go back to', async () => {
	const entries = new Set<string>();
	const dayOf = (day: number) => findDay(NOON + day * DAY_MS, { zone: 'UTC', account: 'desk' });
	for (let day = 1; day < 14; day++) {
		expect(await change(entries, 1_000 + day, { day: dayOf(day) })).toBe(0);
		if (day > 1) expect(await read(entries, dayOf(day - 1))).toBe(999 + day);
		expect(await read(entries, dayOf(day))).toBe(1_000 + day);
		const kept = [dayOf(day), dayOf(day - 1)];
		expect([...entries].every((name) => kept.some((one) => name.startsWith(one.text)))).toBe(true);
	}
});
