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

describe('someone who is settled', () => {
	const rule: CallRule = { hours: 12, maxAttempts: 3 };
	const settle = (stored: readonly string[], how: 'called' | 'notCalled', ms: number): string[] => {
		const gone = new Set(settledNames(namesOf(ANA, rule, ms), how, new Set(stored)));
		return stored.filter((name) => !gone.has(name));
	};

	it('keeps the attempts that were made before', () => {
		const { attempts, attemptOpen } = namesOf(ANA, rule, 0);
		const [first = '', second = ''] = attempts;
		const stored = [first, second, attemptOpen];
		expect(settle(stored, 'notCalled', 0)).toEqual([first]);
		expect(settle(stored, 'called', 0)).toEqual([first, second]);
	});
});
