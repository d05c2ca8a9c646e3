import { isEqual } from 'lodash';
import type { Fault } from './failures';
import { callingCodeOf, readNumber, type PhoneNumber, type PhoneSettings } from './libphonenumber';
import { IS_EMPTY } from './problems';
import { isBlank, toText } from './plainText';

export type { CountryCode, PhoneNumber } from './libphonenumber';

const EXAMPLE = '+14155550178';
const AS_TEXT = 'Format the column as text and enter the number again';
const DECIMAL = { reason: 'has decimal places', fix: AS_TEXT };
const ROUNDED_NUMBER = { reason: 'was rounded by the spreadsheet', fix: AS_TEXT };
const NO_ZERO = { reason: 'is a number, which may have lost its leading zero', fix: AS_TEXT };
const NOT_ONE_NUMBER = {
	reason: 'contains more than the digits of one number',
	fix: `Enter one number, e.g. ${EXAMPLE}`,
};
const NOT_VALID = {
	reason: 'is not a valid phone number',
	fix: `Check it for missing or extra digits and for its country code, e.g. ${EXAMPLE}`,
};
const MAYBE_NEW = {
	reason: NOT_VALID.reason,
	fix: `${NOT_VALID.fix}. If its area code is new, add 'Allow Unassigned Numbers' under Options`,
};
const AMBIGUOUS = {
	reason: 'can be read as two different numbers',
	fix: `Write it with + and its country code, e.g. ${EXAMPLE}`,
};

const MAX_ENTRY_LENGTH = 100;
/** "+49 (0)30 123456": a + at most once, then digits, blanks, brackets, dashes, dots and slashes. */
const ALLOWED = /^[([]?\+?[\d \u00a0\u2007\u2009\u202f()[\]./\u2010-\u2015\u2212-]+$/;
/** Separators and prefixes around a number: "+14155550178;", "tel:+14155550178". */
const SEPARATORS_AROUND = /^[\s,;\p{DI}]*(tel:)?[\s,;\p{DI}]*|[\s,;\p{DI}]+$/giu;
const BRACKETED_ZERO = /(\d\D*)[([]0[)\]]/;
/** "030/123456/57" or "030 123456 (12)": digits that are no part of the number before them. */
const DIGITS_AFTER = /\d\D*(?:\/\D*\d{0,2}|[([]\d+[)\]])\D*$/;
/** "1.4155E+10", as a spreadsheet shortens a long number. */
const WITH_EXPONENT = /^\+?[\d.,]+e\+?\d+$/i;
/** "301234567.0": a number that a program wrote as text. */
const WITH_DECIMALS = /^\+?\d+\.0+$/;

/** Whether a cell is blank, or a text without a digit, e.g. "n/a", so it cannot be anyone's number. */
export const isBlankNumber = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'string' && !/\p{Nd}/u.test(value));

/** Reads a phone number from a cell, or returns its fault with a fix. */
export function readPhoneNumber(value: unknown, settings: PhoneSettings = {}): PhoneNumber | Fault {
	const fix = `Enter a number with its country code, e.g. ${EXAMPLE}`;
	if (isBlank(value)) return { reason: IS_EMPTY, fix };
	if (isBlankNumber(value)) return { value: toText(value).trim(), reason: 'has no digits', fix };
	const read =
		typeof value === 'number' ? readNumericCell(value, settings) : readText(value, settings);
	return 'number' in read ? read : { value: toText(value).trim(), ...read };
}

/** Reads a numeric cell. Rejects a number that a spreadsheet has rounded, or whose leading zero it has dropped. */
function readNumericCell(value: number, settings: PhoneSettings): PhoneNumber | Fault {
	if (value < 0) return NOT_VALID;
	if (value > Number.MAX_SAFE_INTEGER) return ROUNDED_NUMBER;
	if (!Number.isInteger(value)) return DECIMAL;
	const { defaultCountry } = settings;
	// In Italy a fixed-line number keeps its zero, so a number that is valid with a zero has lost it.
	// `allowUnassigned` is not passed, because it would also accept a mobile number with a zero.
	const padded = defaultCountry && readNumber(`0${value}`, { defaultCountry });
	const hasLostZero = padded && padded.number === `+${callingCodeOf(defaultCountry)}0${value}`;
	return hasLostZero ? NO_ZERO : readDigits(String(value), settings);
}

/** Reads a cell that is not numeric. Accepts only a text that consists of the characters of one phone number. */
function readText(value: unknown, settings: PhoneSettings): PhoneNumber | Fault {
	if (typeof value !== 'string') return { reason: 'is not text', fix: `Enter it like ${EXAMPLE}` };
	if (value.length > MAX_ENTRY_LENGTH) return NOT_ONE_NUMBER;
	// Spreadsheets put an apostrophe before a number that is text.
	const text = value.trim().replace(/^'/, '').replace(SEPARATORS_AROUND, '');
	if (WITH_DECIMALS.test(text)) return DECIMAL;
	if (WITH_EXPONENT.test(text)) return ROUNDED_NUMBER;
	// Digits after a number may be an extension or a second number.
	if (!ALLOWED.test(text) || DIGITS_AFTER.test(text)) return NOT_ONE_NUMBER;
	const number = readDigits(text, settings);
	// The 0 of "+49 (0)30 123456" is dialed in some countries, and left out in others.
	if (!BRACKETED_ZERO.test(text)) return number;
	const withoutZero = readDigits(text.replace(BRACKETED_ZERO, '$1'), settings);
	return isEqual(number, withoutZero) ? number : AMBIGUOUS;
}

/** Describes digits without a + and a default country. Suggests the number with a +, if it is valid. */
function describeMissingCode(digits: string, settings: PhoneSettings): Fault {
	// 00 may replace the +.
	const withPlus = readNumber(`+${digits.replace(/^00/, '')}`, settings);
	if (withPlus)
		return {
			reason: 'has no + before its country code',
			fix: `If it is ${withPlus.number}, enter it so`,
		};
	// The setting is absent if the user cannot set it.
	const canSet = 'defaultCountry' in settings;
	const fix = canSet ? 'Add it, or set Default Country' : `Add it, e.g. ${EXAMPLE}`;
	return { reason: 'has no country code', fix };
}

/** Reads the digits of a text with their own +, or as someone in the default country dials them. */
function readDigits(text: string, settings: PhoneSettings): PhoneNumber | Fault {
	const digits = text.replace(/[^+\d]/g, '');
	const isInternational = digits.startsWith('+');
	if (!isInternational && !settings.defaultCountry) return describeMissingCode(digits, settings);
	const number = readNumber(digits, settings);
	if (number && !isInternational && isAmbiguous(digits, number, settings)) return AMBIGUOUS;
	if (number) return number;
	// The library may lack a new area code of North America. Each operation with an option to accept it has the setting, on or off.
	return 'allowUnassigned' in settings && /^\+?1/.test(digits) ? MAYBE_NEW : NOT_VALID;
}

/** Whether the digits of a `national` number may also be a different number that lacks its +. */
function isAmbiguous(digits: string, national: PhoneNumber, settings: PhoneSettings): boolean {
	// With Germany as default, "491701234567" is a number in a town, or a mobile number that lost its +.
	// "0049..." is a call to Germany in most countries, but it may be a local number in Thailand.
	const international = readNumber(`+${digits.replace(/^00/, '')}`, settings);
	if (!international || international.number === national.number) return false;
	return digits.startsWith('00') || international.country === settings.defaultCountry;
}
