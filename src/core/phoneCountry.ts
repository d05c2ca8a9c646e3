import once from 'lodash/once';
import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';
import type { CountryCode } from './libphonenumber';
import { callingCodeOf, isCountry, metadata } from './libphonenumber';
import { isOwnName, isRecord, labelOf, unpacked } from './json';
import * as words from './phone/countryWords';
import { isBlank, shorten, textOf, visible } from './text';
import { saysYesOrNo } from './yesNo';

/** A name without blanks, signs and accents; the vowels of other scripts stay. */
const plain = (name: string): string =>
	name
		.replace(/(?<=[^\p{L}])(the|of|and)(?!\p{L})|(?<!\p{L})the(?=\s)/giu, '')
		.normalize('NFD')
		.toLowerCase()
		.replace(/[\u0300-\u036f]|[^\p{L}\p{M}]/gu, '')
		.replace(/saint/g, 'st');

/** The countries by their names, and by their codes of three letters; a name of two countries is none. */
const countryNames = once((): ReadonlyMap<string, CountryCode | undefined> => {
	const found = new Map<string, CountryCode | undefined>();
	const add = (name: string, code: CountryCode): void => {
		const key = plain(name);
		found.set(key, found.has(key) && found.get(key) !== code ? undefined : code);
	};
	const countries = Object.keys(metadata.countries).filter(isCountry);
	const spoken = countries.map((code) => new Intl.Locale(`und-${code}`).maximize());
	const languages = uniq(spoken.map(({ language, script }) => `${language}-${script}`));
	const displays = ['en', 'ga', ...languages].flatMap((language) =>
		(['long', 'short'] as const).map(
			(style) => new Intl.DisplayNames(language, { type: 'region', style }),
		),
	);
	for (const code of countries) {
		const names = uniq(displays.map((display) => display.of(code) ?? code));
		// A short one may be the code of another country.
		for (const name of names) if (!/^\p{Script=Latin}{1,3}$/u.test(plain(name))) add(name, code);
		for (const name of words.OTHER_NAMES[code]?.split(', ') ?? []) add(name, code);
	}
	for (const codes of words.ALPHA3.split(' ')) {
		const code = codes.slice(3) || codes.slice(0, 2);
		if (isCountry(code)) add(codes.slice(0, 3), code);
	}
	return found;
});

/** The name of a country that a text is, also as the full name of its state. */
const nameIn = (text: string): string | undefined =>
	uniq([text, text.replace(words.FORMS, '')])
		.map(plain)
		.find((name) => countryNames().has(name));

/** The country that a calling code such as +91, 0049 or 1 belongs to; of several with one code the main one. */
function countryOfCode(digits: string): CountryCode | undefined {
	const code = digits.replace(/^(\+|00)/, '');
	// In North America an area may stand behind it: +1-868.
	const [main] = metadata.country_calling_codes[code.replace(/^1\d{3}$/, '1')] ?? [];
	return main !== undefined && isCountry(main) ? main : undefined;
}

/**
 * The country of digits alone, which may be its calling code or, without the zeros that a spreadsheet drops, its number in ISO 3166-1;
 * none where they are the one of a country and the other of another one.
 */
function countryOfDigits(digits: string, column: string): CountryCode | undefined {
	const coded = countryOfCode(digits);
	const isCode = words.OF_CALLS.test(column) || (words.OF_CODE.test(column) && digits.length < 3);
	if (/\D|\d{4}|00\d\d/.test(digits) || isCode) return coded;
	const { region = '' } = new Intl.Locale(`und-${digits.padStart(3, '0')}`);
	if (!isCountry(region)) return coded;
	const { country_calling_codes: codes, nonGeographic } = metadata;
	const isOther = callingCodeOf(region) !== digits && (digits in codes || digits in nonGeographic);
	return isOther ? undefined : region;
}

const MAX_TEXT = 100;
const MAX_NAME = 60;
const BETWEEN = /[()[\]{}/|,;:]|\s[-–—]\s|(?<=\+\d{1,3})\s|\s(?=\+\d)/;
/**
 * The country in a cell: its codes in ISO 3166, its name in any language of a country, a calling code, or several of these that agree,
 * as "United States (US)". Undefined where it is none that is known; what digits mean depends on the name of their column.
 */
export function readCountry(value: unknown, column = 'country code'): CountryCode | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = visible(String(value).slice(0, MAX_TEXT).normalize('NFKC'));
	const digits = text.replace(/\(0\)|[\s()[\]'"/-]|\.0+$/g, '');
	if (/^(\+|00)?(\d{1,3}|1\d{3})$/.test(digits)) return countryOfDigits(digits, wordsOf(column));
	const code = text.replace(/[.\s'"]/g, '').toUpperCase();
	if (/^[A-Z]{2}$/.test(code) && isCountry(code)) return code;
	const name = /\d/.test(text) ? undefined : nameIn(text);
	if (name !== undefined) return countryNames().get(name);
	const parts = text.split(BETWEEN).filter(visible);
	if (parts[0] === text) return undefined;
	const [first, ...others] = parts.map((part) => readCountry(part, column));
	return first && others.every((other) => other && callingCodeOf(other) === callingCodeOf(first))
		? first
		: undefined;
}

const ANY_WORD = `(?:${words.COUNTRY_WORDS}|${words.WIDE_WORDS})`;
const COUNTRY = new RegExp(
	`^(?:(?:${words.BESIDE}) )*${ANY_WORD}(?: (?:${words.BESIDE}|${ANY_WORD}))*$`,
);
const WIDE = new RegExp(`(?<![^ ])(?:${words.WIDE_WORDS})(?![^ ])`);
const LAND = /(?<![^ ])land(?![^ ])/;
const OF_COUNTRY = new RegExp(
	`^(?:iso|alpha)(?: code)?$|^(?!.*(?:${words.OTHERS})).*(?:countr|ország|国(?![内际籍])|国家|국가|(?<!bundes)land(?![^ ])|(?<![^ ])(?:cc|${ANY_WORD})(?![^ ]))`,
);
/** Those in which what cannot be read is meant as one; others have its risk, who pays, or what a plot is used for. */
const MEANT = new RegExp(`(?:country|\\p{L}land)(?: (?:select|${words.BESIDE}))*$`, 'u');
/** Those in which it is one with its sign alone, as others have an area, a branch or a product. */
const OF_SIGNED = /code|vorwahl|kierunkow|netnummer|land(e|s)?(nummer|kode|kod)/;
const CALLING_CODE = /^\s*(\+|00)?\d{1,3}\s*$/;
/** One with its sign, whatever stands around it: "UK (+44)". */
const SIGNED = /^(.*[^\p{L}\p{N}])?([+＋]|^00)\D?\d{1,4}(?!.*[1-9])/su;
const isSignedCode = (text: string): boolean => text.length < MAX_NAME && SIGNED.test(text);
/** Beside a name that is one of these or longer; that of a state of North America is none. */
const FULL_NAME =
	/^(?!\W*georgia\W*$|\P{N}*\p{N})(\P{L}*(U\.?S\.?A|U\.?K|UAE)\P{L}*|.*(\p{L}{4}|[^\P{L}\p{Script=Latin}]{2}).*)$/isu;
/** Members of what another name tells. */
const VALUE =
	/^((display_)?name|label|title|value|(plain_|rich_)?text|content|formatted|code|(multi_)?select)$/;
/** A text with the number of a house or a postal code before the name of its country. */
const ADDRESS = /^(?=.{0,99}$)(?=.*\d).*[,\n].*[,\n]/s;
const mayName = ([key, member]: readonly [string, unknown]): boolean =>
	typeof member === 'object' || VALUE.test(key) || CALLING_CODE.test(textOf(member));
const MAX_DEPTH = 8;
const MAX_CELLS = 2_000;

const wordsOf = (name: string): string =>
	name
		.slice(0, MAX_TEXT)
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.toLowerCase()
		.replace(/[^\p{L}\p{M}]+/gu, ' ')
		.trim();

const OF_OTHERS = new RegExp(words.OTHERS);
/** Whether what is in such a column may end with the country where someone is. */
const isPlaceName = (name: string, text: string): boolean => {
	const column = wordsOf(name)
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '');
	const isPlace = words.PLACE.test(column) || (text.includes(',') && words.TOWN.test(column));
	return isPlace && !OF_OTHERS.test(column);
};

/** Whether a cell may name a part of a country: in a column Land a state of Germany, unless the user chose a country near it. */
const isState = (column: string, text: string, chosen = ''): boolean =>
	LAND.test(column)
		? !words.COUNTRIES_WITH_LAND.includes(chosen) && words.STATES_OF_GERMANY.test(text)
		: WIDE.test(column) && /^\W*[a-z]\W*[a-z]\W*$/i.test(text);

/** The cells of a row with their names, also those within objects, the nearest first. */
function cellsIn(row: unknown) {
	const found = [{ name: '', within: '', value: row, isOwn: true, depth: 0 }];
	// It grows while it is walked through.
	for (const { name, within, value, isOwn: isOfOwn, depth } of found) {
		const inner = unpacked(value);
		if (typeof inner !== 'object' || inner === null || depth >= MAX_DEPTH) continue;
		// What is noted about a row, as where its visitor was, is asked only beside that.
		const isOwn = isOfOwn && (name === '' || (isOwnName(name) && !/^meta/i.test(name)));
		const [label = '', labelled] = labelOf(inner);
		// What a country consists of says which, as a part of a phone may: `country: { code: 'DE' }`, `phone: { iso2: 'de' }`.
		const isOfCountry = OF_COUNTRY.test(wordsOf(name));
		const aroundOf = (key: string): string =>
			isOfCountry
				? `${name} `
				: /phone|mobile/i.test(name) && /^(iso\d?|region|code)$/i.test(key)
					? 'country '
					: '';
		const entries = Object.entries(inner).slice(0, MAX_CELLS - found.length);
		// Of a country one member that is known is enough, else those that would say it.
		const known = entries.filter(
			([, member]) => isOfCountry && /\D/.test(textOf(member)) && readCountry(member),
		);
		const members = isOfCountry && isRecord(inner) ? entries.filter(mayName) : entries;
		for (const [key, member] of known.length > 0 ? known : members) {
			const own = key === labelled ? label : key;
			const named = Array.isArray(inner)
				? { name, within }
				: { name: aroundOf(own) + own, within: VALUE.test(own) ? within : own };
			found.push({ ...named, value: member, isOwn, depth: depth + 1 });
		}
	}
	return found;
}

/** A cell that says a country; `isSure` where its column can say nothing else, and null where that is none that is known. */
export interface CountryCell {
	readonly name: string;
	readonly text: string;
	readonly isSure: boolean;
	/** Whether it is about the person of the row. */
	readonly isOwn: boolean;
	readonly country: CountryCode | null;
}

/** The country whose full name a text is, in whatever signs, or that it ends with, as an address does. */
const countryNamed = (text: string): CountryCode | undefined =>
	uniq([text, text.slice(-MAX_TEXT).replace(/^.*[,;\n]/s, '')])
		.filter((part) => part.length <= MAX_NAME && !/:\/\//.test(part))
		.flatMap((part) => uniq([part, ...part.split(/[()[\]{}/|]|\s[-–—]\s/)]))
		.filter((part) => FULL_NAME.test(part))
		.map((part) => countryNames().get(nameIn(part) ?? ''))
		.find((country) => country !== undefined);

/** Whether a text in a column of countries is meant as one: no number, ID, date or yes. */
const isWord = (text: string): boolean =>
	words.NAMIBIA.test(text) ||
	(/\p{L}|\p{RI}/u.test(text) &&
		(/\s/.test(text) || !/[\d@]|:\/\//.test(text)) &&
		!saysYesOrNo(text));

/** Whether a text in a column of countries that cannot be read as one is a people, or the size or price of a plot. */
const isOther = (column: string, text: string): boolean =>
	/(?<![^ ])nation(?![^ ])/.test(column) || (WIDE.test(column) && /\d/.test(text));

/** The cells of a row that say in which country its numbers may be. */
export const countryCells = (row: unknown, chosen?: CountryCode): CountryCell[] =>
	cellsIn(row).flatMap(({ name, within, value, isOwn }) => {
		const text = typeof unpacked(value) === 'object' ? '' : textOf(value ?? '');
		if (isBlank(text) || words.NONE.test(text)) return [];
		const column = wordsOf(name);
		const isNamed = isOwn && COUNTRY.test(column);
		const isOfCountry = isNamed || OF_COUNTRY.test(column);
		const isOfCode = words.OF_CODE.test(column);
		const isSigned = isSignedCode(text) && (isOfCountry || isOfCode || OF_SIGNED.test(column));
		const isCode = isNamed || isSigned || isOfCode;
		// Mr. is a prefix, too.
		const isAsked =
			isOfCountry || isSigned || (isOfCode && /\D/.test(text) && !/prefi/.test(column));
		const cell = (country: CountryCode | null): CountryCell[] => [
			{ name, text, isSure: isNamed && !isState(column, text, chosen), country, isOwn },
		];
		if (CALLING_CODE.test(text) ? isCode : isAsked) {
			const country = words.NAMIBIA.test(text) ? undefined : readCountry(value, column);
			if (country || (isNamed && !isOther(column, text)) || (isOfCode && isSigned))
				return cell(country ?? null);
		}
		const isPlace = isOfCountry || ADDRESS.test(text) || isPlaceName(within, text);
		const named = isPlace ? countryNamed(text) : undefined;
		if (named) return cell(named);
		return isOfCountry && MEANT.test(column) && isWord(text) ? cell(null) : [];
	});

/**
 * The country of the numbers in a row, where all that it says of itself agrees, else the one that the user chose; or why it is not
 * plain, and what to do.
 */
export function countryOfRow(
	row: unknown,
	chosen?: CountryCode,
): {
	readonly country?: CountryCode | undefined;
	readonly column?: string;
	readonly unclear?: string;
} {
	const codeOf = (country: CountryCode | null | undefined) => country && callingCodeOf(country);
	const cells = countryCells(row, chosen);
	const own = cells.filter(({ isOwn }) => isOwn);
	const asked = own.length > 0 ? own : cells;
	// What may be about something else is not asked where the row says it.
	const said = asked.some(({ isSure }) => isSure)
		? asked.filter(({ isSure, text }) => isSure || CALLING_CODE.test(text) || isSignedCode(text))
		: asked.filter(
				({ country, text }) => country || chosen !== 'DE' || !words.STATES_OF_GERMANY.test(text),
			);
	const [first, other] = uniqBy(
		sortBy(said, ({ isSure }) => !isSure),
		({ country }) => codeOf(country),
	);
	if (first === undefined) return { country: chosen };
	const says = ({ name, text }: CountryCell): string =>
		`'${shorten(name, 40)}' says "${shorten(text, 40)}"`;
	const unclear = (why: string) => ({ unclear: `${says(first)}${why}` });
	if (other) return unclear(` and ${says(other)}. Correct or remove the wrong one`);
	if (words.NAMIBIA.test(first.text))
		return unclear(', which may be Namibia or nothing. Write Namibia, or leave it empty');
	if (!first.country)
		return unclear(
			`, which is not a known country. ${first.isSure ? 'Use two letters, e.g. US or DE' : ADD_COLUMN}`,
		);
	if (first.isSure) return { country: first.country, column: first.name };
	if (codeOf(first.country) === codeOf(chosen)) return { country: chosen };
	return unclear(`${chosen ? ` while Default Country is ${chosen}` : ''}. ${ADD_COLUMN}`);
}

const ADD_COLUMN = 'Add a column Country that says where the phone is, or remove this one';
