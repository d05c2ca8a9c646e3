import escapeRegExp from 'lodash/escapeRegExp';
import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';

/** Replaces the keys that were sent in a response; data keeps a key that could be a word of it. */
export type Redact = (text: string, holds: 'data' | 'error') => string;

const HIDDEN = '***';

/** Creates a redactor of keys: unchanged, as JSON or an address writes them, and in base64. */
export function createRedactor(secrets: readonly string[]): Redact {
	const longestFirst = sortBy(uniq(secrets), ({ length }) => -length).filter((key) => key !== '');
	const [keys, words] = partition(longestFirst, isNoWord);
	const everywhere = keys.flatMap(spellings);
	const asWord = words.map((word) => `(?<![a-z\\d])${escapable(word)}(?![a-z\\d])`);
	const patterns = {
		data: joinPatterns(everywhere),
		error: joinPatterns([...everywhere, ...asWord]),
	};
	return (text, holds) => text.replace(patterns[holds], HIDDEN);
}

const joinPatterns = (patterns: readonly string[]): RegExp =>
	new RegExp(patterns.join('|') || '(?!)', 'gi');

/** Whether a key is no word, date or number: 16 characters, or 8 with letters and digits or signs. */
const isNoWord = (key: string): boolean =>
	key.length >= 16 || (key.length >= 8 && /[a-z]/i.test(key) && /[\d+=~$%*!#]/.test(key));

/** The patterns of a key, and of its base64 wherever it may begin in other bytes. */
function spellings(key: string): string[] {
	// The digits of base64 that depend on the bytes of the key alone.
	const base64 = [0, 1, 2].map((before) =>
		btoa('\0'.repeat(before) + key).slice(
			Math.ceil((before * 8) / 6),
			Math.floor(((before + key.length) * 8) / 6),
		),
	);
	const urlSafe = base64.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_'));
	return uniq([key, ...base64, ...urlSafe]).map(escapable);
}

/** The pattern of a text whose signs may be escaped in an address or in JSON, up to twice. */
const escapable = (text: string): string =>
	text.replace(/\\+|[^\w\\]/g, (signs) => {
		const { length } = signs;
		const hex = signs.charCodeAt(0).toString(16).padStart(2, '0');
		const code = `(?:%(?:25)?${hex}|\\\\{1,3}u00${hex}){${length}}`;
		// Several backslashes are one step, because matching them one by one takes exponential time.
		if (signs.startsWith('\\')) return `(?:${code}|\\\\{${length},${4 * length}})`;
		return `(?:${code}|\\\\{0,3}${escapeRegExp(signs)}${signs === ' ' ? '|\\+' : ''})`;
	});
