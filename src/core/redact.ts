import { escapeRegExp, sortBy } from 'lodash';

/** Replaces the keys of the credential in a response. */
export type Redact = (text: string) => string;

/** The least length of a key that other data does not contain by chance. */
const MIN_UNIQUE_LENGTH = 8;

/** Creates a redactor of keys: unchanged, as JSON or an address writes them, and in base64; short keys only as whole words. */
export function createRedactor(secrets: readonly string[]): Redact {
	const longestFirst = sortBy(secrets, ({ length }) => -length).filter((key) => key !== '');
	const patterns = longestFirst.map((key) => {
		const escapable = key.replace(/\W/g, (sign) => {
			const hex = sign.charCodeAt(0).toString(16);
			return `(?:(?:%|\\\\u00)${hex}|\\\\?${escapeRegExp(sign)})`;
		});
		// Base64 has groups of three bytes. Its outer characters may depend on the text around the key.
		const encoded = ['', ' ', '  '].map((before) => {
			const [start, end] = [before.length * 8, (before.length + key.length) * 8];
			return escapeRegExp(btoa(before + key).slice(Math.ceil(start / 6), Math.floor(end / 6)));
		});
		const pattern = `(?:${[escapable, ...encoded].join('|')})`;
		return key.length < MIN_UNIQUE_LENGTH ? `(?<![a-z\\d])${pattern}(?![a-z\\d])` : pattern;
	});
	// (?!) matches nothing, because there are no keys.
	const pattern = new RegExp(patterns.join('|') || '(?!)', 'gi');
	return (text) => text.replace(pattern, '***');
}
