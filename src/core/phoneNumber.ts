import isEqual from 'lodash/isEqual';
import type { Fault } from './failures';
import type { CountryCode, Parsed } from './libphonenumber';
import { hasPrefix, parse } from './libphonenumber';
import { IS_EMPTY } from './problems';
import { isBlank, toText, trimInvisible } from './plainText';
import { shorten } from './words';

export type { CountryCode } from './libphonenumber';

/** The settings for ambiguous numbers. */
export interface PhoneSettings {
	/** The country of numbers without a country code; absent if the user cannot set one. */
	readonly defaultCountry?: CountryCode | undefined;
	/** Whether to accept a number of a possible length in an unlisted range. */
	readonly allowUnassigned?: boolean | undefined;
}

/** The type of a number in the plan of its country. */
export type NumberType = NonNullable<ReturnType<Parsed['getType']>>;

/** A number in E.164. +800 has no country, and some plans have no type. */
export interface PhoneNumber {
	readonly number: string;
	readonly country: CountryCode | undefined;
	readonly type: NumberType | undefined;
}

type Refusal = readonly [reason: string, fix: string];

const EXAMPLE = '+14155550178';
const AS_TEXT = 'Format the column as text and enter the number again';
const NOT_TEXT: Refusal = ['is not text', `Enter it like ${EXAMPLE}`];
const DECIMAL: Refusal = ['has decimal places', AS_TEXT];
const ROUNDED_NUMBER: Refusal = ['was rounded by the spreadsheet', AS_TEXT];
const NO_ZERO: Refusal = ['is a number, which may have lost its leading zero', AS_TEXT];
const OTHER_SIGNS: Refusal = [
	'contains more than the digits of one number',
	`Enter one number, e.g. ${EXAMPLE}`,
];
const NO_CODE: Refusal = ['has no country code', 'Add it, or set Default Country'];
const NO_CODE_ALONE: Refusal = ['has no country code', `Add it, e.g. ${EXAMPLE}`];
const NOT_VALID: Refusal = [
	'is not a valid phone number',
	`Check it for missing or extra digits and for its country code, e.g. ${EXAMPLE}`,
];
const AMBIGUOUS: Refusal = [
	'can be read as two different numbers',
	`Write it with + and its country code, e.g. ${EXAMPLE}`,
];
const NO_NUMBER: Fault = {
	reason: IS_EMPTY,
	fix: `Enter a number with its country code, e.g. ${EXAMPLE}`,
};

const MAX_ENTRY_LENGTH = 100;
/** The limit of E.164, also for countries with an open plan. */
const MAX_DIGITS = 15;
/** "+49 (0)30 123456": a + at most once, then digits, blanks, brackets, dashes, dots and slashes. */
const ALLOWED = /^[([]?\+?[\d \u00a0\u2007\u2009\u202f()[\]./\u2010-\u2015\u2212-]+$/;
/** Separators that lists leave around a number: "+14155550178;". */
const SEPARATORS = /^[\s,;]+|(?<![\s,;])[\s,;]+$/g;
const BRACKETED_ZERO = /(\d\D*)[([]0[)\]]/;
/** "030/123456/57" or "030 123456 (12)": digits that are no part of the number before them. */
const TAIL = /\d\D*(?:\/\D*\d{0,2}|[([]\d+[)\]])\D*$/;
/** "1.4155E+10", as a spreadsheet shortens a long number. */
const WITH_EXPONENT = /^\+?[\d.,]+e\+?\d+$/i;
/** "301234567.0": a number that a program wrote as text. */
const WITH_DECIMALS = /^\+?\d+\.0+$/;

/** Reads a phone number (interface: Customer, phoneNumber), or returns the fault with its fix. */
export function readPhoneNumber(value: unknown, settings: PhoneSettings = {}): PhoneNumber | Fault {
	if (isBlank(value)) return NO_NUMBER;
	const read = typeof value === 'number' ? readCell(value, settings) : readText(value, settings);
	if ('number' in read) return read;
	const [reason, fix] = read;
	return { value: shorten(toText(value).trim(), 40), reason, fix };
}

/** Reads a numeric cell, which may have lost its leading zero. */
function readCell(value: number, settings: PhoneSettings): PhoneNumber | Refusal {
	if (!Number.isSafeInteger(value) || value < 0) return DECIMAL;
	const padded = settings.defaultCountry && parse(`0${value}`, settings.defaultCountry);
	const keepsZero = padded?.isValid() === true && padded.nationalNumber.startsWith('0');
	return keepsZero ? NO_ZERO : readDigits(String(value), settings);
}

function readText(value: unknown, settings: PhoneSettings): PhoneNumber | Refusal {
	if (typeof value !== 'string') return NOT_TEXT;
	if (value.length > MAX_ENTRY_LENGTH) return OTHER_SIGNS;
	const text = trimInvisible(value).replace(/^tel:/i, '').replace(SEPARATORS, '');
	if (WITH_DECIMALS.test(text)) return DECIMAL;
	if (WITH_EXPONENT.test(text)) return ROUNDED_NUMBER;
	if (!ALLOWED.test(text) || TAIL.test(text)) return OTHER_SIGNS;
	const number = readDigits(extractDigits(text), settings);
	// The 0 of "+49 (0)30 123456" is dialed in some countries, and left out in others.
	if (!BRACKETED_ZERO.test(text)) return number;
	const other = readDigits(extractDigits(text.replace(BRACKETED_ZERO, '$1')), settings);
	return isEqual(number, other) ? number : AMBIGUOUS;
}

const extractDigits = (text: string): string => text.replace(/[^+\d]/g, '');

/** Reads digits with their own +, or as someone in the default country dials them. */
function readDigits(digits: string, settings: PhoneSettings): PhoneNumber | Refusal {
	const { defaultCountry: country } = settings;
	if (digits.startsWith('+')) return accept(parse(digits), settings) ?? NOT_VALID;
	if (!country) return 'defaultCountry' in settings ? NO_CODE : NO_CODE_ALONE;
	const number = accept(parse(digits, country), settings);
	if (!number) return NOT_VALID;
	// "491701234567" is a number in Leer, or a German mobile that lost its +; "00" is no exit code in Thailand.
	const withPlus = accept(parse(`+${digits.replace(/^00/, '')}`), settings);
	const isMeant = digits.startsWith('00') || withPlus?.country === country;
	return isMeant && withPlus && withPlus.number !== number.number ? AMBIGUOUS : number;
}

function accept(
	parsed: Parsed | undefined,
	{ allowUnassigned }: PhoneSettings,
): PhoneNumber | undefined {
	if (!parsed) return undefined;
	const { number, country } = parsed;
	if (number.length > MAX_DIGITS + 1) return undefined;
	const isAccepted =
		parsed.isValid() ||
		// The library keeps the national prefix of unassigned numbers.
		(allowUnassigned === true && parsed.isPossible() && !hasPrefix(parsed));
	return isAccepted ? { number, country, type: parsed.getType() } : undefined;
}
