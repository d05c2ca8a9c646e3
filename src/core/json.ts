import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { isBlank, isTooDeep, MAX_DEPTH, MAX_NAME, textOf } from './text';
import { problemsOf } from './operation';

/** Whether a value is a plain object; most are of this realm, which is quicker to see. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' &&
	value !== null &&
	(Object.getPrototypeOf(value) === Object.prototype || isPlainObject(value));

/** Names of objects in which CRMs and tables keep what belongs to the person of a row. */
const OWN =
	/^(properties|fields|attributes|all|data|body|record|profile|traits|column(s|_values)?|dynamicVariables|custom(_?(field|attribute|propert|value|data).*)?|user_?fields|meta_?data|(customer|contact|person|client|lead|subscriber|member|patient|attendee|guest|recipient)(_?(data|details|info))?|.*(preference|setting|consent|permission|privacy|gdpr).*|(?!.*(billing|shipping|delivery|invoice)).*address(es)?|location|country|(tele)?phone|mobile)$/i;
export const isOwnName = (name: string): boolean => OWN.test(name.slice(0, MAX_NAME));

const digitsOf = (value: unknown): string => textOf(value).normalize('NFKC').replace(/\D/g, '');
const MIN_DIGITS = 6;
const MAX_HOLDERS = 8;

/** Where the numbers of a row stand, which are looked for once however many of them are called. */
const holders = new WeakMap<object, ReadonlyMap<string, ReadonlySet<object>>>();

function holdersIn(row: object): ReadonlyMap<string, ReadonlySet<object>> {
	const found = new Map<string, Set<object>>();
	const values: Array<{ value: object; around: readonly object[] }> = [
		{ value: row, around: [row] },
	];
	// It grows while it is walked through.
	for (const { value, around } of values)
		for (const member of Object.values(value)) {
			const inner = unpacked(member);
			if (typeof inner === 'object' && inner !== null) {
				// What is inside of a row is about one of several people, and the row about none of them.
				const outer = around.filter((each) => each !== row).slice(1 - MAX_HOLDERS);
				values.push({ value: inner, around: isRecord(inner) ? [...outer, inner] : around });
				continue;
			}
			const digits = digitsOf(inner);
			if (digits.length < MIN_DIGITS) continue;
			const all = found.get(digits) ?? new Set();
			for (const each of around) all.add(each);
			found.set(digits, all);
		}
	return found;
}

/** The objects in a row that have this number, however it is written and however deep it stands: what is in them is about its person. */
export function holdersOf(row: unknown, number: unknown): readonly object[] {
	const digits = digitsOf(number);
	if (typeof row !== 'object' || row === null || digits.length < MIN_DIGITS) return [];
	const found = holders.get(row) ?? holdersIn(row);
	holders.set(row, found);
	return [...(found.get(digits) ?? [])];
}

export const LABELS = ['name', 'label', 'title', 'column', 'key', 'field'].concat([
	'field_name',
	'question',
	'id',
]);
const VALUES = ['value', 'answer', 'response', 'field_value', 'values'];

/** A label may be part of what is asked: `field: { title: 'May we call you?' }`. */
const labelIn = (label: unknown): unknown =>
	isRecord(label) ? (label['title'] ?? label['text'] ?? label['name']) : label;

/** The name of an entry of a list, and the member that has its value, as custom fields of a CRM and answers of a form have. */
export function labelOf(entry: object): readonly [label?: string, member?: string] {
	const { type, field } = entry as Readonly<Record<string, unknown>>;
	// A form may say in the type of an answer which member it is: `{ type: 'boolean', boolean: false, field }`.
	const typed = isRecord(field) ? [String(type)] : [];
	// On a board the text says what the value means: `{ title: 'Country', text: 'France', value: null }`.
	const written = 'title' in entry || 'column' in entry ? ['text'] : [];
	const members = [...written, ...VALUES, ...typed].filter((name) => name in entry);
	const member = members.find((name) => !isBlank(Reflect.get(entry, name))) ?? members[0];
	if (member === undefined) return [];
	// What stands beside an answer is its question; beside a value it may be the same in words.
	const label = (member === 'answer' ? ['text', ...LABELS] : LABELS)
		.map((name) => labelIn(Reflect.get(entry, name)))
		.find((text): text is string => typeof text === 'string' && text !== '');
	return label === undefined ? [] : [label, member];
}

/** A JSON parameter: an object or array as it is, or text that holds one. */
export const jsonParameter = z.unknown().transform((value, context) => {
	const read = typeof value === 'string' ? readJson(value) : { value };
	const problem = 'value' in read ? unfit(read.value) : read.problem;
	if (problem === undefined && 'value' in read) return read.value;
	// What follows in a pipe would judge a value that is not there.
	context.addIssue({ code: 'custom', message: problem, continue: false });
	return z.NEVER;
});

function unfit(value: unknown): string | undefined {
	if (typeof value === 'object' && value !== null && !Array.isArray(value) && !isRecord(value))
		return 'is an object that JSON cannot hold, such as a date or a map. Correct its expression';
	return isTooDeep(value) ? `is nested deeper than ${MAX_DEPTH} levels. Flatten it` : undefined;
}

/** What a field of ClickUp has: it gives the position of an option, or the IDs of some, in place of its name; 0 is no answer. */
export function chosenOf(field: object, value: unknown): unknown {
	const options: unknown = get(field, 'type_config.options');
	if (!Array.isArray(options) || isBlank(value)) return value;
	return [value].flat().map((each) => {
		const isChosen = (option: unknown): boolean =>
			get(option, 'orderindex') === each || get(option, 'id') === each;
		const chosen: unknown = options.find(isChosen);
		return get(chosen, 'name') ?? get(chosen, 'label') ?? `option ${String(each)}`;
	});
}

/** What a text holds as JSON, whatever else may be wrong with it; anything else stays as it is. */
export function parsedOrSame(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

/** The object or list that a text holds as JSON; anything else stays as it is. */
export const unpacked = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[[{]/.test(value) ? parsedOrSame(value) : value;

function readJson(text: string): { value: unknown } | { problem: string } {
	if (text.trim() === '') return { problem: 'is empty. Enter JSON' };
	try {
		const value = JSON.parse(text) as unknown;
		const problem = lossIn(text);
		return problem === undefined ? { value } : { problem };
	} catch (error) {
		const reason = error instanceof Error ? error.message : '';
		return { problem: `is not valid JSON (${reason}). Check quotes, commas and brackets` };
	}
}

/** What JSON itself loses without a word: a whole number too large to be exact, and all but the last of keys that are the same. */
function lossIn(text: string): string | undefined {
	const open: Array<Set<string>> = [];
	for (let at = 0; at < text.length; at++) {
		if (text[at] === '{') open.push(new Set());
		else if (text[at] === '}') open.pop();
		else if (text[at] === '"') {
			const start = at;
			at = endOfText(text, start);
			COLON.lastIndex = at + 1;
			if (!COLON.test(text)) continue;
			// A letter may be written as an escape, too.
			const key = JSON.stringify(JSON.parse(text.slice(start, at + 1)));
			const keys = open.at(-1);
			if (keys?.has(key)) return `contains ${key} twice in one object. Remove one`;
			keys?.add(key);
		} else {
			NUMBER.lastIndex = at;
			const [number, rest] = NUMBER.exec(text) ?? [];
			if (number === undefined) continue;
			if (rest === undefined && !Number.isSafeInteger(Number(number)))
				return `contains the number ${number.slice(0, 40)}, which would be rounded. Put it in quotes`;
			at += number.length - 1;
		}
	}
	return undefined;
}

/** A number of JSON as a whole, with what makes it no whole number: from each of its digits a walk would begin anew. */
const NUMBER = /-?\d+([.eE][-+.eE\d]*)?/y;

const COLON = /\s*:/y;

/** Where the text that begins at a quote ends; a pattern would run out of stack on a long one. */
function endOfText(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/** Whether a value can be written as JSON, which what expressions give may not, e.g. where it is nested too deeply. */
export function fitsJson(value: unknown): boolean {
	try {
		return JSON.stringify(value, refuseLost) !== undefined;
	} catch {
		return false;
	}
}

/** JSON would make nothing of a number that is none. */
function refuseLost(_key: string, value: unknown): unknown {
	if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError('not a number');
	return value;
}

/** The values in JSON that holds one or a list of them, also as the body of a request: `{"conversations": […]}`. */
export function listIn(value: unknown, what: string): readonly unknown[] {
	const name = `${what}s`;
	const inBody: unknown = isRecord(value) && isEqual(Object.keys(value), [name]) && value[name];
	if (Array.isArray(inBody)) return inBody;
	return Array.isArray(value) ? value : [value];
}

/** A JSON parameter that holds one value or a list of them; a problem names the place in the list. */
export const jsonList = <T>(schema: z.ZodType<T>, what: string): z.ZodType<T[]> =>
	jsonParameter.transform((value, context) => {
		const list = listIn(value, what);
		const many = list[0] !== value;
		if (list.length === 0)
			context.addIssue({ code: 'custom', message: `is an empty list. Enter a ${what}` });
		return list.flatMap((entry, index) => {
			const parsed = schema.safeParse(entry);
			if (parsed.success) return [parsed.data];
			for (const { path, message } of problemsOf(parsed.error, many ? [index] : [])) {
				context.addIssue({ code: 'custom', path: [...path], message });
			}
			return [];
		});
	});
