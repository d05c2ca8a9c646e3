import { DIRECTION, REVERSAL, trimInvisible, visible } from './text';

/** Why a value is not read as a phone number: a short text to group rows by, and the whole one for its reader. */
export interface PhoneProblem {
	readonly reason: string;
	readonly problem: string;
}

/** The digits of a number, with the + where it has one. */
export interface Spelling {
	readonly digits: string;
	/** The digits without a (0), where there is one after other digits. */
	readonly withoutZero?: string;
}

const MAX_LENGTH = 100;
const EXAMPLE = '+14155550178';

/** Says what is wrong with a value and what to do. */
export function problemWith(value: unknown, reason: string, fix: string): PhoneProblem {
	const text = String(value).trim();
	const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text;
	return { reason, problem: `"${shown}" ${reason}. ${fix}` };
}

const EMPTY: PhoneProblem = {
	reason: 'is empty',
	problem: `is empty. Enter a number with its country code, e.g. ${EXAMPLE}`,
};

const NO_TEXT: PhoneProblem = {
	reason: 'is not text',
	problem: `must be a phone number as text, e.g. ${EXAMPLE}`,
};

const ONE_NUMBER = `Enter one number, e.g. ${EXAMPLE}`;
const AS_TEXT = 'Format the column as text and enter the number again';

/** A number that a spreadsheet shows with a power of ten. */
const POWER = /^[+-]?(\d+)(?:[.,](\d*))?e[+-]?(\d+)$/i;

/** What a text must not contain, with the reason and what to do; the first that fits counts. */
const REFUSED: ReadonlyArray<readonly [RegExp, string, string]> = [
	[POWER, 'was rounded by the spreadsheet', AS_TEXT],
	[/^[+-]?\d{5,}[.,]\d{1,2}$/, 'has decimal places', AS_TEXT],
	[
		/^((0?[1-9]|[12]\d|3[01])[./-](0?[1-9]|[12]\d|3[01])[./-](\d{2}|\d{4})|\d{4}[./-]\d{1,2}[./-]\d{1,2})$/,
		'is a date',
		ONE_NUMBER,
	],
	[/^[^\n]*[\r\n\v\f\t\u0085\u2028\u2029]/, 'contains more than one line or cell', ONE_NUMBER],
	[
		/\d\D*(ext|x|#|durchwahl|dw|anexo|доб|ramal|int|poste|app|~)[^\d\p{L}]*\d+#?\)?$|\d#$|,,/iu,
		'has an extension, which cannot be dialed',
		'Remove it',
	],
	[
		/\d\s*(;|,|\||&|\bor\b|\band\b|\boder\b|\bund\b|\bou\b|\bet\b|\bo\b|\by\b)\s*[+(\d]/i,
		'contains more than one number',
		ONE_NUMBER,
	],
	[/[+\d].*\+/, 'contains more than one number', ONE_NUMBER],
	[/\d(\s+[-\u2010-\u2015]\s+|\s{2,})0\d/, 'contains more than one number', ONE_NUMBER],
	[/^[^+\d([]/, 'contains letters or other characters', `Enter it like ${EXAMPLE}`],
	[
		/[^+\d\s().[\]/\u2010-\u2015\u2212-]/,
		'contains letters or other characters',
		`Enter it like ${EXAMPLE}`,
	],
	[/\d[^\d]*\([^()]*\)\D*$/, 'ends in brackets', 'Remove what is in brackets'],
];

const REVERSED = [
	'contains invisible marks that change the order of its digits',
	'Enter it again by hand',
] as const;

/** Reads the digits of a number as people and spreadsheets spell it, or says what is there besides. */
export function readSpelling(value: unknown): Spelling | PhoneProblem {
	if (value === undefined || value === null) return EMPTY;
	if (typeof value === 'number') return ofNumber(value);
	if (typeof value !== 'string') return NO_TEXT;
	if (value.length > MAX_LENGTH)
		return problemWith(value.slice(0, MAX_LENGTH), 'is too long for a phone number', ONE_NUMBER);
	const trimmed = inAscii(value);
	if (REVERSAL.test(value) || DIRECTION.test(trimmed)) return problemWith(value, ...REVERSED);
	const text = visible(trimmed);
	if (text === '') return EMPTY;
	const refused = REFUSED.find(([pattern]) => pattern.test(text));
	if (refused) return problemWith(value, refused[1], refused[2]);
	if (!slashesFit(text)) return problemWith(value, 'contains more than one number', ONE_NUMBER);
	const digits = text.replace(/[^+\d]/g, '');
	if (!/\d/.test(digits)) return problemWith(value, 'has no digits', `Enter it like ${EXAMPLE}`);
	const [, before, after] = BRACKETED_ZERO.exec(text) ?? [];
	return before === undefined
		? { digits }
		: { digits, withoutZero: `${before}${after}`.replace(/[^+\d]/g, '') };
}

const BRACKETED_ZERO = /^(.*\d.*?)[([]\s*0\s*[)\]](.*)$/;

/** Excel and its like show no more than six digits of a rounded number. */
const SHOWN_DIGITS = 6;
const MIN_ZEROS = 5;
const MIN_ROUNDED = 9;

/** Whether a spreadsheet may have rounded a whole number, and put zeros in the place of its last digits. */
function mayBeRounded(digits: string): boolean {
	const significant = digits.replace(/0+$/, '').length;
	return (
		digits.length >= MIN_ROUNDED &&
		significant <= SHOWN_DIGITS &&
		digits.length - significant >= MIN_ZEROS
	);
}

function ofNumber(value: number): Spelling | PhoneProblem {
	if (!Number.isSafeInteger(value) || value < 0) {
		return problemWith(value, 'is not a whole number', AS_TEXT);
	}
	const digits = String(value);
	return mayBeRounded(digits)
		? problemWith(value, 'may be rounded by the spreadsheet', AS_TEXT)
		: { digits };
}

/** Leaves out what programs put around and into numbers. Digits of other scripts become those of ASCII. */
export const inAscii = (value: string): string =>
	trimInvisible(
		[/^['\u2018\u2019]/, /^(tel|phone|p):/i]
			.reduce(
				(text, added) => trimInvisible(text.replace(added, '')),
				trimInvisible(value)
					.replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
					.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf)),
			)
			.replace(/^\(([^()]*)\)$/, '$1'),
	);

/** Slashes stand after an area code or between short groups, or else they part two numbers. */
function slashesFit(text: string): boolean {
	const [first = '', ...others] = text.split('/').map((part) => part.replace(/[^+\d]/g, ''));
	const last = others.pop();
	if (last === undefined) return true;
	if (others.length === 0) {
		return (
			first.length <= (/^(00|\+)/.test(first) ? 8 : first.startsWith('0') ? 6 : 4) &&
			last.length >= 4
		);
	}
	return (
		first.length <= 6 &&
		others.every(({ length }) => length > 0 && length <= 3) &&
		last.length >= 2 &&
		last.length <= 4
	);
}
