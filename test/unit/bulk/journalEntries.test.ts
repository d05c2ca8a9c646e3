import {
	changeMark,
	entriesOf,
	freeNumber,
	halfHoursOf,
	hasOthers,
	leftBehindOf,
	registerOf,
	siblingsOf,
} from '../../../src/bulk/journalEntries';

const HALF_HOUR = 1_800_000;
const now = Date.UTC(2026, 0, 15, 12);

describe('the entries of a person', () => {
	it('are found for an hour at least and an hour and a half at most', () => {
		const { sent, done } = entriesOf('anna', now, false);
		for (const late of [0, HALF_HOUR, 2 * HALF_HOUR]) {
			const { sentForms, doneForms } = entriesOf('anna', now + late, false);
			expect([sentForms.includes(sent), doneForms.includes(done)]).toEqual([true, true]);
		}
		const { sentForms, doneForms } = entriesOf('anna', now + 3 * HALF_HOUR, false);
		expect([sentForms.includes(sent), doneForms.includes(done)]).toEqual([false, false]);
	});

	it('are found for ever where the journal is kept, and have no marks', () => {
		const { sent, done, marks } = entriesOf('anna', now, true);
		const later = entriesOf('anna', now + 1_000 * HALF_HOUR, true);
		expect([later.sentForms, later.doneForms, marks]).toEqual([[sent], [done], []]);
	});

	it('are all different, and those of no one else', () => {
		const all = ['anna', 'ben'].flatMap((key) => {
			const { sentForms, doneForms, marks } = entriesOf(key, now, false);
			return [...sentForms, ...doneForms, ...marks, ...siblingsOf('11', key, now)];
		});
		expect(new Set(all).size).toBe(all.length);
		expect(all.every((entry) => entry !== '')).toBe(true);
	});
});

describe('the mark of a person', () => {
	const { marks } = entriesOf('anna', now, false);

	it('is another one each time, and leaves the one before', () => {
		let present = new Set<string>();
		const seen: string[] = [];
		for (let i = 0; i < marks.length; i++) {
			const { add, remove } = changeMark(marks, present);
			expect([...present]).toEqual(remove);
			seen.push(add);
			present = new Set([add]);
		}
		expect(seen).toEqual(marks);
		expect(changeMark(marks, present)).toEqual({ add: marks[0], remove: [marks[3]] });
	});

	it('leaves all others where there are several', () => {
		const [first = '', second = '', third = ''] = marks;
		expect(changeMark(marks, new Set([first, third]))).toEqual({
			add: second,
			remove: [first, third],
		});
	});
});

describe('the register of runs', () => {
	const register = registerOf(now);
	const first = (number: number) => register[number]?.[0] ?? '';

	it('has a name for each run, by the half hour', () => {
		expect(register).toHaveLength(256);
		const names = register.flat();
		expect(new Set(names).size).toBe(names.length);
		expect(registerOf(now + 1)).toBe(register);
		expect(registerOf(now + HALF_HOUR)[7]).toContain(first(7));
		expect(registerOf(now + 3 * HALF_HOUR)[7]).not.toContain(first(7));
	});

	it('gives the lowest number that no run has, or none', () => {
		expect(freeNumber(now, new Set())).toBe(0);
		expect(freeNumber(now, new Set([first(0), first(2)]))).toBe(1);
		expect(freeNumber(now + HALF_HOUR, new Set([first(0)]))).toBe(1);
		const full = new Set(register.map(([name = '']) => name));
		expect(freeNumber(now, full)).toBeUndefined();
	});

	it('knows whether others are in progress', () => {
		expect(hasOthers(now, 0, new Set([first(0)]))).toBe(false);
		expect(hasOthers(now, 0, new Set([first(1)]))).toBe(true);
		expect(hasOthers(now, undefined, new Set([first(0)]))).toBe(true);
		expect(hasOthers(now, 1, new Set())).toBe(false);
	});
});

it('names the half hours of what was written and of what was left behind apart', () => {
	const names = [...halfHoursOf(now), ...leftBehindOf(now)];
	expect(new Set(names).size).toBe(6);
	expect(halfHoursOf(now + HALF_HOUR).slice(1)).toEqual(halfHoursOf(now).slice(0, 2));
	expect(leftBehindOf(now + HALF_HOUR).slice(1)).toEqual(leftBehindOf(now).slice(0, 2));
});
