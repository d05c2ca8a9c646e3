import memoize from 'lodash/memoize';
import type { CountryCode } from './libphonenumber';
import { metadata } from './libphonenumber';

/** A country among those of one calling code. */
interface Country {
	readonly code: CountryCode | undefined;
	/** How all its numbers begin, where that tells it from its neighbors. */
	readonly leading: RegExp | undefined;
	readonly valid: RegExp;
	/** Numbers of a kind that no person answers, or that costs extra. */
	readonly special: RegExp | undefined;
}

/** The numbers of one calling code. */
interface Numbers {
	/** What the library may take away from the front of a national number. */
	readonly prefix: RegExp | undefined;
	readonly countries: readonly Country[];
}

/** What a clean number is known to be. */
export interface CleanNumber {
	readonly country: CountryCode | undefined;
	/** Whether it may be one that costs extra or that no person answers: then the library has to say what it is. */
	readonly maybeSpecial: boolean;
}

const CLEAN = /^\+[1-9]\d{5,14}$/;

/**
 * Recognizes a valid number in E.164, e.g. +14155550178, by the patterns of the library's metadata, which are
 * compiled once: most numbers of a long list need nothing else. Says nothing where the library has to look closer.
 */
export function recognizeClean(value: string): CleanNumber | undefined {
	if (!CLEAN.test(value)) return undefined;
	const found = numbersOf(value);
	if (!found) return undefined;
	const national = value.slice(found.length + 1);
	if (found.numbers.prefix?.test(national)) return undefined;
	const { countries } = found.numbers;
	const own = countries.find(({ leading, valid }) => (leading ?? valid).test(national));
	if (!own?.valid.test(national)) return undefined;
	return { country: own.code, maybeSpecial: own.special?.test(national) === true };
}

const numbersWith = memoize(compile);

function numbersOf(value: string): { length: number; numbers: Numbers } | undefined {
	for (let length = 1; length <= 3; length++) {
		const numbers = numbersWith(value.slice(1, length + 1));
		if (numbers) return { length, numbers };
	}
	return undefined;
}

/** The places of a numbering plan in the metadata of version 4. */
const PATTERN = 2;
const LENGTHS = 3;
const NATIONAL_PREFIX = 5;
const PREFIX_FOR_PARSING = 7;
const LEADING_DIGITS = 10;
const TYPES = 11;

type Plan = readonly unknown[];

function compile(callingCode: string): Numbers | undefined {
	const codes = metadata.country_calling_codes[callingCode];
	const plans = codes
		? codes.map((code) => [code, plan(metadata.countries[code])] as const)
		: [[undefined, plan(metadata.nonGeographic[callingCode])] as const];
	const main = plans[0]?.[1];
	if (!main || main.length === 0) return undefined;
	const prefix = text(main[PREFIX_FOR_PARSING]) || text(main[NATIONAL_PREFIX]);
	return {
		prefix: prefix === '' ? undefined : new RegExp(`^(?:${prefix})`),
		countries: plans.map(([code, each]) => ({
			code,
			leading:
				codes && codes.length > 1 && text(each[LEADING_DIGITS]) !== ''
					? new RegExp(`^(?:${text(each[LEADING_DIGITS])})`)
					: undefined,
			valid: validIn(each),
			special: specialIn(each),
		})),
	};
}

/** Numbers that fit a plan, and one of its types where it has types. */
function validIn(each: Plan): RegExp {
	const types = plan(each[TYPES]).map(plan);
	const fitting = types
		.filter(([pattern]) => text(pattern) !== '')
		.map((type) => typeOf(type, each));
	const kinds = types.length === 0 ? '' : `(?:${fitting.join('|')})`;
	return new RegExp(`^(?=(?:${text(each[PATTERN])})$)${kinds}`);
}

/** The places among the types of all but fixed lines, mobiles, toll-free numbers and those of the internet. */
const SPECIAL = [3, 4, 5, 6, 7, 9];

function specialIn(each: Plan): RegExp | undefined {
	const types = plan(each[TYPES]);
	// Where a plan has no types, any number may be of any.
	if (types.length === 0) return /^/;
	const patterns = SPECIAL.map((place) => text(plan(types[place])[0]));
	const filled = patterns.filter((pattern) => pattern !== '');
	return filled.length === 0 ? undefined : new RegExp(`^(?:${filled.join('|')})$`);
}

function typeOf([pattern, own]: Plan, each: Plan): string {
	const lengths = plan(Array.isArray(own) ? own : each[LENGTHS]);
	return `(?=(?:${lengths.map((length) => `\\d{${String(length)}}`).join('|')})$)(?:${text(pattern)})$`;
}

const plan = (value: unknown): Plan => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
