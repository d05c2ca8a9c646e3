import escapeRegExp from 'lodash/escapeRegExp';
import { isTooDeep, MIN_SECRET_LENGTH } from './text';
import { parsedOrSame } from './json';

/** Replaces secrets in what a service or a socket says, so an echo of a key ends here. */
export interface Redact {
	/** In a text or a header, in every spelling that is known. */
	text(text: string): string;
	/** In each value and key of the body of a response, which stays JSON; data loses no word that is a key by chance. */
	body(text: string, holds: 'data' | 'error'): string;
}

const HIDDEN = '***';

/** Makes a redactor of secrets as they were sent; those that the credential refuses do not count. */
export function createRedactor(secrets: readonly string[]): Redact {
	const known = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_LENGTH);
	const hidden = { error: hiddenOf(known), data: hiddenOf(known.filter(isNoWord)) };
	return {
		text: (text) => hide(text, hidden.error),
		// Parses a body only where it holds a secret: most of them are large and do not.
		body: (text, holds) => {
			const redacted = hide(text, hidden[holds]);
			if (redacted === text && hidden[holds].numbers.length === 0) return text;
			const value = parsedOrSame(text);
			// What is no JSON, or too deep to be walked, is a text.
			if (value === text || isTooDeep(value)) return redacted;
			const written = JSON.stringify(hideInValue(value, hidden[holds]));
			return redacted === text && written === JSON.stringify(value) ? text : written;
		},
	};
}

/** Whether a secret is certainly no word, date or number of data: it is long, or has letters beside digits or signs. */
const isNoWord = (secret: string): boolean =>
	secret.length >= 16 || (/[a-z]/i.test(secret) && /[\d+=~$%*!#]/.test(secret));

/** What has to be hidden. */
interface Hidden {
	/** Every spelling of the secrets, the longest first; a pattern of plain texts, so its work grows as the text does. */
	readonly pattern: RegExp | undefined;
	/** The secrets that a number in JSON can be. */
	readonly numbers: readonly number[];
}

function hiddenOf(secrets: readonly string[]): Hidden {
	const spellings = secrets.flatMap(spellingsOf).toSorted((a, b) => b.length - a.length);
	return {
		pattern:
			spellings.length > 0 ? new RegExp(spellings.map(escapeRegExp).join('|'), 'gi') : undefined,
		numbers: secrets.filter((secret) => /^\d+$/.test(secret)).map(Number),
	};
}

/** Each way in which a text may have been encoded once more is undone, so many times. */
const ROUNDS = 3;

/** A secret as it is and decoded, as hex and as base64 at each of the three places where it may begin in other bytes. */
function spellingsOf(secret: string): string[] {
	// A form writes a blank as a plus.
	const plain = [secret, secret.replaceAll(' ', '+')];
	let decoded = secret;
	for (let round = 0; round < ROUNDS; round++) plain.push((decoded = decode(decoded)));
	const hex = Array.from(secret, (sign) => sign.charCodeAt(0).toString(16).padStart(2, '0'));
	// The digits of base64 that depend on these bytes alone.
	const base64 = [0, 1, 2].map((before) =>
		btoa('\0'.repeat(before) + secret).slice(
			Math.ceil((before * 8) / 6),
			Math.floor(((before + secret.length) * 8) / 6),
		),
	);
	const urlSafe = base64.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_'));
	const long = plain.filter((text) => text.length >= MIN_SECRET_LENGTH / 2);
	return [...new Set([...long, hex.join(''), ...base64, ...urlSafe])];
}

/**
 * An escape of JSON, of addresses or of HTML. A run of backslashes is nothing but the mark of what follows it, as texts of JSON in
 * JSON double them. Nothing that repeats is ever tried twice: whatever follows the run, the whole run is taken.
 */
const ESCAPE =
	/\\+(?:u([\da-f]{4})|x([\da-f]{2})|([^%&])|)|%([\da-f]{2})|&#x([\da-f]+);?|&#(\d+);?|&([a-z]{1,16});/gi;

/** Undoes one encoding; browsers take a character by its number without a semicolon, too. */
const decode = (text: string): string =>
	text.replace(
		ESCAPE,
		(
			escape: string,
			...[unicode, byte, sign, percent, hex, decimal, name]: ReadonlyArray<string | undefined>
		) => {
			if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? escape;
			const digits = unicode ?? byte ?? percent ?? hex;
			if (digits === undefined && decimal === undefined) return sign ?? '';
			const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16);
			return String.fromCharCode(Math.min(code, LAST_CODE));
		},
	);

const LAST_CODE = 0xffff;

/** The signs of ASCII by the names that HTML has for them. */
const ENTITIES = new Map(
	Object.entries({
		...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', excl: '!', num: '#' },
		...{ dollar: '$', percnt: '%', lpar: '(', rpar: ')', ast: '*', midast: '*', plus: '+' },
		...{ comma: ',', hyphen: '-', dash: '-', period: '.', sol: '/', colon: ':', semi: ';' },
		...{ equals: '=', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']' },
		...{ rbrack: ']', hat: '^', lowbar: '_', underbar: '_', grave: '`', diacriticalgrave: '`' },
		...{ lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
	}),
);

/** A text without secrets; one that has a secret in an encoding is decoded. */
function hide(text: string, { pattern }: Hidden): string {
	if (!pattern) return text;
	let shown = text.replace(pattern, HIDDEN);
	let decoded = shown;
	for (let round = 0; round < ROUNDS; round++) {
		const next = decode(decoded);
		if (next === decoded) break;
		decoded = next.replace(pattern, HIDDEN);
		if (decoded !== next) shown = decoded;
	}
	return shown;
}

function hideInValue(value: unknown, hidden: Hidden): unknown {
	if (typeof value === 'string') return hide(value, hidden);
	if (typeof value === 'number') return hidden.numbers.includes(value) ? HIDDEN : value;
	if (Array.isArray(value)) return value.map((entry) => hideInValue(entry, hidden));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [hide(key, hidden), hideInValue(member, hidden)]),
	);
}
