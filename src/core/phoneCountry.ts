import once from 'lodash/once';
import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import uniqBy from 'lodash/uniqBy';
import type { CountryCode } from './libphonenumber';
import { callingCodeOf, isCountry, metadata } from './libphonenumber';
import { OWN } from './json';
import { ALPHA3 } from './phone/alpha3';
import { isBlank, shorten, textOf, visible } from './text';

/** Names that people write besides those that Node knows; Congo is two countries. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	US: 'US, United States of America, America, Vereinigte Staaten von Amerika, États-Unis d’Amérique, Estados Unidos de América, Stati Uniti d’America, EE. UU., EUA',
	GB: 'UK, Great Britain, Britain, England, Scotland, Wales, Northern Ireland, Großbritannien, Grande-Bretagne, Gran Bretaña, Gran Bretagna, Groot-Brittannië, Wielka Brytania, Storbritannien, United Kingdom of Great Britain and Northern Ireland',
	...{ DE: 'D, BRD', NL: 'Holland, Olanda, Holanda, Hollande', AE: 'UAE, Emirates', TR: 'Turkey' },
	CZ: 'Czech Republic, Tschechische Republik, République tchèque, República Checa, Česká republika',
	...{ CN: 'PRC, People’s Republic of China, China People’s Republic of', HK: 'Hong Kong China' },
	TW: 'Republic of China, China Republic of, Taiwan China, Taiwan Province of China',
	...{
		KR: 'Korea, Korea South',
		KP: 'Democratic People’s Republic of Korea, Korea Democratic People’s Republic of, Korea North, DPRK',
	},
	...{
		CD: 'Democratic Republic of the Congo, Congo Democratic Republic of the, DRC, DR Congo, Congo, Kongo',
		CG: 'Republic of the Congo, Congo, Kongo',
	},
	...{ CI: 'Ivory Coast', CV: 'Cape Verde', TL: 'East Timor', SZ: 'Swaziland', MM: 'Burma' },
	...{ MK: 'Macedonia', PS: 'Palestine', VA: 'Vatican, Holy See', KG: 'Kyrgyz Republic' },
	RU: 'Russian Federation',
	...{ SK: 'Slovak Republic', SY: 'Syrian Arab Republic', BN: 'Brunei Darussalam' },
	...{ LA: 'Lao PDR, Lao People’s Democratic Republic', FK: 'Falkland Islands Malvinas' },
	...{ MO: 'Macau, Macao China', VI: 'Virgin Islands US', VG: 'Virgin Islands British' },
};

/** What the full name of a state has besides its name. */
const FORMS =
	/(?<!\p{L})((bundes)?republik|r[eé]publi(c|que|ca)|repubblica|federal|federated states|islamic|kingdom|united|arab|principality|grand duchy|sultanate|commonwealth|plurinational state|bolivarian|sar|de|du|di)(?!\p{L})/giu;

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
		const names = displays.map((display) => display.of(code) ?? code);
		// A short one may be the code of another country.
		for (const name of names) if (!/^[\p{Script=Latin}.]{1,3}$/u.test(name)) add(name, code);
		for (const name of OTHER_NAMES[code]?.split(', ') ?? []) add(name, code);
	}
	for (const [, name = '', code = ''] of ALPHA3.matchAll(/(\w{3})(\w\w)/g))
		if (isCountry(code)) add(name, code);
	return found;
});

/** The country that a calling code such as +91, 0049 or 1 belongs to; of several with one code the main one. */
function countryOfCode(digits: string): CountryCode | undefined {
	const code = digits.replace(/^(\+|00)/, '');
	// In North America an area may stand behind it: +1-868.
	const [main] = metadata.country_calling_codes[code.replace(/^1\d{3}$/, '1')] ?? [];
	return main !== undefined && isCountry(main) ? main : undefined;
}

/** The country with a number of ISO 3166-1, whose leading zeros a spreadsheet drops. */
function countryOfNumber(digits: string): CountryCode | undefined {
	const { region = '' } = new Intl.Locale(`und-${digits.padStart(3, '0')}`);
	return isCountry(region) ? region : undefined;
}

/** Columns in which a number is a calling code, and not the ID of a country. */
const OF_CODE =
	/countr.*code|prefix|prefij|prefiss|calling|dial|landesvorwahl|indicatif|(^|[^a-z])cc([^a-z]|$)/i;
/** Those of calls, in which it is no number of ISO 3166. */
const OF_CALLS = /phone|mobile|tel|prefix|prefij|prefiss|calling|dial|vorwahl|indicatif/i;

/** The country of digits alone; none where they are the calling code of one, and the number of another one. */
function countryOfDigits(digits: string, column: string): CountryCode | undefined {
	const coded = countryOfCode(digits);
	const isCode = OF_CALLS.test(column) || (OF_CODE.test(column) && digits.length < 3);
	if (/\D|\d{4}|00\d\d/.test(digits) || (coded && isCode)) return coded;
	const numbered = countryOfNumber(digits);
	const { country_calling_codes: codes, nonGeographic } = metadata;
	if (!numbered || !(Object.hasOwn(codes, digits) || Object.hasOwn(nonGeographic, digits)))
		return numbered ?? coded;
	return coded && callingCodeOf(coded) === callingCodeOf(numbered) ? coded : undefined;
}

const MAX_TEXT = 100;
const REGIONAL_A = 0x1f1e6;
const ofFlag = (sign: string): string =>
	String.fromCharCode((sign.codePointAt(0) ?? REGIONAL_A) - REGIONAL_A + 65);

/**
 * The country in a cell: its codes in ISO 3166, its name in any language of a country, a calling code, or several of these that agree,
 * as "United States (US)". Undefined where it is none that is known; what digits mean depends on the name of their column.
 */
export function readCountry(value: unknown, column = 'Country Code'): CountryCode | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = visible(String(value).slice(0, MAX_TEXT)).replace(/\p{RI}{2}/gu, (flag) =>
		flag.replace(/\p{RI}/gu, ofFlag).concat('/'),
	);
	const digits = text.replace(/[\s()-]/g, '');
	if (/^(\+|00)?(\d{1,3}|1\d{3})$/.test(digits)) return countryOfDigits(digits, column);
	const code = text.replace(/[.\s]/g, '').toUpperCase();
	if (/^[A-Z]{2}$/.test(code) && isCountry(code)) return code;
	const names = countryNames();
	const spelt = /\d/.test(text) ? [] : [text, text.replace(FORMS, '')].map(plain);
	const name = spelt.find((each) => names.has(each));
	if (name !== undefined) return names.get(name);
	const parts = text.split(/[()[\]{}/|,;:]|\s[-–—]\s|(?<=\+\d{1,3})\s|\s(?=\+\d)/).filter(visible);
	if (parts[0] === text) return undefined;
	const [first, ...others] = parts.map((part) => readCountry(part, column));
	return first && others.every((other) => other && callingCodeOf(other) === callingCodeOf(first))
		? first
		: undefined;
}

/** Words for a country in the name of a column. */
const COUNTRY_WORDS =
	'country|pa[ií]s|pays|paese|nazione|nation|l(?:ä|ae)nder(?:code|kürzel|kuerzel)|landescode|państwo|страна|国家?';
/** Those that name a part of one in some sheets, as a state of Germany. */
const WIDE_WORDS = 'land|staat|kraj';
/** What may stand beside them where the column can say nothing but a country. */
const BESIDE =
	'code|name|iso|alpha|[23]|iso[23]|region|phone|mobile|cell|telephone|number|full|short';
const ANY_WORD = `(?:${COUNTRY_WORDS}|${WIDE_WORDS})`;
const COUNTRY = new RegExp(`^(?:(?:${BESIDE}) )*${ANY_WORD}(?: (?:${BESIDE}|${ANY_WORD}))*$`);
const WIDE = new RegExp(`(?<![^ ])(?:${WIDE_WORDS})(?![^ ])`);
const OF_COUNTRY = new RegExp(
	`^(?!.*(?:birth|nationality|citizen)).*(?:countr|(?<![^ ])(?:cc|${ANY_WORD})(?![^ ]))`,
);
/** Those in which it is one with its sign alone, as others have an area, a branch or a product. */
const OF_SIGNED = /code|vorwahl/;
const CALLING_CODE = /^\s*(\+|00)?\d{1,3}\s*$/;
const TWO_LETTERS = /^\W*[a-z]\W*[a-z]\W*$/i;
const STATES_OF_GERMANY = /^\W*(BW|BY|BE|BB|HB|HH|HE|MV|NI|NW|RP|SL|SN|ST|SH|TH)\W*$/i;
const NONE =
	/^[\W_]*$|^\W*(n\W?a|none|null|nil|undefined|unknown|other|others|tbd|tba|tbc|not (specified|provided|available|set|known)|unspecified|(please )?select.*|(please )?choose.*|k\W?A|keine Angabe|unbekannt|andere[rs]?|sonstiges?|autres?|inconnu|otros?|desconocido|outros?|desconhecido|altr[oi]|anders|onbekend)\W*$/i;
const MAX_DEPTH = 8;
const MAX_CELLS = 2_000;

const wordsOf = (name: string): string =>
	name
		.slice(0, MAX_TEXT)
		.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

interface Cell {
	readonly name: string;
	readonly value: unknown;
	readonly isOwn: boolean;
	readonly depth: number;
}

/** The cells of a row with their names, also those within objects, the nearest first. */
function cellsIn(row: unknown): Cell[] {
	const found: Cell[] = [{ name: '', value: row, isOwn: true, depth: 0 }];
	// It grows while it is walked through.
	for (const { name, value, isOwn, depth } of found)
		if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
			for (const [key, member] of Object.entries(value).slice(0, MAX_CELLS - found.length))
				found.push({
					// What a country consists of says which: `country: { code: 'DE' }`.
					name: Array.isArray(value)
						? name
						: OF_COUNTRY.test(wordsOf(name))
							? `${name} ${key}`
							: key,
					value: member,
					isOwn: isOwn && (name === '' || OWN.test(name)),
					depth: depth + 1,
				});
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

/** The cells of a row that say in which country its numbers may be. */
export const countryCells = (row: unknown): CountryCell[] =>
	cellsIn(row).flatMap(({ name, value, isOwn }) => {
		const text = typeof value === 'object' ? '' : textOf(value ?? '');
		if (isBlank(text) || NONE.test(text)) return [];
		const words = wordsOf(name);
		const isNamed = isOwn && COUNTRY.test(words);
		const isSure = isNamed && !(WIDE.test(words) && TWO_LETTERS.test(text));
		const hasSign = /^\s*(\+|00)/.test(text);
		const isMeant = CALLING_CODE.test(text)
			? OF_CODE.test(words) || (hasSign && (OF_COUNTRY.test(words) || OF_SIGNED.test(words)))
			: OF_COUNTRY.test(words);
		const country = (isNamed || isMeant ? readCountry(value, words) : undefined) ?? null;
		return country || isNamed ? [{ name, text, isSure, country, isOwn }] : [];
	});

/**
 * The country of the numbers in a row, where all that it says of itself agrees, else the one that the user chose; or why it is not
 * plain, and what to do.
 */
export function countryOfRow(
	row: unknown,
	chosen?: CountryCode,
): { readonly country?: CountryCode | undefined; readonly unclear?: string } {
	const codeOf = (country: CountryCode | null | undefined) => country && callingCodeOf(country);
	const cells = countryCells(row);
	const own = cells.filter(({ isOwn }) => isOwn);
	const isGerman = own.some(({ isSure, country }) => isSure && country === 'DE');
	const said = (own.length > 0 ? own : cells).filter(
		({ isSure, text }) => isSure || !isGerman || !STATES_OF_GERMANY.test(text),
	);
	const [first, other] = uniqBy(
		sortBy(said, ({ isSure }) => !isSure),
		({ country }) => codeOf(country),
	);
	const says = ({ name, text }: CountryCell): string =>
		`'${shorten(name, 40)}' says "${shorten(text, 40)}"`;
	if (first === undefined) return { country: chosen };
	if (other !== undefined)
		return { unclear: `${says(first)} and ${says(other)}. Correct or remove the wrong one` };
	if (first.country === null)
		return {
			unclear: `${says(first)}, which is not a known country. Use two letters, e.g. US or DE`,
		};
	if (first.isSure) return { country: first.country };
	return chosen === undefined || codeOf(first.country) === codeOf(chosen)
		? { country: chosen }
		: {
				unclear: `${says(first)} while Default Country is ${chosen}. Rename this column to Country if it is the country of the phone, else remove it`,
			};
}
