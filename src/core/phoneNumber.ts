import { z } from 'zod/v4';

/**
 * A phone number in E.164, e.g. +14155550178 (interface: Customer, phoneNumber). What spreadsheets add is taken
 * away: spaces, dashes, dots, brackets, a leading apostrophe, `00` for the plus. What they destroyed is refused.
 */
export const phoneNumber = z.unknown().transform((value, context) => {
	const read = readPhoneNumber(value);
	if ('number' in read) return read.number;
	context.addIssue({ code: 'custom', message: read.problem });
	return z.NEVER;
});

const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

/** Whether a value is a number in E.164 as it is. */
export const isInternational = (value: unknown): value is string =>
	typeof value === 'string' && INTERNATIONAL.test(value);

/** Characters with everything that sheets add. */
const LONGEST = 100;

const EMPTY = {
	problem: 'is empty. Enter a number with its country code, e.g. +14155550178',
};

/** Puts a country code before a number that has none; a trunk 0 goes, but in Italy, where it is part of the number. */
export function withCountryCode(value: unknown, code: string): unknown {
	if (typeof value !== 'string' && typeof value !== 'number') return value;
	const text = String(value).trim().replace(/^'/, '');
	if (
		text.length > LONGEST ||
		!/^\(?\d/.test(text) ||
		text.startsWith('00') ||
		/e\+?\d+$/i.test(text)
	)
		return value;
	const digits = code.replace(/^\+/, '');
	return `+${digits}${digits === '39' ? text : text.replace(/^(\(?)0/, '$1')}`;
}

/** The country code of a parameter, e.g. +1 or 49, or nothing. */
export const countryCode = z
	.string({ error: 'must be text, e.g. +1' })
	.trim()
	.regex(/^(\+?[1-9]\d{0,3})?$/, { error: 'is no country code. Enter it like +1 or +49' });

/** Repairs a phone number, or says why it cannot be one and what to do. */
export function readPhoneNumber(value: unknown): { number: string } | { problem: string } {
	if (isInternational(value)) return { number: value };
	if (value === undefined || value === null) return EMPTY;
	if (typeof value !== 'string' && typeof value !== 'number') {
		return { problem: 'must be a phone number as text, e.g. +14155550178' };
	}
	const entered = String(value).trim();
	const shown = `'${entered.slice(0, 40)}'`;
	if (entered.length > LONGEST)
		return { problem: `${shown}… is too long for a phone number. Enter one number only` };
	const text = entered.replace(/^'/, '').replace(/^tel:/i, '');
	if (text === '') return EMPTY;
	const isRounded = typeof value === 'number' && value > 0 && value % 10_000 === 0;
	if (isRounded || /^\d+([.,]\d+)?e\+?\d+$/i.test(text)) {
		return {
			problem: `${shown} was rounded by the spreadsheet. Format the column as text and enter the number again`,
		};
	}
	if (/(ext\.?|x|#|;ext=|durchwahl)\s*\.?\s*\d+$/i.test(text)) {
		return { problem: `${shown} has an extension, which cannot be dialled. Remove it` };
	}
	if (/^(\+|00)\s*\d+[\s-]*\(0\)/.test(text)) {
		return { problem: `${shown} holds (0), which is not dialled after a country code. Remove it` };
	}
	const bare = text.replace(/[\s\u00a0\u2000-\u200f\u202a-\u202f\u2060().\-\u2010-\u2015/]/g, '');
	const plus = bare.replace(/^00(?=[1-9])/, '+');
	if (/[^+\d]/.test(plus) || plus.lastIndexOf('+') > 0) {
		return {
			problem: `${shown} holds characters that are not part of a number. Enter it like +14155550178`,
		};
	}
	if (/^\d{1,5}$/.test(plus)) {
		return { problem: `${shown} is too short for a phone number. Enter it like +14155550178` };
	}
	if (!plus.startsWith('+')) {
		return {
			problem: `${shown} has no country code. Start it with + and the code, e.g. +1 for the United States, or set Default Country Code in the options`,
		};
	}
	if (!INTERNATIONAL.test(plus)) {
		return {
			problem: `${shown} is no international number: after + come 7 to 15 digits, the first not 0. Check it for missing or extra digits`,
		};
	}
	return { number: plus };
}
