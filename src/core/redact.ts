import { compact, escapeRegExp, sortBy } from 'lodash';

/** Replaces the keys of the credential in a response. */
export type Redact = (text: string) => string;

/** The least length of a key that other data does not contain by chance. */
const MIN_UNIQUE_LENGTH = 8;

/** Before a run of backslashes. JSON inside JSON writes several before a sign. */
const RUN_START = '(?<!\\\\)';

/** Creates a redactor of keys: unchanged, as JSON or an address writes them, and in base64; short keys only as whole words. */
export function createRedactor(secrets: readonly string[]): Redact {
	const longestFirst = sortBy(secrets, ({ length }) => -length).filter((key) => key !== '');
	const patterns = longestFirst.map((key) => {
		const pattern = `(?:${[toEscapable(key), ...listBase64(key).map(escapeRegExp)].join('|')})`;
		return key.length < MIN_UNIQUE_LENGTH ? `(?<![a-z\\d])${pattern}(?![a-z\\d])` : pattern;
	});
	// (?!) matches nothing, because there are no keys.
	const pattern = new RegExp(patterns.join('|') || '(?!)', 'gi');
	return (text) => text.replace(pattern, '***');
}

/** Builds the pattern of a key whose signs may be escaped. */
const toEscapable = (key: string): string =>
	key.replace(/\\+|\W/g, (sign) => {
		const { length } = sign;
		// A run of backslashes is one pattern, and begins at its start, because a search takes linear time then.
		if (sign.startsWith('\\'))
			return `(?:(?:%5c|${RUN_START}\\\\+u005c){${length}}|${RUN_START}\\\\{${length},})`;
		const hex = sign.charCodeAt(0).toString(16);
		return `(?:(?:%|${RUN_START}\\\\+u00)${hex}|(?:${RUN_START}\\\\+)?${escapeRegExp(sign)})`;
	});

/** Lists the spellings of a key in base64, which depend on the number of bytes before the key. */
const listBase64 = (key: string): string[] =>
	compact(
		['', ' ', '  '].map((before) => {
			const startBit = before.length * 8;
			const endBit = startBit + key.length * 8;
			return btoa(before + key).slice(Math.ceil(startBit / 6), Math.floor(endBit / 6));
		}),
	);
