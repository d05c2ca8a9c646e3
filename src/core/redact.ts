import { isDeeperThan } from './http';

/** Replaces secrets in what a service or a socket says, so an echo of a key ends here. */
export interface Redact {
	/** In a text, in every spelling that is known. */
	text(text: string): string;
	/** In each value and key of the body of a response, which stays JSON; data loses no word that is a key by chance. */
	body(text: string, holds: 'data' | 'error'): string;
	/** In a header. */
	header(text: string): string;
}

/** A shorter secret may be a part of any text; the credential refuses it. */
export const MIN_SECRET_LENGTH = 8;

const HIDDEN = '***';

/** Levels of a body that are read as JSON; a deeper one is a text. */
const MAX_DEPTH = 200;

/** Makes a redactor of secrets as they were sent; those that the credential refuses do not count. */
export function createRedactor(secrets: readonly string[]): Redact {
	const known = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	const error = createReplacer(known);
	const data = createReplacer(known.filter(isNoWord));
	return {
		text: error.replace,
		body: (text, holds) => redactBody(text, holds === 'data' ? data : error),
		header: error.replace,
	};
}

/** Whether a secret is certainly no word, date or number of data: it is long, or has letters beside digits or signs. */
const isNoWord = (secret: string): boolean =>
	secret.length >= 16 || (/[a-z]/i.test(secret) && /[\d+=~$%*!#]/.test(secret));

interface Replacer {
	readonly replace: (text: string) => string;
	/** The secrets that a number in JSON can be. */
	readonly numbers: readonly number[];
}

/** Each way in which a text may have been encoded once more is undone, so many times. */
const ROUNDS = 3;

function createReplacer(secrets: readonly string[]): Replacer {
	const patterns = new Set(secrets.flatMap(spellings).map((text) => text.toLowerCase()));
	const numbers = secrets.filter((secret) => /^\d+$/.test(secret)).map(Number);
	if (patterns.size === 0) return { replace: (text) => text, numbers };
	const automaton = createAutomaton([...patterns]);
	const replace = (text: string): string => {
		const hidden: Span[] = [];
		let units = plainUnits(text);
		for (let round = 0; round <= ROUNDS; round++) {
			hidden.push(...automaton(units));
			const decoded = round < ROUNDS ? decode(units) : undefined;
			if (!decoded) break;
			units = decoded;
		}
		return hidden.length === 0 ? text : without(text, hidden);
	};
	return { replace, numbers };
}

/** A secret as it is and decoded, as hex and as base64 at each of the three places where it may begin in other bytes. */
function spellings(secret: string): string[] {
	// A form writes a blank as a plus.
	const found = [secret, secret.replaceAll(' ', '+')];
	let units = plainUnits(secret);
	for (let round = 0; round < ROUNDS; round++) {
		units = decode(units) ?? units;
		found.push(textOf(units));
	}
	const bytes = Array.from(secret, (character) => character.charCodeAt(0));
	const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
	const base64 = [0, 1, 2].map((offset) => base64Of(bytes, offset));
	const urlSafe = base64.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_'));
	const long = found.filter((text) => text.length >= MIN_SECRET_LENGTH / 2);
	return [...long, hex, ...base64, ...urlSafe];
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The digits of base64 that depend on these bytes alone, where they follow `offset` others. */
function base64Of(bytes: readonly number[], offset: number): string {
	const bits = [...Array<number>(offset).fill(0), ...bytes]
		.map((byte) => byte.toString(2).padStart(8, '0'))
		.join('');
	const whole = Array.from({ length: Math.floor(bits.length / 6) }, (_, i) =>
		DIGITS.charAt(Number.parseInt(bits.slice(i * 6, i * 6 + 6), 2)),
	);
	return whole.slice(Math.ceil((offset * 8) / 6)).join('');
}

/** A text as units of code, each with the place in the text that it was written in; without places, each is its own. */
interface Units {
	readonly length: number;
	readonly code: (at: number) => number;
	readonly from: (at: number) => number;
	readonly to: (at: number) => number;
}

const plainUnits = (text: string): Units => ({
	length: text.length,
	code: (at) => text.charCodeAt(at),
	from: (at) => at,
	to: (at) => at + 1,
});

const textOf = (units: Units): string =>
	Array.from({ length: units.length }, (_, at) => String.fromCharCode(units.code(at))).join('');

const BACKSLASH = 0x5c;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const LETTER_U = 0x75;

/** Undoes one encoding of JSON, addresses and HTML, or is undefined where there is none. A unit is looked at a few times at most. */
function decode(units: Units): Units | undefined {
	const codes = new Uint16Array(units.length);
	const starts = new Uint32Array(units.length);
	const ends = new Uint32Array(units.length);
	let length = 0;
	for (let at = 0; at < units.length;) {
		const code = units.code(at);
		starts[length] = units.from(at);
		if (code === BACKSLASH || code === PERCENT || code === AMPERSAND) {
			const read = readEscape(units, at, code);
			at = read.next;
			if (read.code === undefined) continue;
			codes[length] = read.code;
		} else {
			codes[length] = code;
			at += 1;
		}
		ends[length] = units.to(at - 1);
		length += 1;
	}
	if (length === units.length) return undefined;
	return {
		length,
		code: (at) => codes[at] ?? 0,
		from: (at) => starts[at] ?? 0,
		to: (at) => ends[at] ?? 0,
	};
}

interface Escape {
	/** Undefined where it stands for nothing. */
	readonly code?: number;
	/** The place behind it. */
	readonly next: number;
}

function readEscape(units: Units, at: number, code: number): Escape {
	if (code === BACKSLASH) return readBackslashes(units, at);
	const read =
		code === PERCENT ? readHex(units, { from: at + 1, digits: 2 }) : readEntity(units, at);
	return read ?? { code, next: at + 1 };
}

/** A run of backslashes is nothing but the mark of what follows it: texts of JSON in JSON double them. */
function readBackslashes(units: Units, at: number): Escape {
	let next = at;
	while (next < units.length && units.code(next) === BACKSLASH) next += 1;
	if (next === units.length) return { next };
	const code = units.code(next);
	const digits = code === LETTER_U ? 4 : code === LETTER_X ? 2 : 0;
	const escaped = digits > 0 ? readHex(units, { from: next + 1, digits }) : undefined;
	if (escaped) return escaped.code === BACKSLASH ? { next: escaped.next } : escaped;
	return code === PERCENT || code === AMPERSAND ? { next } : { code, next: next + 1 };
}

function readHex(
	units: Units,
	{ from, digits }: { from: number; digits: number },
): Escape | undefined {
	if (from + digits > units.length) return undefined;
	let code = 0;
	for (let at = from; at < from + digits; at++) {
		const digit = hexDigit(units.code(at));
		if (digit === undefined) return undefined;
		code = code * 16 + digit;
	}
	return { code, next: from + digits };
}

function hexDigit(code: number): number | undefined {
	if (code >= 0x30 && code <= 0x39) return code - 0x30;
	const letter = (code | 0x20) - 0x61;
	return letter >= 0 && letter < 6 ? letter + 10 : undefined;
}

const HASH = 0x23;
const SEMICOLON = 0x3b;
const LETTER_X = 0x78;
const LAST_CODE = 0xffff;
const MAX_NAME = 16;

/** The signs of ASCII by the names that HTML has for them. */
const ENTITIES: Readonly<Record<string, string>> = {
	...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', excl: '!', num: '#' },
	...{ dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+' },
	...{ comma: ',', hyphen: '-', dash: '-', period: '.', sol: '/', colon: ':', semi: ';' },
	...{ equals: '=', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']' },
	...{ rbrack: ']', hat: '^', lowbar: '_', underbar: '_', grave: '`', diacriticalgrave: '`' },
	...{ lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
};

function readEntity(units: Units, at: number): Escape | undefined {
	if (at + 2 < units.length && units.code(at + 1) === HASH) return readNumbered(units, at + 2);
	let name = '';
	for (let next = at + 1; next < units.length && name.length <= MAX_NAME; next++) {
		if (units.code(next) === SEMICOLON) {
			const key = name.toLowerCase();
			const sign = Object.hasOwn(ENTITIES, key) ? ENTITIES[key] : undefined;
			return sign === undefined ? undefined : { code: sign.charCodeAt(0), next: next + 1 };
		}
		name += String.fromCharCode(units.code(next));
	}
	return undefined;
}

/** A character by its number, with any zeros before it and, as browsers take it, without a semicolon. */
function readNumbered(units: Units, at: number): Escape | undefined {
	const isHex = (units.code(at) | 0x20) === LETTER_X;
	const start = isHex ? at + 1 : at;
	let [code, next] = [0, start];
	for (; next < units.length; next++) {
		const digit = hexDigit(units.code(next));
		if (digit === undefined || (digit > 9 && !isHex)) break;
		code = Math.min(code * (isHex ? 16 : 10) + digit, LAST_CODE);
	}
	if (next === start) return undefined;
	const isClosed = next < units.length && units.code(next) === SEMICOLON;
	return { code, next: isClosed ? next + 1 : next };
}

/** A place in a text, from a character to before another. */
interface Span {
	readonly from: number;
	readonly to: number;
}

/** A state of the search for all patterns at once. */
interface State {
	readonly next: Map<number, State>;
	/** Where to go on when the next character does not fit. */
	fallback: State | undefined;
	/** The length of the longest pattern that ends here. */
	longest: number;
}

const newState = (): State => ({ next: new Map(), fallback: undefined, longest: 0 });

/** The search of Aho and Corasick: every pattern, capitals or not, in a walk that never goes back. */
function createAutomaton(patterns: readonly string[]): (units: Units) => Span[] {
	const root = newState();
	for (const pattern of patterns) {
		let state = root;
		for (let at = 0; at < pattern.length; at++) {
			const code = pattern.charCodeAt(at);
			const next = state.next.get(code) ?? newState();
			state.next.set(code, next);
			state = next;
		}
		state.longest = pattern.length;
	}
	linkFallbacks(root);
	return (units) => {
		const found: Span[] = [];
		let state = root;
		for (let at = 0; at < units.length; at++) {
			state = step(state, lower(units.code(at)), root);
			if (state.longest === 0) continue;
			const from = units.from(at - state.longest + 1);
			found.push({ from, to: units.to(at) });
		}
		return found;
	};
}

const lower = (code: number): number => (code >= 0x41 && code <= 0x5a ? code + 32 : code);

function step(from: State, code: number, root: State): State {
	let state: State | undefined = from;
	while (state) {
		const next = state.next.get(code);
		if (next) return next;
		state = state.fallback;
	}
	return root;
}

function linkFallbacks(root: State): void {
	const queue = [root];
	for (const state of queue) {
		for (const [code, next] of state.next) {
			next.fallback = state === root ? root : step(state.fallback ?? root, code, root);
			next.longest = Math.max(next.longest, next.fallback.longest);
			queue.push(next);
		}
	}
}

/** A text without the places that hold secrets; those that touch each other are one only where they overlap. */
function without(text: string, hidden: readonly Span[]): string {
	const inOrder = hidden.toSorted((a, b) => a.from - b.from || b.to - a.to);
	const parts: string[] = [];
	let end = 0;
	for (const { from, to } of inOrder) {
		if (from >= end) parts.push(text.slice(end, from), HIDDEN);
		end = Math.max(end, to);
	}
	return [...parts, text.slice(end)].join('');
}

/** Parses a body only where it holds a secret: most of them are large and do not. */
function redactBody(text: string, replacer: Replacer): string {
	const redacted = replacer.replace(text);
	if (redacted === text && replacer.numbers.length === 0) return text;
	const value = parse(text);
	// What is no JSON, or too deep to be walked, is a text.
	if (value === undefined || isDeeperThan(value, MAX_DEPTH)) return redacted;
	const written = JSON.stringify(redactValue(value, replacer));
	return redacted === text && written === JSON.stringify(value) ? text : written;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function redactValue(value: unknown, replacer: Replacer): unknown {
	if (typeof value === 'string') return replacer.replace(value);
	if (typeof value === 'number') return replacer.numbers.includes(value) ? HIDDEN : value;
	if (Array.isArray(value)) return value.map((entry) => redactValue(entry, replacer));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [
			replacer.replace(key),
			redactValue(member, replacer),
		]),
	);
}
