import type { NotAccepted } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import { readPhoneNumber } from '../../core/phoneNumber';
import { roundedDigits } from '../../core/phoneSpelling';
import { plural } from '../../core/text';
import { keysOf, numberKey, ownKeys } from './identity';
import type { PlannedConversation } from './readRows';

/** Whom rows that are marked are for, as far as that can be read. */
export interface Marked {
	readonly planned: PlannedConversation;
	/** Texts with numbers that cannot be read, as they were entered. */
	readonly unreadable: readonly string[];
	/** The row, counted from 1. */
	readonly row: number;
}

/** So many last digits tell a number, whatever stands around them; up to so many are a number without its country code. */
const LAST_DIGITS = 7;
const NATIONAL_DIGITS = 10;
const MIN_DIGITS = 4;
/** Shorter texts are no end of a number, unless the rest is masked. */
const MIN_UNMASKED = 5;
const MAX_TEXT = 40;
const MASKED = /[*•●xX?_]{2,}\D*(\d{4,})\D*$/;
const DIALED_BY_LETTER = '22233344455566677778889999';

const withoutExtension = (text: string): string =>
	/^[^\d+]*([^a-z;#]*)/i.exec(text.trim())?.[1] ?? '';

/** The digits in a text that someone typed or a spreadsheet changed: 4.155550101E9, 4155550101.0 and 415-555-O1O1 have those of a number. */
function digitsIn(text: string): string {
	const typed = text
		.normalize('NFKC')
		.replace(/(?<=[\d-])[oO]|[oO](?=\d)/g, '0')
		.replace(/(?<=[\d-])[lLI]|[lLI](?=\d)/g, '1')
		.replace(/(?<=\d\W*)[A-Z]{3,}(?=\W*\d|\W*$)/g, (word) =>
			word.replace(/./g, (letter) => DIALED_BY_LETTER.charAt(letter.charCodeAt(0) - 65)),
		);
	return (
		roundedDigits(typed.trim()) ??
		typed
			.replace(/(?<=\d)\.0+\s*$/, '')
			.replace(/\D/g, '')
			.replace(/^0+/, '')
	);
}

/** The people who must not be called, whichever row, channel or spelling says so. */
export interface Barred {
	/** Holds a mark for everyone its row may be for. */
	add(marked: Marked): void;
	/** Learns from a row who is the same person: a mark holds for all numbers that rows with a Person ID have. */
	link(planned: PlannedConversation): void;
	/** What becomes of someone who must not be called, or undefined where no row says so; asked when all rows are known. */
	outcomeFor(planned: PlannedConversation): NotAccepted | undefined;
	/** What the user has to know of marked rows whose number cannot be read. */
	notes(): string[];
}

/** Makes a list of people who must not be called. */
export function createBarred(): Barred {
	const rowOf = new Map<string, number>();
	const people = createPeople();
	let rowOfPerson: ReadonlyMap<string, number> | undefined;
	/** The ends of numbers that cannot be read, with the rows that they are in. */
	const ends = new Map<string, number>();
	/** All last digits that texts with more digits may have. */
	const parts = new Map<string, number>();
	let unreadableRows = 0;
	const alikeTo = ({ numbers }: PlannedConversation): number | undefined =>
		(unreadableRows === 0 ? [] : numbers)
			.flatMap((number) => [
				parts.get(number.slice(-LAST_DIGITS)),
				...endsOf(number).map((end) => ends.get(end)),
			])
			.find((row) => row !== undefined);
	function addText(text: string, row: number): void {
		const whole = readPhoneNumber(withoutExtension(text));
		if ('number' in whole) rowOf.set(numberKey(whole.number), row);
		const shown = MASKED.exec(text.slice(-MAX_TEXT))?.[1];
		if (shown !== undefined) ends.set(shown.slice(-NATIONAL_DIGITS), row);
		for (const digits of new Set([digitsIn(text), digitsIn(withoutExtension(text))]))
			if (digits.length <= NATIONAL_DIGITS || digits.includes('.')) {
				for (const end of rounded(digits))
					if (end.replaceAll('.', '').length >= MIN_UNMASKED) ends.set(end, row);
			} else if (!('number' in whole))
				for (let at = 0; at + LAST_DIGITS <= digits.length; at++)
					parts.set(digits.slice(at, at + LAST_DIGITS), row);
	}
	return {
		link: (planned) => {
			const [first = '', ...others] = ownKeys(planned);
			for (const key of others) people.join(first, key);
		},
		add: ({ planned, unreadable, row }) => {
			for (const key of keysOf(planned)) if (!rowOf.has(key)) rowOf.set(key, row);
			for (const text of unreadable) addText(text, row);
			if (unreadable.length > 0) unreadableRows += 1;
		},
		outcomeFor: (planned) => {
			// The first row of a person is named.
			rowOfPerson ??= new Map([...rowOf].reverse().map(([key, row]) => [people.of(key), row]));
			const rows = rowOfPerson;
			const row = keysOf(planned)
				.map((key) => rows.get(people.of(key)))
				.find((each) => each !== undefined);
			if (row !== undefined) return marked(`row ${row} of the same person is marked do not call`);
			const alike = alikeTo(planned);
			return alike === undefined
				? undefined
				: marked(
						`row ${alike} is marked do not call, and its number cannot be read but ends like this one`,
					);
		},
		notes: () =>
			unreadableRows === 0
				? []
				: [
						`${plural(unreadableRows, 'row')} marked do not call ${unreadableRows === 1 ? 'has' : 'have'} no number that can be read. Anyone whose last digits are the same is left out. Correct it in the sheet`,
					],
	};
}

/** Digits that a spreadsheet cut after the first ones: the last may be rounded up. */
function rounded(digits: string): string[] {
	const shown = digits.replaceAll('.', '');
	if (shown === digits) return [digits];
	const lower = String(Number(shown) - 1);
	return shown.length < MIN_SHOWN ? [] : [digits, lower.padEnd(digits.length, '.')];
}

const MIN_SHOWN = 6;
/** What a spreadsheet has left out of a number that it shows as 4.16E+9. */
const MAX_ROUNDED = 9;

/** All that a text with the end of a number may have: its last digits, those without the very last, and those whose end is rounded away. */
function endsOf(number: string): string[] {
	const digits = number.slice(1);
	const lasts = range(MIN_DIGITS, NATIONAL_DIGITS).map((length) => digits.slice(-length));
	const cut = range(LAST_DIGITS, digits.length - 1).map((length) => digits.slice(-length - 1, -1));
	const away = range(NATIONAL_DIGITS - 1, digits.length).flatMap((length) =>
		range(1, MAX_ROUNDED).map((gone) => digits.slice(-length, -gone).padEnd(length, '.')),
	);
	return [...lasts, ...cut, ...away];
}

const range = (from: number, to: number): number[] =>
	Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

/** The outcome of someone who must not be called because of a mark. */
export const marked = (reason: string): NotAccepted =>
	leftOut(`Not called, because ${reason}`, MARKED_AS);

/** What such people are counted as. */
export const MARKED_AS = 'marked Do Not Call';

/** Who is the same person, by all keys that rows have together. */
function createPeople() {
	const parents = new Map<string, string>();
	function of(key: string): string {
		let person = key;
		for (let next = parents.get(person); next !== undefined; next = parents.get(person)) {
			const above = parents.get(next);
			// Shortens the way for whoever asks next.
			if (above !== undefined) parents.set(person, above);
			person = next;
		}
		return person;
	}
	return {
		of,
		join: (first: string, other: string): void => {
			const [person, same] = [of(first), of(other)];
			if (person !== same) parents.set(same, person);
		},
	};
}
