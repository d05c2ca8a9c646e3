import fc from 'fast-check';
import type { CallRule, Person } from '../../../../src/conversations/contacts/personNames';
import {
	firstQuestion,
	keptNames,
	namesOf,
	secondQuestion,
	settledNames,
	standingOf,
} from '../../../../src/conversations/contacts/personNames';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ANA: Person = { key: 'ana', campaign: 'spring' };
const BO: Person = { key: 'bo', campaign: 'spring' };

const moment = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 0) });
const hoursBetween = fc.integer({ min: 1, max: 168 * 4 }).map((quarters) => quarters / 4);

const byHours = (hours: number): CallRule => ({ hours, maxAttempts: undefined });

/** What stays of a call at a moment: it has ended, or nobody knows. */
function callAt(ms: number, end: 'called' | 'calling', person = ANA, attempts?: number): string[] {
	const names = namesOf(person, { hours: 12, maxAttempts: attempts }, ms);
	return endedAs(end, keptNames(names, 1));
}

const endedAs = (end: 'called' | 'calling', kept: readonly string[]): string[] =>
	kept.filter((name) => end === 'calling' || !name.endsWith('?'));

/** How someone stands at a moment by what is stored. */
function standingAt(ms: number, stored: readonly string[], rule: CallRule, person = ANA) {
	const names = namesOf(person, rule, ms);
	const all = new Set(stored);
	const first = new Set(firstQuestion(names).filter((name) => all.has(name)));
	const second = secondQuestion(names, first).filter((name) => all.has(name));
	return standingOf(names, new Set([...first, ...second])).is;
}

describe('the hours between calls', () => {
	it.each(['called', 'calling'] as const)(
		'cover exactly the time after someone was %s, and at most 70 minutes more',
		(end) => {
			fc.assert(
				fc.property(
					moment,
					hoursBetween,
					fc.integer({ min: -HOUR_MS, max: 200 * HOUR_MS }),
					(calledMs, hours, passedMs) => {
						const found = standingAt(calledMs + passedMs, callAt(calledMs, end), byHours(hours));
						if (passedMs < hours * HOUR_MS) expect(found).toBe(end);
						if (passedMs >= hours * HOUR_MS + 70 * MINUTE_MS) expect(found).toBe('free');
						expect(['free', end]).toContain(found);
					},
				),
				{ numRuns: 1_000 },
			);
		},
	);

	it('hold at their very edges', () => {
		fc.assert(
			fc.property(moment, hoursBetween, (calledMs, hours) => {
				const stored = callAt(calledMs, 'called');
				const after = (ms: number) =>
					standingAt(calledMs + hours * HOUR_MS + ms, stored, byHours(hours));
				expect([after(-1), after(70 * MINUTE_MS)]).toEqual(['called', 'free']);
				// A request may leave ten minutes after its people were claimed.
				expect(after(9 * MINUTE_MS)).toBe('called');
			}),
		);
	});

	it('are off where they are 0', () => {
		fc.assert(
			fc.property(moment, (ms) => {
				expect(standingAt(ms, callAt(ms, 'calling'), byHours(0))).toBe('free');
			}),
		);
	});

	it('are of one person', () => {
		fc.assert(
			fc.property(moment, hoursBetween, (ms, hours) => {
				expect(standingAt(ms, callAt(ms, 'calling', BO), byHours(hours))).toBe('free');
			}),
		);
	});

	it('leave no one free who was called within them, and call no one called who was not', () => {
		const call = fc.tuple(
			fc.integer({ min: 0, max: 100 * 60 }),
			fc.constantFrom('called' as const, 'calling' as const),
		);
		fc.assert(
			fc.property(moment, fc.array(call, { maxLength: 5 }), hoursBetween, (nowMs, calls, hours) => {
				const ages = calls.map(([minutes, end]) => ({ ageMs: minutes * MINUTE_MS, end }));
				const stored = ages.flatMap(({ ageMs, end }) => callAt(nowMs - ageMs, end));
				const found = standingAt(nowMs, stored, byHours(hours));
				const within = ages.filter(({ ageMs }) => ageMs < hours * HOUR_MS);
				if (within.length > 0) expect(found).not.toBe('free');
				if (within.some(({ end }) => end === 'calling')) expect(found).toBe('calling');
				if (found === 'called') expect(ages.some(({ end }) => end === 'called')).toBe(true);
				if (ages.every(({ ageMs }) => ageMs >= hours * HOUR_MS + 70 * MINUTE_MS))
					expect(found).toBe('free');
			}),
			{ numRuns: 500 },
		);
	});

	it('ask for few names, however long they are', () => {
		fc.assert(
			fc.property(moment, hoursBetween, (ms, hours) => {
				const names = namesOf(ANA, byHours(hours), ms);
				const first = firstQuestion(names);
				expect(first.length).toBeLessThanOrEqual(hours / 6 + 7);
				expect(new Set(first).size).toBe(first.length);
				expect(secondQuestion(names, new Set())).toEqual([]);
				expect(callAt(ms, 'called')).toHaveLength(2);
			}),
		);
	});
});

describe('the attempts of a campaign', () => {
	const rule: CallRule = { hours: 0, maxAttempts: 3 };
	const attemptAt = (n: number, end: 'called' | 'calling'): string[] =>
		endedAs(end, keptNames(namesOf(ANA, rule, 0), n));

	it('go on with the next one, until there were so many', () => {
		const stored = [1, 2, 3].flatMap((n) => attemptAt(n, 'called'));
		const names = namesOf(ANA, rule, 0);
		const attempts = names.attempts.length;
		for (let made = 0; made < attempts; made++) {
			const present = new Set([1, 2, 3].slice(0, made).flatMap((n) => attemptAt(n, 'called')));
			expect(standingOf(names, present)).toEqual({ is: 'free', attempt: made + 1 });
		}
		expect(standingAt(Date.UTC(2030, 0), stored, rule)).toBe('calledOften');
	});

	it('wait for one that is open, however long ago it was', () => {
		fc.assert(
			fc.property(moment, fc.integer({ min: 1, max: 3 }), (ms, n) => {
				const before = [1, 2].slice(0, n - 1).flatMap((each) => attemptAt(each, 'called'));
				expect(standingAt(ms, [...before, ...attemptAt(n, 'calling')], rule)).toBe('calling');
			}),
		);
	});

	it('are of one campaign and one person, with the hours of all', () => {
		const now = Date.UTC(2026, 0, 15, 12);
		const stored = callAt(now, 'called', ANA, 3);
		const once: CallRule = { hours: 12, maxAttempts: 1 };
		const other = { ...ANA, campaign: 'autumn' };
		expect(standingAt(now + 14 * HOUR_MS, stored, once)).toBe('calledOften');
		expect(standingAt(now + 14 * HOUR_MS, stored, once, other)).toBe('free');
		expect(standingAt(now + HOUR_MS, stored, once, other)).toBe('called');
		expect(standingAt(now + HOUR_MS, stored, once, BO)).toBe('free');
		// A call without a campaign is known to one.
		const without = callAt(now, 'calling');
		expect(standingAt(now + HOUR_MS, without, once)).toBe('calling');
		expect(standingAt(now + 14 * HOUR_MS, without, once)).toBe('free');
	});
});

describe('someone who is settled', () => {
	const rule: CallRule = { hours: 12, maxAttempts: 3 };
	const settle = (stored: readonly string[], how: 'called' | 'notCalled', ms: number): string[] => {
		const gone = new Set(settledNames(namesOf(ANA, rule, ms), how, new Set(stored)));
		return stored.filter((name) => !gone.has(name));
	};

	it('is called, or free, at once and in the campaign', () => {
		fc.assert(
			fc.property(moment, fc.integer({ min: 0, max: 11 * 60 }), (ms, minutes) => {
				const stored = callAt(ms, 'calling', ANA, 3);
				const nowMs = ms + minutes * MINUTE_MS;
				expect(standingAt(nowMs, stored, rule)).toBe('calling');
				const called = settle(stored, 'called', nowMs);
				expect(standingAt(nowMs, called, rule)).toBe('called');
				expect(standingOf(namesOf(ANA, rule, nowMs + 30 * HOUR_MS), new Set(called))).toEqual({
					is: 'free',
					attempt: 2,
				});
				const free = settle(stored, 'notCalled', nowMs);
				for (const later of [0, 1, 6, 12, 13, 14])
					expect(standingAt(nowMs + later * HOUR_MS, free, rule)).toBe('free');
				expect(free.length).toBeLessThanOrEqual(1);
			}),
		);
	});

	it('keeps the attempts that were made before', () => {
		const { attempts, attemptOpen } = namesOf(ANA, rule, 0);
		const [first = '', second = ''] = attempts;
		const stored = [first, second, attemptOpen];
		expect(settle(stored, 'notCalled', 0)).toEqual([first]);
		expect(settle(stored, 'called', 0)).toEqual([first, second]);
	});
});
