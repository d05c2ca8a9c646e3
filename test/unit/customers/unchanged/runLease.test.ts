import { createRunLease } from '../../../../src/customers/unchanged/runLease';
import { fakeDedupeStore } from '../../../support/fakeRuntime';

const MINUTE = 60_000;
const always = () => true;

/** A node with a clock, whose runs begin after the one whose number was saved. */
function node() {
	const clock = { ms: Date.UTC(2026, 0, 15) };
	const entries = new Set<string>();
	const dedupeStore = fakeDedupeStore(entries);
	return {
		clock,
		entries,
		runAfter: (last: number) =>
			createRunLease({ dedupeStore, now: () => clock.ms }, { last, timeoutMs: 120_000 }),
	};
}

/** Runs once to its end; gives the number that is saved. */
async function runOnce({ runAfter }: ReturnType<typeof node>, last = 0): Promise<number> {
	const lease = runAfter(last);
	await lease.begin(always);
	expect(await lease.end()).toBe(true);
	return lease.number();
}

describe('a run that ended well', () => {
	it('is the latest until another one sends', async () => {
		const one = node();
		const last = await runOnce(one);
		const looking = one.runAfter(last);
		expect(await looking.begin(() => false)).toMatchObject({
			value: { isAlone: true, isLatest: true },
		});
		expect(await looking.end()).toBe(true);
		expect(await one.runAfter(last).begin(always)).toMatchObject({ value: { isLatest: true } });
		one.clock.ms += 1440 * MINUTE;
		expect(await one.runAfter(last).begin(always)).toMatchObject({
			value: { isAlone: true, isLatest: false },
		});
	});

	it('leaves one entry, however many there were', async () => {
		const one = node();
		let last = 0;
		for (let i = 0; i < 300; i++) last = await runOnce(one, last);
		expect([last, one.entries.size]).toEqual([300, 1]);
	});

	it('is not the latest after one that was killed, nor are runs soon after that', async () => {
		const one = node();
		const last = await runOnce(one);
		await one.runAfter(last).begin(always);
		one.clock.ms += 20 * MINUTE;
		const soon = one.runAfter(last);
		expect(await soon.begin(always)).toMatchObject({ value: { isAlone: false, isLatest: false } });
		expect(await soon.end()).toBe(false);
		one.clock.ms += 60 * MINUTE;
		const later = one.runAfter(last);
		expect(await later.begin(always)).toMatchObject({ value: { isAlone: true, isLatest: false } });
		expect(await later.end()).toBe(true);
		expect(await one.runAfter(later.number()).begin(always)).toMatchObject({
			value: { isLatest: true },
		});
	});

	it('is not the latest when its execution ends after that of a later run', async () => {
		const one = node();
		const last = await runOnce(one);
		// Both load what was saved before, and the first saves last.
		const first = await runOnce(one, last);
		const second = await runOnce(one, last);
		expect(await one.runAfter(first).begin(always)).toMatchObject({ value: { isLatest: false } });
		expect(second).toBeGreaterThan(first);
	});
});

describe('runs that overlap', () => {
	it('are both not the latest, whichever ends first', async () => {
		for (const isFirst of [true, false]) {
			const one = node();
			const last = await runOnce(one);
			const [first, second] = [one.runAfter(last), one.runAfter(last)];
			expect(await first.begin(always)).toMatchObject({ value: { isAlone: true, isLatest: true } });
			expect(await second.begin(always)).toMatchObject({
				value: { isAlone: false, isLatest: false },
			});
			for (const each of isFirst ? [first, second] : [second, first])
				expect(await each.end()).toBe(false);
			for (const { number } of [first, second]) {
				one.clock.ms += 1440 * MINUTE;
				expect(await one.runAfter(number()).begin(() => false)).toMatchObject({
					value: { isLatest: false },
				});
			}
		}
	});

	it('know each other while the first goes on for hours', async () => {
		const one = node();
		const long = one.runAfter(0);
		await long.begin(always);
		for (let i = 0; i < 12; i++) {
			one.clock.ms += 15 * MINUTE;
			await long.renew();
		}
		expect(await one.runAfter(0).begin(always)).toMatchObject({ value: { isAlone: false } });
		expect(await long.end()).toBe(false);
	});

	it('are not the latest where one was silent for longer than a request takes', async () => {
		const one = node();
		const silent = one.runAfter(0);
		await silent.begin(always);
		one.clock.ms += 120 * MINUTE;
		const later = await runOnce(one);
		await silent.renew();
		expect(await silent.end()).toBe(false);
		one.clock.ms += 1440 * MINUTE;
		expect(await one.runAfter(later).begin(always)).toMatchObject({ value: { isLatest: false } });
	});
});

it('is not valid beside one whose number it could not know: its own state was lost', async () => {
	const one = node();
	const lost = one.runAfter(0);
	await lost.begin(always);
	const other = one.runAfter(2);
	expect(await other.begin(always)).toMatchObject({ value: { isAlone: false } });
	expect([await other.end(), await lost.end()]).toEqual([false, false]);
});
