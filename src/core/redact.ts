import { compact, escapeRegExp, sortBy } from 'lodash';

/** Replaces the secrets of the credential in a response. */
export type Redact = (text: string) => string;

/** The least length of a secret that other data does not contain by chance. */
const MIN_UNIQUE_LENGTH = 8;

/** A whole sequence of backslashes, because JSON inside JSON writes several before a character. */
const BACKSLASHES = '(?<!\\\\)\\\\+';

/** Creates a function that replaces secrets in a text, also if escaped in JSON or a URL, or in base64. */
export function createRedactor(secrets: readonly string[]): Redact {
	// A secret may contain a shorter one.
	const longestFirst = sortBy(secrets, ({ length }) => -length).filter((secret) => secret !== '');
	const patterns = longestFirst.map((secret) => {
		const pattern = `(?:${[toEscapable(secret), ...listBase64(secret).map(escapeRegExp)].join('|')})`;
		// A short secret may be a part of other words.
		return secret.length < MIN_UNIQUE_LENGTH ? `(?<![a-z\\d])${pattern}(?![a-z\\d])` : pattern;
	});
	// Without secrets the pattern is (?!), which matches nothing.
	const pattern = new RegExp(patterns.join('|') || '(?!)', 'gi');
	// Short secrets are left out, because escaped letters hide the limits of a word.
	const longSecrets = longestFirst.filter(({ length }) => length >= MIN_UNIQUE_LENGTH);
	const escapedPattern = new RegExp(longSecrets.map(toFullyEscapable).join('|') || '(?!)', 'gi');
	return (text) => {
		// Few responses escape letters, so most are searched once.
		const redacted = text.includes('\\u00') ? text.replace(escapedPattern, '***') : text;
		return redacted.replace(pattern, '***');
	};
}

/** Builds the pattern of a secret whose every character may be escaped: "k" as "\u006b". Secrets are printable ASCII. */
const toFullyEscapable = (secret: string): string =>
	Array.from(secret, (character) => {
		const hex = character.charCodeAt(0).toString(16);
		return `(?:${BACKSLASHES}u00${hex}|${escapeRegExp(character)})`;
	}).join('');

/** Builds the pattern of a secret whose special characters may be escaped: "/" as "%2f", "\u002f" or "\/". */
const toEscapable = (secret: string): string =>
	secret.replace(/\\+|\W/g, (part) => {
		const { length } = part;
		// Escaping may double backslashes. They match only from the first, because a search from each takes quadratic time.
		if (part.startsWith('\\'))
			return `(?:(?:%5c|${BACKSLASHES}u005c){${length}}|(?<!\\\\)\\\\{${length},})`;
		const hex = part.charCodeAt(0).toString(16); // Two digits, because secrets are printable ASCII.
		return `(?:(?:%|${BACKSLASHES}u00)${hex}|(?:${BACKSLASHES})?${escapeRegExp(part)})`;
	});

/** Lists the forms of a secret in base64, which depend on the number of bytes before it, modulo 3. */
const listBase64 = (secret: string): string[] =>
	compact(
		['', ' ', '  '].map((before) => {
			// A base64 character has 6 bits. Only those that belong to the secret alone are kept.
			const startBit = before.length * 8;
			const endBit = startBit + secret.length * 8;
			return btoa(before + secret).slice(Math.ceil(startBit / 6), Math.floor(endBit / 6));
		}),
	);
