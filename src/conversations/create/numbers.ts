import omit from 'lodash/omit';
import { parsedOrSame } from '../../core/json';
import type { CountryCode, NumberType, PhoneSettings } from '../../core/phoneNumber';
import { countryOf, likelyTypeOf, readPhoneNumber } from '../../core/phoneNumber';
import { UUID } from '../../core/schemas';
import { isBlank, textOf, trimInvisible, visible } from '../../core/text';
import { isMarkColumn } from '../../core/yesNo';
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
/** Fields that may hold one, or what stands in them may. */
const ANY_FIELD =
	/phone|mobile|msisdn|tel|cell|handy|dial|callee|num|recipient|destination|target|address|contact|whatsapp|sms|sip|fax|to$/i;
/** Fields of a conversation that never do: the ID of a line, and what the agent knows. */
const NO_FIELD = ['phoneId', 'dynamicVariables', 'metadata'];
/** The line that a call comes from, which is the same for everyone and no one who is called. */
const FROM = /^(from|caller)[ _-]?(phone[ _-]?)?(id|number)?$/i;
const MAX_DEPTH = 200;
/** A number that says itself that it is one, whatever its field is called. */
const INTERNATIONAL = /^[^\p{L}\p{N}]*(\+|00)(?=(\P{N}*\p{N}){8,15}\P{N}*$)[^\p{L}]+$/u;
/** One with a plus among other words. */
const AMONG_WORDS = /\+[^\p{L}\p{N}]*(\p{N}[^\p{L}\p{N}]*){8,}/u;
const WRITTEN =
	/^\s*(?:tel|sip|sips|callto|sms|whatsapp):(?:\/\/)?([+\d][\d\s().-]{7,24})(?:[@;?].*)?$/i;

/** A text as it is dialed: in plain signs, without what no one sees and without the escapes of an address. */
const asDialed = (text: string): string =>
	visible(
		trimInvisible(text)
			.slice(0, MAX_LENGTH)
			.normalize('NFKC')
			.replace(/%2b/gi, '+')
			.replace(/%20/g, ' '),
	);

/** A longer text is no number, and not worth a walk. */
const MAX_LENGTH = 1_000;

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

/** A value that holds no other ones, or the name of one; `inField` where a name around it says that it may be a number. */
interface Leaf {
	readonly name: string;
	readonly value: unknown;
	readonly inField: boolean;
	/** Whether values are nested deeper than anyone reads. */
	readonly isTooDeep?: boolean;
}

/** All values in a value, those in texts of JSON and the names of its members among them. */
function* leavesIn(leaf: Leaf, depth = 0): Generator<Leaf, void, undefined> {
	const { name, value } = leaf;
	if (isBlank(value)) return;
	const inField = leaf.inField || ANY_FIELD.test(name);
	const inner = typeof value === 'string' && /^\s*[[{]/.test(value) ? parsedOrSame(value) : value;
	if (typeof inner !== 'object' || inner === null) yield { name, value, inField };
	else if (depth > MAX_DEPTH) yield { name, value: '', inField, isTooDeep: true };
	else
		for (const [key, each] of Object.entries(inner)) {
			if (!Array.isArray(inner)) yield { name, value: key, inField: false };
			const own = Array.isArray(inner) ? name : key;
			yield* leavesIn({ name: own, value: each, inField }, depth + 1);
		}
}

const outside = (name: string, value: unknown): Leaf => ({ name, value, inField: false });

/** Reads every number in a conversation. */
export function readNumbers(
	conversation: Readonly<Record<string, unknown>>,
	settings: PhoneSettings,
): NumbersRead {
	const numbers = new Set<string>();
	const unreadable: string[] = [];
	const texts: string[] = [];
	const refuse = ({ name, value }: Leaf, problem: string): void => {
		unreadable.push(`contains ${name}, which ${problem}`);
		texts.push(textOf(value));
	};
	const readLeaf = (leaf: Leaf): void => {
		const { name, value, inField } = leaf;
		// A yes or no, as of a mark for calls, is no number.
		if (typeof value === 'boolean' || isMarkColumn(name)) return;
		if (leaf.isTooDeep) return refuse(leaf, TOO_DEEP);
		const text = asDialed(textOf(value));
		const written = WRITTEN.exec(text)?.[1];
		const isInternational = INTERNATIONAL.test(text);
		if (!inField && written === undefined && !isInternational) return;
		const read = readPhoneNumber(written ?? value, settings);
		if ('number' in read) numbers.add(read.number);
		else if (
			PHONE_FIELD.test(name) ||
			(isInternational && text.includes('+')) ||
			(inField && AMONG_WORDS.test(text))
		)
			refuse(leaf, read.problem);
	};
	const { toPhoneNumber, ...others } = conversation;
	for (const leaf of leavesIn(outside('toPhoneNumber', toPhoneNumber))) readLeaf(leaf);
	for (const [name, value] of Object.entries(omit(others, NO_FIELD))) {
		if (FROM.test(name)) continue;
		readLeaf(outside(name, name));
		for (const leaf of leavesIn(outside(name, value))) readLeaf(leaf);
	}
	return { numbers: [...numbers], unreadable, texts };
}

const TOO_DEEP = `is nested deeper than ${MAX_DEPTH} levels. Flatten it`;

const MIN_DIGITS = 7;

/** All numbers in cells of any name, and the texts that may be some. */
export function readCells(
	cells: readonly unknown[],
	settings: PhoneSettings,
): Pick<NumbersRead, 'numbers' | 'texts'> {
	const numbers: string[] = [];
	const texts: string[] = [];
	for (const { value, isTooDeep } of leavesIn(outside('', cells))) {
		const text = textOf(value);
		const read = readPhoneNumber(WRITTEN.exec(text)?.[1] ?? value, settings);
		const mayBeNumber = text.replace(/\D/g, '').length >= MIN_DIGITS && !UUID.test(text);
		if ('number' in read) numbers.push(read.number);
		else if (isTooDeep === true || mayBeNumber) texts.push(text);
	}
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
		const special = allowSpecialNumbers ? undefined : SPECIAL.get(likelyTypeOf(number) ?? 'MOBILE');
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
