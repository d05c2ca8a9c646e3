import type { SkippedRow } from '../../core/failures';
import { readPhoneNumber } from '../../core/phoneNumber';
import { plural, sameText } from '../../core/text';
import { identityOf, personNumber } from './identity';
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
const MIN_DIGITS = 5;

const withoutExtension = (text: string): string =>
	/^[^\d+]*([^a-z;#]*)/i.exec(text.trim())?.[1] ?? '';

/** The digits in a text that someone typed or a spreadsheet changed: 4.155550101E9, 4155550101.0 and 415-555-O1O1 have those of a number. */
function digitsIn(text: string): string {
	const typed = text
		.normalize('NFKC')
		.replace(/(?<=[\d-])[oO]|[oO](?=\d)/g, '0')
		.replace(/(?<=[\d-])[lI]|[lI](?=\d)/g, '1');
	const [, whole = '', rest = '', power] = /^\s*(\d)\.?(\d*)e\+?(\d{1,2})\s*$/i.exec(typed) ?? [];
	if (power !== undefined)
		return rest.length < Number(power) - 2 ? '' : `${whole}${rest}`.padEnd(Number(power) + 1, '0');
	return typed
		.replace(/(?<=\d)\.0+\s*$/, '')
		.replace(/\D/g, '')
		.replace(/^0+/, '');
}

/** The people who must not be called, whichever row, channel or spelling says so. */
export interface Barred {
	/** Holds a mark for everyone its row may be for. */
	add(marked: Marked): void;
	/** Why someone must not be called, or undefined where no row says so. */
	reasonFor(planned: PlannedConversation): SkippedRow | undefined;
	/** What the user has to know of marked rows whose number cannot be read. */
	notes(): string[];
}

/** Makes a list of people who must not be called. */
export function createBarred(): Barred {
	const rowOf = new Map<string, number>();
	/** The ends of numbers that cannot be read, with the rows that they are in. */
	const ends = new Map<string, number>();
	/** All last digits that texts with more digits may have. */
	const parts = new Map<string, number>();
	let unreadableRows = 0;
	const alikeTo = ({ numbers }: PlannedConversation): number | undefined =>
		numbers
			.flatMap((number) => [
				parts.get(number.slice(-LAST_DIGITS)),
				...lengths.map((length) => ends.get(number.slice(-length))),
			])
			.find((row) => row !== undefined);
	function addText(text: string, row: number): void {
		const whole = readPhoneNumber(withoutExtension(text));
		if ('number' in whole) rowOf.set(`number:${personNumber(whole.number)}`, row);
		for (const digits of new Set([digitsIn(text), digitsIn(withoutExtension(text))]))
			if (digits.length <= NATIONAL_DIGITS) {
				if (digits.length >= MIN_DIGITS) ends.set(digits, row);
			} else if (!('number' in whole))
				for (let at = 0; at + LAST_DIGITS <= digits.length; at++)
					parts.set(digits.slice(at, at + LAST_DIGITS), row);
	}
	return {
		add: ({ planned, unreadable, row }) => {
			for (const key of keysOf(planned)) if (!rowOf.has(key)) rowOf.set(key, row);
			for (const text of unreadable) addText(text, row);
			if (unreadable.length > 0) unreadableRows += 1;
		},
		reasonFor: (planned) => {
			const row = keysOf(planned)
				.map((key) => rowOf.get(key))
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

const lengths = Array.from({ length: NATIONAL_DIGITS - MIN_DIGITS + 1 }, (_, i) => MIN_DIGITS + i);

const marked = (reason: string): SkippedRow => ({
	kind: 'skipped',
	message: `Not called, because ${reason}`,
	countedAs: 'marked Do Not Call',
});

/** All that tells who a conversation is for: each of its numbers, its person, or its content. */
function keysOf(planned: PlannedConversation): string[] {
	const { numbers, personId } = planned;
	const keys = numbers.map((number) => `number:${personNumber(number)}`);
	if (personId !== '') keys.push(`person:${sameText(personId)}`);
	return keys.length > 0 ? keys : [identityOf(planned)];
}
