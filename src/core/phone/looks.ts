import range from 'lodash/range';
import { inAscii } from '../phoneSpelling';

/** So many last digits tell a number, with its area where that is written as well. */
const LAST_DIGITS = 7;
const NATIONAL_DIGITS = 10;
/** Before so many of them, Italy has a zero and Brazil a nine that not everyone writes. */
const LAST_OF_LOOSE = 8;
const LOOSE = /^\+(39|55)/;
/** So many in a row do, wherever they stand; as its end, fewer do. */
const IN_A_ROW = 6;
const MIN_END = 4;
const ENDS = [MIN_END, 5];
/** Longer texts show no more: each of their digits would be remembered in later rounds. */
const MAX_LENGTH = 1_000;
/** A spreadsheet shows so few digits of a long number, or writes zeros in the place of the others. */
const ROUNDED = /\d[eE]\+?\d/;
const ZEROS = /0{4,}$/;

const endIn = (digits: string): string => `…${digits}`;
const looseEndIn = (digits: string): string => `~${digits.slice(-LAST_OF_LOOSE)}`;

/** Whether a name is one of these. */
export const isLook = (name: string): boolean => /^[…~]?\d+$/.test(name);

/**
 * What a text shows of the number in it, whatever signs or letters stand in the place of others: digits in a row, which may be too
 * many, too few, or rounded; or its end.
 */
export function looksIn(text: string): string[] {
	const typed = inAscii(text.slice(0, MAX_LENGTH))
		.normalize('NFKC')
		// As links write them.
		.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
		.replace(/(?<=\d)[\s().,/+-]+(?=\d)/g, '');
	const isRounded = ROUNDED.test(text);
	const runs = (typed.match(/\d+/g) ?? []).map((run) => run.replace(/^0+/, ''));
	const isLong = runs.some(({ length }) => length >= LAST_DIGITS);
	return [
		...(isLong ? [] : endsIn(typed)),
		...runs.flatMap((run) => {
			const kept = run.replace(ZEROS, '');
			// The last digit that is shown may be rounded up.
			const cut = isRounded || kept !== run ? [kept, String(Number(kept) - 1)] : [];
			const isWhole = run.length >= NATIONAL_DIGITS;
			const length = isWhole ? NATIONAL_DIGITS : LAST_DIGITS;
			const ends = range(length, run.length + 1, 1).map((to) => endIn(run.slice(to - length, to)));
			const loose = isWhole ? [looseEndIn(run)] : [];
			return [...[run, ...cut].filter((shown) => shown.length >= IN_A_ROW), ...ends, ...loose];
		}),
	];
}

/** The last few digits of a text, if others are hidden before them. */
function endsIn(typed: string): string[] {
	const found = /(\d+)[\s).]*$/.exec(typed);
	const [, end = ''] = found ?? [];
	const before = typed.slice(0, found?.index);
	const isEnd = ENDS.includes(end.length) && (end.length > MIN_END || /[^\s(+-]/.test(before));
	return isEnd ? [endIn(end)] : [];
}

/** All that a text may show of a number. */
export const looksOf = (number: string): string[] => [
	...[...ENDS, LAST_DIGITS, NATIONAL_DIGITS].map((length) => endIn(number.slice(-length))),
	...(LOOSE.test(number) ? [looseEndIn(number)] : []),
	...range(0, number.length - IN_A_ROW + 1, 1).flatMap((from) =>
		range(from + IN_A_ROW, number.length + 1).map((to) => number.slice(from, to)),
	),
];

/** All of it is hidden; other signs alone mean that there is none. */
const HIDDEN = /[*•●]{3}|xxx/i;

/** Whether a text that is meant as a number shows a part of one, and not enough to hold back whoever has it. A rounded one may be anyone's. */
export const showsTooLittle = (text: string): boolean =>
	(/\p{N}/u.test(text) || HIDDEN.test(text)) && !ROUNDED.test(text) && looksIn(text).length === 0;
