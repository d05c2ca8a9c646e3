import { isRecord } from '../../core/json';
import type { CountryCode, NumberType, PhoneSettings } from '../../core/phoneNumber';
import { countryOf, numberTypeOf, readPhoneNumber } from '../../core/phoneNumber';
import { UUID } from '../../core/schemas';
import { isBlank, textOf } from '../../core/text';
import { CALL } from './newConversation';

/** The numbers in the body of a conversation, whichever fields they came by. */
export interface NumbersRead {
	/** In E.164, each once; that of the call first. */
	readonly numbers: readonly string[];
	/** What is wrong with a field that holds a number which cannot be read. */
	readonly unreadable: readonly string[];
	/** What stands in these fields. */
	readonly texts: readonly string[];
}

/** Fields whose names say that they hold a number to call. */
const PHONE_FIELD = /phone|mobile|msisdn|^tel$|telephone|cell(number)?$|dial|callee/i;
/** Fields that may hold one, among other things. */
const ANY_FIELD =
	/phone|mobile|msisdn|tel|cell|dial|callee|number|recipient|destination|address|^to$|contact/i;
/** Fields that never do: the ID of a line, and what the agent knows. */
const NO_FIELD = /^(phoneId|dynamicVariables|metadata)$/;
const MAX_DEPTH = 8;
/** A number that says itself that it is one, whatever its field is called. */
const INTERNATIONAL = /^\s*(\+|00)[\d\s().-]{8,24}$/;
const WRITTEN = /^\s*(?:tel|sip|sips|callto|whatsapp):([+\d][\d\s().-]{7,24})(?:[@;?].*)?$/i;

/** Reads the phone number of a conversation, which only a call needs. */
export function readNumber(
	value: unknown,
	type: string,
	settings: PhoneSettings,
): { readonly number?: string } | { readonly problem: string } {
	if (type !== CALL && isBlank(value)) return {};
	const read = readPhoneNumber(value, settings);
	return 'number' in read ? { number: read.number } : { problem: read.problem };
}

/** Reads every number in a conversation. */
export function readNumbers(
	conversation: Readonly<Record<string, unknown>>,
	settings: PhoneSettings,
): NumbersRead {
	const numbers = new Set<string>();
	const unreadable: string[] = [];
	const texts: string[] = [];
	const visit = (name: string, value: unknown, depth: number): void => {
		if (isBlank(value) || NO_FIELD.test(name) || depth > MAX_DEPTH) return;
		if (typeof value === 'object') {
			for (const [inner, each] of Object.entries(value as object))
				visit(Array.isArray(value) ? name : inner, each, depth + 1);
			return;
		}
		const text = typeof value === 'string' ? (WRITTEN.exec(value)?.[1] ?? value) : value;
		if (!ANY_FIELD.test(name) && text === value && !INTERNATIONAL.test(textOf(value))) return;
		const read = readPhoneNumber(text, settings);
		if ('number' in read) numbers.add(read.number);
		else if (PHONE_FIELD.test(name)) {
			unreadable.push(`contains ${name}, which ${read.problem}`);
			texts.push(textOf(value));
		}
	};
	const { toPhoneNumber, ...others } = conversation;
	visit('toPhoneNumber', toPhoneNumber, 0);
	if (isRecord(others)) for (const [name, value] of Object.entries(others)) visit(name, value, 0);
	return { numbers: [...numbers], unreadable, texts };
}

const MIN_DIGITS = 7;

/** All numbers in cells of any name, and the texts that may be some. */
export function readCells(
	cells: readonly unknown[],
	settings: PhoneSettings,
): Pick<NumbersRead, 'numbers' | 'texts'> {
	const numbers: string[] = [];
	const texts: string[] = [];
	const visit = (value: unknown, depth: number): void => {
		if (isBlank(value) || depth > MAX_DEPTH) return;
		if (typeof value === 'object') {
			for (const each of Object.values(value as object)) visit(each, depth + 1);
			return;
		}
		const text = textOf(value);
		const read = readPhoneNumber(WRITTEN.exec(text)?.[1] ?? value, settings);
		if ('number' in read) numbers.push(read.number);
		else if (text.replace(/\D/g, '').length >= MIN_DIGITS && !UUID.test(text)) texts.push(text);
	};
	for (const cell of cells) visit(cell, 0);
	return { numbers, texts };
}

const SPECIAL: ReadonlyMap<NumberType, string> = new Map([
	['PREMIUM_RATE', 'a premium-rate number'],
	['SHARED_COST', 'a shared-cost number'],
	['PERSONAL_NUMBER', 'a personal number, which may cost more'],
	['PAGER', 'a pager'],
	['VOICEMAIL', 'a voicemail box'],
	['UAN', 'a company number, which may cost more'],
]);

interface NumberSettings {
	readonly allowedCountries: readonly CountryCode[];
	readonly allowSpecialNumbers: boolean;
}

/** Says which numbers are in a country that is not allowed, or of a kind that costs more. */
export function numberProblems(
	numbers: readonly string[],
	{ allowedCountries: allowed, allowSpecialNumbers }: NumberSettings,
): string[] {
	return numbers.flatMap((number) => {
		const special = allowSpecialNumbers ? undefined : SPECIAL.get(numberTypeOf(number) ?? 'MOBILE');
		if (special !== undefined)
			return [
				`${number} is ${special}. Remove the row, or add Allow Special Numbers in the options`,
			];
		if (allowed.length === 0) return [];
		const country = countryOf(number);
		if (country && allowed.includes(country)) return [];
		return [
			`${number} is in ${country ?? 'no country'}, which is not in Allowed Countries (${allowed.join(', ')}). Add it there, or remove the row`,
		];
	});
}
