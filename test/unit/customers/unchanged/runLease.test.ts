import fc from 'fast-check';
import type { RunLease } from '../../../../src/customers/unchanged/runLease';
import { createRunLease } from '../../../../src/customers/unchanged/runLease';
import { cutStore } from '../../../support/cutStore';
import { fakeDedupeStore } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

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
});

it.each([10, 15, 30])('recovers from a crash, though runs follow every %d min', async (minutes) => {
	const one = node();
	await one.runAfter(0).begin(always);
	let [last, found]: [number, unknown] = [0, undefined];
	for (let runs = 0; runs < 8; runs += 1) {
		one.clock.ms += minutes * MINUTE;
		const lease = one.runAfter(last);
		found = await lease.begin(always);
		await lease.end();
		last = lease.number();
	}
	expect(found).toMatchObject({ value: { isAlone: true, isLatest: true } });
});

it.each([0, 1, 2, 3, 4])('sees the one of five runs that is still sending: %d', async (left) => {
	const one = node();
	const runs = [0, 1, 2, 3, 4].map(() => one.runAfter(0));
	for (const run of runs) await run.begin(always);
	for (const run of runs) if (run !== runs[left]) await run.end();
	expect(await one.runAfter(0).begin(always)).toMatchObject({ value: { isAlone: false } });
});

it('takes no run for the latest after which another one sent, wherever runs are cut off', async () => {
	const step = fc.record({
		// Which run does something, and what: one that has ended begins anew.
		run: fc.constantFrom(0, 0, 0, 1, 1, 2),
		does: fc.constantFrom('begin', 'begin', 'look', 'end', 'end', 'end', 'renew'),
		save: fc.constantFrom(true, true, false),
		cutAt: fc.oneof({ weight: 9, arbitrary: fc.constant(9) }, fc.integer({ min: 1, max: 3 })),
		isDone: fc.boolean(),
		share: fc.constantFrom(0, 0.3, 0.999),
		minutes: fc.constantFrom(0, 0, 5, 15, 1440, 1440),
	});
	let [latest, histories] = [0, 0];
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
			histories += 1;
			const clock = { ms: Date.UTC(2026, 0, 15) };
			const entries = new Set<string>();
			/** How many runs have begun to send, and which of them saved its number; -1 where that counts for nothing. */
			let begun = 0;
			let saved = { last: 0, at: -1 };
			const runs: Array<{ lease: RunLease; at: number } | undefined> = [];
			for (const { run, does, save, cutAt, isDone, share, minutes } of steps) {
				clock.ms += minutes * MINUTE;
				const cut = { at: cutAt, isDone, share };
				const dedupeStore = cutStore(fakeDedupeStore(entries), cut);
				const open = runs[run];
				if (!open && (does === 'begin' || does === 'look')) {
					const context = { dedupeStore, now: () => clock.ms };
					const lease = createRunLease(context, { last: saved.last, timeoutMs: 120_000 });
					const found = await lease.begin(() => does === 'begin');
					// What is saved after a run that is not valid holds nothing to skip.
					if (found.ok && found.value.isLatest && saved.at >= 0) {
						latest += 1;
						expect(saved.at).toBe(begun);
					}
					if (does === 'begin' && found.ok) runs[run] = { lease, at: ++begun };
				} else if (open && does === 'renew') await open.lease.renew();
				else if (open && does === 'end') {
					const isValid = await open.lease.end();
					if (save) saved = { last: open.lease.number(), at: isValid ? open.at : -1 };
					runs[run] = undefined;
				}
			}
		}),
		propertyRuns(1_500),
	);
	// A few histories alone may have next to none.
	expect(latest).toBeGreaterThan(0.2 * (histories - 50));
}, 300_000);
