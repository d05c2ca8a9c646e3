import range from 'lodash/range';
import { inAscii } from '../../core/phoneSpelling';

/** So many last digits tell a number, and so many in a row, wherever they stand; as its end, fewer do. */
const LAST_DIGITS = 7;
const IN_A_ROW = 6;
const MIN_END = 4;
const ENDS = [MIN_END, 5];
const MAX_END = 40;
/** A spreadsheet shows so few digits of a long number, or writes zeros in the place of the others. */
const ROUNDED = /\d[eE]\+?\d/;
const ZEROS = /0{4,}$/;

const endIn = (digits: string): string => `…${digits}`;
/** Whether a name is one of these. */
export const isLook = (name: string): boolean => /^…?\d+$/.test(name);

/**
 * What a text shows of the number in it, whatever signs or letters stand in the place of others: digits in a row, which may be too
 * many, too few, or rounded; or its end.
 */
export function looksIn(text: string): string[] {
	const typed = inAscii(text)
		.normalize('NFKC')
		.replace(/(?<=\d)[\s().,/+-]+(?=\d)/g, '');
	const isRounded = ROUNDED.test(text);
	return [
		...endsIn(typed),
		...(typed.match(/\d+/g) ?? []).flatMap((each) => {
			const run = each.replace(/^0+/, '');
			const kept = run.replace(ZEROS, '');
			// The last digit that is shown may be rounded up.
			const cut = isRounded || kept !== run ? [kept, String(Number(kept) - 1)] : [];
			const ends = range(LAST_DIGITS, run.length + 1, 1).map((to) =>
				run.slice(to - LAST_DIGITS, to),
			);
			return [...[run, ...cut].filter(({ length }) => length >= IN_A_ROW), ...ends.map(endIn)];
		}),
	];
}

/** The last few digits, where they are not a short number of their own: the others are hidden before them. */
function endsIn(typed: string): string[] {
	const [end = '', after = ''] = /(\d+)([\s).]*)$/.exec(typed.slice(-MAX_END))?.slice(1) ?? [];
	const before = typed.slice(0, typed.length - end.length - after.length);
	const isEnd = ENDS.includes(end.length) && (end.length > MIN_END || /[^\s(+-]/.test(before));
	return isEnd ? [endIn(end)] : [];
}

/** All that a text may show of a number. */
export function looksOf(number: string): string[] {
	const digits = number.slice(1);
	return [
		...[...ENDS, LAST_DIGITS].map((length) => endIn(digits.slice(-length))),
		...range(0, digits.length - IN_A_ROW + 1, 1).flatMap((from) =>
			range(from + IN_A_ROW, digits.length + 1).map((to) => digits.slice(from, to)),
		),
	];
}

/** All of it is hidden; other signs alone mean that there is none. */
const HIDDEN = /[*•●]{3}|xxx/i;

/** Whether a text that is meant as a number shows a part of one, and not enough to hold back whoever has it. */
export const showsTooLittle = (text: string): boolean =>
	(/\p{N}/u.test(text) || HIDDEN.test(text)) && looksIn(text).length === 0;
