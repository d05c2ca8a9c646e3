import { compact, escapeRegExp, sortBy } from 'lodash';

/** Replaces the keys of the credential in a response. */
export type Redact = (text: string) => string;

/** The least length of a key that other data does not contain by chance. */
const MIN_UNIQUE_LENGTH = 8;

/** A whole sequence of backslashes, because JSON inside JSON writes several before a character. */
const BACKSLASHES = '(?<!\\\\)\\\\+';

/** Creates a function that replaces keys in a text, also if escaped in JSON or an address, or in base64. */
export function createRedactor(secrets: readonly string[]): Redact {
	// A key may contain a shorter one.
	const longestFirst = sortBy(secrets, ({ length }) => -length).filter((key) => key !== '');
	const patterns = longestFirst.map((key) => {
		const pattern = `(?:${[toEscapable(key), ...listBase64(key).map(escapeRegExp)].join('|')})`;
		// A short key may be a part of other words.
		return key.length < MIN_UNIQUE_LENGTH ? `(?<![a-z\\d])${pattern}(?![a-z\\d])` : pattern;
	});
	// Without keys the pattern is (?!), which matches nothing.
	const pattern = new RegExp(patterns.join('|') || '(?!)', 'gi');
	const uniqueKeys = longestFirst.filter(({ length }) => length >= MIN_UNIQUE_LENGTH);
	const escapedPattern = new RegExp(uniqueKeys.map(toFullyEscapable).join('|') || '(?!)', 'gi');
	return (text) => {
		// Few responses escape letters, so most are searched once.
		const redacted = text.includes('\\u00') ? text.replace(escapedPattern, '***') : text;
		return redacted.replace(pattern, '***');
	};
}

/** Builds the pattern of a key whose letters may also be escaped: "k" as "\u006b". */
const toFullyEscapable = (key: string): string =>
	Array.from(key, (character) => {
		const hex = character.charCodeAt(0).toString(16);
		return `(?:${BACKSLASHES}u00${hex}|${escapeRegExp(character)})`;
	}).join('');

/** Builds the pattern of a key whose characters may be escaped: "/" as "%2f", "\u002f" or "\/". */
const toEscapable = (key: string): string =>
	key.replace(/\\+|\W/g, (part) => {
		const { length } = part;
		// A sequence of backslashes is matched only from its start, because a search from each of them takes quadratic time.
		if (part.startsWith('\\'))
			return `(?:(?:%5c|${BACKSLASHES}u005c){${length}}|(?<!\\\\)\\\\{${length},})`;
		const hex = part.charCodeAt(0).toString(16);
		return `(?:(?:%|${BACKSLASHES}u00)${hex}|(?:${BACKSLASHES})?${escapeRegExp(part)})`;
	});

/** Lists the forms of a key in base64, which depend on the number of bytes before the key, modulo 3. */
const listBase64 = (key: string): string[] =>
	compact(
		['', ' ', '  '].map((before) => {
			// A base64 character has 6 bits. Only those that belong to the key alone are kept.
			const startBit = before.length * 8;
			const endBit = startBit + key.length * 8;
			return btoa(before + key).slice(Math.ceil(startBit / 6), Math.floor(endBit / 6));
		}),
	);
