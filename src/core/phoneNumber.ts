import { z } from 'zod/v4';
import { recognizeClean } from './cleanNumber';
import type { CountryCode } from './libphonenumber';
import { isCountry, lengthsIn, parse, prefixOf } from './libphonenumber';
import type { PhoneProblem, Spelling } from './phoneSpelling';
import { problemWith, readSpelling } from './phoneSpelling';
import { visible } from './text';

export type { CountryCode } from './libphonenumber';

/** How numbers are read that leave something open. */
export interface PhoneSettings {
	/** The country of numbers without a country code; not there at all where the user cannot set one. */
	readonly defaultCountry?: CountryCode | undefined;
	/** Whether numbers pass that have a length of their country but are in no range known to the library. */
	readonly allowUnknownRanges?: boolean | undefined;
}

/** A number in E.164, and its country unless it belongs to none, as +800 does. */
export interface PhoneNumber {
	readonly number: string;
	readonly country: CountryCode | undefined;
}

/** Reads a phone number (interface: Customer, phoneNumber), or says why it is not exactly one and what to do. */
export function readPhoneNumber(
	value: unknown,
	settings: PhoneSettings = {},
): PhoneNumber | PhoneProblem {
	if (typeof value !== 'string' || value.length > MAX_KEPT_LENGTH) return readOnce(value, settings);
	const clean = recognizeClean(value);
	if (clean) return { number: value, country: clean.country };
	const { defaultCountry: country = 'defaultCountry' in settings, allowUnknownRanges } = settings;
	const key = `${country} ${allowUnknownRanges} ${value}`;
	const known = kept.get(key) ?? readOnce(value, settings);
	if (kept.size >= MAX_KEPT) kept.clear();
	kept.set(key, known);
	return known;
}

/** What was read a moment ago: a row may have its number in several places, and the library takes long. */
const kept = new Map<string, PhoneNumber | PhoneProblem>();
const MAX_KEPT = 100;
/** Longer texts are no numbers, and would be kept whole. */
const MAX_KEPT_LENGTH = 50;

function readOnce(value: unknown, settings: PhoneSettings): PhoneNumber | PhoneProblem {
	const spelling = readSpelling(value);
	if ('problem' in spelling) return spelling;
	const lacksCode = NEEDS_CODE.test(spelling.digits) && !settings.defaultCountry;
	const noCode = 'defaultCountry' in settings ? NO_CODE : NO_CODE_IN_JSON;
	const [reason, fix] = lacksCode ? noCode : INVALID;
	const readings = readingsOf(spelling, settings);
	const [reading] = readings;
	if (!reading) return problemWith(value, reason, fix);
	if (readings.some((other) => other?.number !== reading.number))
		return problemWith(value, ...AMBIGUOUS);
	return reading;
}

/** The country of a number in E.164. */
export function countryOf(number: string): CountryCode | undefined {
	const clean = recognizeClean(number);
	return clean ? clean.country : parse(number)?.country;
}

/** What a number is for, as the plan of its country says it. */
export type NumberType = NonNullable<ReturnType<NonNullable<ReturnType<typeof parse>>['getType']>>;

/** What a number in E.164 is for, e.g. MOBILE, PREMIUM_RATE or VOICEMAIL; undefined where its plan does not say. */
export const numberTypeOf = (number: string): NumberType | undefined => parse(number)?.getType();

/** Types of numbers that any person may have. */
const USUAL: readonly NumberType[] = [
	'FIXED_LINE',
	'MOBILE',
	'FIXED_LINE_OR_MOBILE',
	'VOIP',
	'TOLL_FREE',
];
const BEGINNING = 3;

/**
 * What a number in E.164 is for that is not one which any person may have; where its plan does not say, what the others are for
 * that begin like it.
 */
export function likelyTypeOf(number: string): NumberType | undefined {
	if (recognizeClean(number)?.maybeSpecial === false) return undefined;
	const parsed = parse(number);
	const type = parsed?.getType();
	if (!parsed || type) return type;
	const { countryCallingCode, nationalNumber } = parsed;
	const beginning = `+${countryCallingCode}${nationalNumber.slice(0, BEGINNING)}`;
	const lengths = [-1, 0, 1, 2].map((more) => number.length + more);
	return lengths
		.flatMap((length) => [...'0123456789'].map((digit) => beginning.padEnd(length, digit)))
		.map(numberTypeOf)
		.find((each) => each !== undefined && !USUAL.includes(each));
}

const UNREACHABLE: Partial<Record<NumberType, string>> = {
	PREMIUM_RATE: 'a premium-rate number',
	PAGER: 'a pager',
	VOICEMAIL: 'a voicemail box',
};

/** What a number is, in words, where no one should be called at it. */
export function unreachable(number: string): string | undefined {
	const isUsual = recognizeClean(number)?.maybeSpecial === false;
	const type = isUsual ? undefined : numberTypeOf(number);
	return type && UNREACHABLE[type];
}

/** The country of numbers without a country code: an ISO 3166 code, or nothing. */
export const defaultCountry = z
	.string({ error: 'must be a country code, e.g. US' })
	.overwrite(visible)
	.transform((entered, context) => {
		const code = entered.toUpperCase();
		if (code === '') return undefined;
		if (isCountry(code)) return code;
		const message = `"${entered.slice(0, 40)}" is not a known country code. Use two letters, e.g. US or DE`;
		context.addIssue({ code: 'custom', message });
		return z.NEVER;
	});

const NEEDS_CODE = /^(?!\+|00[1-9])/;
const NO_CODE = ['has no country code', 'Add it, or set Default Country'] as const;
const NO_CODE_IN_JSON = [NO_CODE[0], 'Add it, e.g. +14155550178'] as const;
const INVALID = [
	'is not a valid phone number',
	'Check it for missing or extra digits and for its country code, e.g. +14155550178',
] as const;
const AMBIGUOUS = [
	'can be read as two different numbers',
	'Write it with + and its country code, e.g. +14155550178',
] as const;

type Reading = PhoneNumber | undefined;

/** All the numbers that a spelling may mean. */
const readingsOf = ({ digits, withoutZero }: Spelling, settings: PhoneSettings): Reading[] =>
	withoutZero === undefined
		? readingsOfDigits(digits, settings)
		: [...readingsOfDigits(digits, settings), ...readingsOfDigits(withoutZero, settings)];

function readingsOfDigits(digits: string, settings: PhoneSettings): Reading[] {
	const international = (text: string): Reading => accept(parse(text), settings);
	if (digits.startsWith('+')) return [international(digits)];
	const parsed = settings.defaultCountry && parse(digits, settings.defaultCountry);
	const read = parsed && national(digits, parsed, settings);
	if (/^00[1-9]/.test(digits)) return known([international(`+${digits.slice(2)}`), read]);
	if (!read || isUsual(digits, parsed, settings)) return [read];
	return known([read, international(`+${digits}`)]);
}

const known = (readings: Reading[]): Reading[] => {
	const found = readings.filter((reading) => reading !== undefined);
	return found.length === 0 ? [undefined] : found;
};

type Parsed = NonNullable<ReturnType<typeof parse>>;

const MIN_NATIONAL = 6;
const MIN_WITHOUT_PREFIX = 9;

/** Reads digits as someone in the default country would dial them. */
function national(digits: string, parsed: Parsed, settings: PhoneSettings): Reading {
	const lengths = settings.defaultCountry ? lengthsIn(settings.defaultCountry) : [];
	const { nationalNumber } = parsed;
	// Postal codes, dates and numbers without their area code are valid where a plan is open, as in Germany.
	const lacksPrefix = digits === nationalNumber && !isFormatted(digits, parsed);
	const min = Math.min(lacksPrefix ? MIN_WITHOUT_PREFIX : MIN_NATIONAL, ...lengths.slice(-1));
	return nationalNumber.length < min ? undefined : accept(parsed, settings);
}

function accept(parsed: Parsed | undefined, settings: PhoneSettings): Reading {
	if (!parsed) return undefined;
	const isKnown = parsed.isValid() || (settings.allowUnknownRanges === true && mayExist(parsed));
	return isKnown ? { number: parsed.number, country: parsed.country } : undefined;
}

/** The library leaves a prefix where it does not know the number: with it another number would be dialed. */
function mayExist(parsed: Parsed): boolean {
	const [country = parsed.country] = parsed.getPossibleCountries();
	const prefix = country ? prefixOf(country) : '';
	return parsed.isPossible() && (prefix === '' || !parsed.nationalNumber.startsWith(prefix));
}

/** Whether digits can mean no number abroad: they stand as in their country, or its numbers have one length. */
function isUsual(digits: string, parsed: Parsed, { defaultCountry }: PhoneSettings): boolean {
	if (isFormatted(digits, parsed)) return true;
	const isAtHome = parse(parsed.nationalNumber, defaultCountry)?.number === parsed.number;
	return isAtHome && defaultCountry !== undefined && lengthsIn(defaultCountry).length <= 2;
}

/** Whether the country groups these digits, with the prefix that they have. */
function isFormatted(digits: string, parsed: Parsed): boolean {
	const formatted = parsed.formatNational();
	return formatted !== digits && formatted.replace(/\D/g, '') === digits;
}
