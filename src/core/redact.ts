/** Replaces secrets in what a service or a socket says, so an echo of a key ends here. */
export interface Redact {
	/** In a text, also where JSON or an address encodes it. */
	text(text: string): string;
	/** In each value and key of the body of a response, which stays JSON; data loses no short text that is a key by chance. */
	body(text: string, holds: 'data' | 'error'): string;
	/** In a header, whatever the case: the host of an address has none. */
	header(text: string): string;
}

/** A shorter secret is replaced only where it is all of a text, since it may be a part of any other. */
const MIN_LENGTH = { data: 8, error: 4 } as const;

const HIDDEN = '***';

/** Makes a redactor of secrets as they were sent; empty ones do not count. */
export function createRedactor(secrets: readonly string[]): Redact {
	const known = [...new Set(secrets)].filter((secret) => secret !== '');
	const data = replacer(known, MIN_LENGTH.data, 'g');
	const error = replacer(known, MIN_LENGTH.error, 'g');
	return {
		text: error,
		body: (text, holds) => redactBody(text, known, holds === 'data' ? data : error),
		header: replacer(known, MIN_LENGTH.error, 'gi'),
	};
}

type Replace = (text: string) => string;

function replacer(secrets: readonly string[], minLength: number, flags: string): Replace {
	// The longest first, since one secret may begin with another.
	const long = secrets
		.filter((secret) => secret.length >= minLength)
		.sort((a, b) => b.length - a.length);
	const anywhere = new RegExp(long.map(patternOf).join('|'), flags);
	return (text) => {
		if (secrets.includes(text)) return HIDDEN;
		return long.length === 0 ? text : text.replace(anywhere, HIDDEN);
	};
}

/** Matches a secret with any of its characters written as an escape of JSON, once or several times over, or of an address. */
const patternOf = (secret: string): string =>
	Array.from(secret, (character) => {
		if (character === '\\') return String.raw`(?:\\+u005[cC]|%5[cC]|\\+)`;
		const code = character.charCodeAt(0).toString(16);
		const plain = character.replace(/[^\w ]/, '\\$&');
		const [escaped, encoded] = [anyCase(code.padStart(4, '0')), anyCase(code.padStart(2, '0'))];
		return String.raw`(?:\\+u${escaped}|%${encoded}|\\*${plain})`;
	}).join('');

const anyCase = (hex: string): string =>
	hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

/** Parses a body only where it may hold a secret: most of them are large and do not. */
function redactBody(text: string, secrets: readonly string[], replace: Replace): string {
	const shorts = secrets.filter(isShort);
	const mayHoldShort =
		shorts.length > 0 && (shorts.some((secret) => text.includes(secret)) || /[\\%]/.test(text));
	if (!mayHoldShort && replace(text) === text) return text;
	try {
		return JSON.stringify(redactValue(JSON.parse(text) as unknown, replace));
	} catch {
		return replace(text);
	}
}

const isShort = (secret: string): boolean => secret.length < MIN_LENGTH.data;

function redactValue(value: unknown, replace: Replace): unknown {
	if (typeof value === 'string') return replace(value);
	if (Array.isArray(value)) return value.map((entry) => redactValue(entry, replace));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, member]) => [replace(key), redactValue(member, replace)]),
	);
}
