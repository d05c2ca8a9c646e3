import fc from 'fast-check';
import type { Day } from '../../../../src/conversations/contacts/dailyCount';
import { changeCount, toDay } from '../../../../src/conversations/contacts/dailyCount';
import { fakeDedupeStore } from '../../../support/fakeRuntime';

const NOON = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 86_400_000;
const today = toDay(NOON, { zone: 'UTC', account: 'desk' });

/** Changes the count of a day, and returns the previous one. */
async function change(entries: Set<string>, by: number, day: Day = today) {
	const changed = await fakeDedupeStore(entries).alone(
		async (names) => await changeCount(names, day, () => by),
	);
	return changed.ok ? changed.value : undefined;
}

const read = async (entries: Set<string>, day = today) => await change(entries, 0, day);

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

it('begins anew each day, and leaves nothing of the days before, but for one that a clock may go back to', async () => {
	const entries = new Set<string>();
	const dayOf = (day: number) => toDay(NOON + day * DAY_MS, { zone: 'UTC', account: 'desk' });
	for (let day = 1; day < 14; day++) {
		expect(await change(entries, 1_000 + day, dayOf(day))).toBe(0);
		if (day > 1) expect(await read(entries, dayOf(day - 1))).toBe(999 + day);
		expect(await read(entries, dayOf(day))).toBe(1_000 + day);
		const kept = [dayOf(day), dayOf(day - 1)];
		expect([...entries].every((name) => kept.some((one) => name.startsWith(one.text)))).toBe(true);
	}
});
