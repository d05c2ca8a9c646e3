import deburr from 'lodash/deburr';
import omit from 'lodash/omit';
import {
	isBlank,
	MAX_DEPTH,
	MAX_NAME,
	shorten,
	textOf,
	trimInvisible,
	UUID,
	visible,
} from '../../core/text';
import { isOwnName, isRecord, unpacked } from '../../core/json';
import type { CountryCode, NumberType, PhoneSettings } from '../../core/phoneNumber';
import { countryOf, likelyTypeOf, readPhoneNumber } from '../../core/phoneNumber';
import { isMarkColumn } from '../../core/yesNo';
import { looksIn } from '../../core/phone/looks';
import { OF_OTHERS } from './marks';
import { CALL } from './newConversation';

/** The numbers in the body of a conversation, whichever fields they came by. */
export interface NumbersRead {
	/** In E.164, each once; that of the call first. */
	readonly numbers: readonly string[];
	/** Texts that are meant as numbers and cannot be read, with the field of the conversation that each is in, however deep. */
	readonly unreadable: ReadonlyArray<Readonly<Record<'field' | 'text' | 'problem', string>>>;
}

/** Fields whose names say that they hold a number to call. */
const PHONE_FIELD =
	/phone|mobile|msisdn|^tel$|telef|телефон|cell(number)?$|dial|callee|e\.?164|^(nummer|n[uú]mero)$/i;
/** Other fields that may hold one, or what stands in them may. */
const ANY_FIELD =
	/tel|cell|handy|num|núm|recipient|destination|target|address|contact|whatsapp|^wa$|sms|sip|fax|to$/i;
/** Those that name whom a conversation is for, with nothing else in their name. */
const CALLED_FIELD = /^(to|number|recipient|destination|target|contact|whatsapp|wa|sms)$/i;
/** What nothing but a number is written as. */
const DIGITS = /^[\s().\-\u2010-\u2015/]*(?:\d[\s().\-\u2010-\u2015/]*){8,15}$/;
/** Fields of a conversation that never do: the ID of a line, and what the agent knows. */
const NO_FIELD = ['phoneId', 'dynamicVariables', 'metadata'];
/** The line that a call comes from, which is the same for everyone and no one who is called. */
const FROM = /^(from|caller)[ _-]?(phone[ _-]?)?(id|number)?$/i;
/** A number that says itself that it is one, whatever its field is called. */
const INTERNATIONAL = /^[^\p{L}\p{N}]*(\+|00)(?=(\P{N}*\p{N}){8,15}\P{N}*$)[^\p{L}]+$/u;
/** One with a plus among other words. */
const AMONG_WORDS = /\+[^\p{L}\p{N}]*(\p{N}[^\p{L}\p{N}]*){8,}/u;
/** The address of one, with no other number in what follows. */
const WRITTEN =
	/^\s*(?:(?:tel|sip|sips|callto|sms|whatsapp):(?:\/\/)?|(?:https?:\/\/)?wa\.me\/)([+\d][\d\s().-]{7,24})(?:[@;?][^+]*)?$/i;

/** A text as it is dialed: in plain signs, without what no one sees and without the escapes of an address. */
const asDialed = (text: string): string =>
	visible(
		trimInvisible(text)
			.slice(0, MAX_LENGTH)
			.normalize('NFKC')
			.replace(/%2b/gi, '+')
			.replace(/%3a/gi, ':')
			.replace(/%20/g, ' '),
	);

/** A longer text is no number, and not worth a walk. */
const MAX_LENGTH = 1_000;

/** Reads the phone number of a conversation, which only a call needs. */
export function readNumber(
	value: unknown,
	type: string,
	settings: PhoneSettings,
): { readonly number?: string; readonly problem?: string } {
	if (type !== CALL && isBlank(value)) return {};
	const read = readPhoneNumber(value, settings);
	return 'number' in read ? { number: read.number } : { problem: read.problem };
}

/** A value that holds no other ones, or the name of one; where a name around it says that it may be a number, or is one. */
interface Leaf {
	readonly name: string;
	readonly value: unknown;
	readonly inField: boolean;
	readonly inPhone?: boolean;
}

/** All values in a value, those in texts of JSON and the names of its members among them. One that is nested too deeply is left whole. */
function* leavesIn(
	{ name: key, value, inField: isInside, inPhone: isPhone = false }: Leaf,
	depth = 0,
): Generator<Leaf> {
	if (isBlank(value)) return;
	const name = visible(key.slice(0, MAX_NAME).normalize('NFKC'));
	const inPhone = isPhone || PHONE_FIELD.test(name) || CALLED_FIELD.test(name);
	const inField = isInside || inPhone || ANY_FIELD.test(name);
	const inner = unpacked(value);
	if (typeof inner !== 'object' || inner === null) yield { name, value, inField, inPhone };
	else if (depth > MAX_DEPTH) yield { name, value: inner, inField };
	else
		for (const [key, each] of Object.entries(inner)) {
			if (!Array.isArray(inner)) yield { name, value: key, inField: false };
			const own = Array.isArray(inner) ? name : key;
			yield* leavesIn({ name: own, value: each, inField, inPhone }, depth + 1);
		}
}

/** Reads every number in a conversation. */
export function readNumbers(
	{ toPhoneNumber, ...others }: Readonly<Record<string, unknown>>,
	settings: PhoneSettings,
): NumbersRead {
	const numbers = new Set<string>();
	const unreadable: Array<NumbersRead['unreadable'][number]> = [];
	for (const [field, value] of Object.entries({ toPhoneNumber, ...omit(others, NO_FIELD) })) {
		if (FROM.test(field)) continue;
		const leaves = leavesIn({ name: field, value, inField: false });
		for (const leaf of [{ name: '', value: field, inField: false }, ...leaves]) {
			const read = readLeaf(leaf, settings);
			if (read === undefined) continue;
			if ('number' in read) numbers.add(read.number);
			else {
				const problem = `contains ${shorten(leaf.name)}, which ${read.problem}`;
				unreadable.push({ field, text: textOf(leaf.value), problem });
			}
		}
	}
	return { numbers: [...numbers], unreadable };
}

/** Columns of a person's numbers, as sheets in several languages name them. */
const NUMBER_COLUMN =
	/phone|mobi|movil|movel|msisdn|cel(l|ular|$)|handy|portable|gsm|(^|[^a-z])(mob|tel)([^a-z]|$)|telef|rufn|festnetz|landline|fix[eo]|fijo|fisso|whatsapp|komork|^(nummer|numero)$/i;

/** The person's other numbers, in columns of their own or of an object that is the person's: "Mobile" beside the "Phone" that is called. */
export function otherNumbers(row: unknown, settings: PhoneSettings, depth = 0): NumbersRead {
	const read = Object.entries(Object(row) as Readonly<Record<string, unknown>>).flatMap(
		([name, value]) => {
			if (BESIDE.test(name) || OF_OTHERS.test(name) || isMarkColumn(name)) return [];
			if (NUMBER_COLUMN.test(deburr(name)) || INTERNATIONAL.test(asDialed(textOf(value))))
				return [readNumbers({ phone: value }, settings)];
			return isOwnName(name) && isRecord(value) && depth < MAX_DEPTH
				? [otherNumbers(value, settings, depth + 1)]
				: [];
		},
	);
	return {
		numbers: read.flatMap(({ numbers }) => numbers),
		unreadable: read
			.flatMap(({ unreadable }) => unreadable)
			.filter(({ text }) => !/[a-wyz]/i.test(text) || countDigits(text) >= MIN_DIGITS)
			.filter(({ text }) => looksIn(text).length > 0),
	};
}

/** The number in a value, or what is wrong with one that is meant as a number; undefined for any other value. */
function readLeaf(
	{ name, value, inField, inPhone = false }: Leaf,
	settings: PhoneSettings,
): { readonly number: string } | { readonly problem: string } | undefined {
	if (typeof value === 'object') return { problem: TOO_DEEP };
	const text = asDialed(textOf(value));
	const written = WRITTEN.exec(text)?.[1];
	const isMeant = written !== undefined || AMONG_WORDS.test(text);
	if (!inField && !isMeant && !INTERNATIONAL.test(text)) return undefined;
	// A yes or no, as of a mark for calls, is no number.
	if (typeof value === 'boolean' || isMarkColumn(name)) return undefined;
	const read = readPhoneNumber(written ?? value, settings);
	const isNamed = PHONE_FIELD.test(name) || (inPhone && DIGITS.test(text));
	return 'number' in read || isMeant || isNamed ? read : undefined;
}

const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels. Flatten it`;

/** Fields beside a number that are no part of it. */
const BESIDE =
	/ext|code|country|type|count|date|time|zone|(^|[\W_])(id|at|on)$|status|valid|verif/i;
const MIN_DIGITS = 7;
const MIN_SHOWN = 4;
const countDigits = (text: string): number => (text.match(/\p{N}/gu) ?? []).length;

/** The texts in cells that may be a number, or a part of one where they are named for numbers. */
export const textsLikeNumbers = (cells: unknown): string[] =>
	Array.from(leavesIn({ name: '', value: cells, inField: false })).flatMap(({ name, value }) => {
		const text = textOf(value);
		const digits = countDigits(text);
		const isNamed = PHONE_FIELD.test(name) && !BESIDE.test(name) && !isMarkColumn(name);
		const isLike = digits >= MIN_DIGITS ? looksIn(text).length > 0 : digits >= MIN_SHOWN && isNamed;
		return isLike && !UUID.test(text) ? [text] : [];
	});

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

/** Says that a number is in a country that is not allowed, or of a kind that costs more. */
export function numberProblem(
	number: string,
	{ allowedCountries: allowed, allowSpecialNumbers }: NumberSettings,
): string | undefined {
	// The library takes these, which are personal worldwide, for internet telephony.
	const type = number.startsWith('+878') ? 'PERSONAL_NUMBER' : likelyTypeOf(number);
	const special = allowSpecialNumbers || !type ? undefined : SPECIAL.get(type);
	if (special !== undefined)
		return `${number} is ${special}. Remove the row, or add Allow Special Numbers in the options`;
	if (allowed.length === 0) return undefined;
	const country = countryOf(number);
	if (country && allowed.includes(country)) return undefined;
	return `${number} is in ${country ?? 'no country'}, which is not in Allowed Countries (${allowed.join(', ')}). Add it there, or remove the row`;
}
