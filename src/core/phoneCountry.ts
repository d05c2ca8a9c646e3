import once from 'lodash/once';
import sortBy from 'lodash/sortBy';
import uniqBy from 'lodash/uniqBy';
import type { CountryCode } from './libphonenumber';
import { callingCodeOf, isCountry, metadata } from './libphonenumber';
import { isBlank, textOf, visible } from './text';

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl'];

/** Names that people write besides those of the languages, and the codes of three letters that are most used. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
	US: 'USA, United States of America, America, U.S., U.S.A.',
	GB: 'UK, GBR, Great Britain, England, Scotland, Wales, Northern Ireland, Großbritannien, Grande-Bretagne, Gran Bretaña, Gran Bretagna, Groot-Brittannië',
	NL: 'NLD, Holland, The Netherlands, Pays Bas, Olanda, Holanda',
	AE: 'UAE, ARE',
	CZ: 'CZE, Czech Republic, Tschechische Republik, République tchèque',
	KR: 'KOR, Korea, South Korea, Republic of Korea',
	RU: 'RUS, Russian Federation',
	...{ DE: 'DEU, D', AT: 'AUT', CH: 'CHE', FR: 'FRA', ES: 'ESP', PT: 'PRT', IT: 'ITA', BE: 'BEL' },
	...{ IE: 'IRL', CA: 'CAN', AU: 'AUS', NZ: 'NZL', IN: 'IND', BR: 'BRA', MX: 'MEX', AR: 'ARG' },
	...{ CL: 'CHL', CO: 'COL', PE: 'PER', ZA: 'ZAF', NG: 'NGA', KE: 'KEN', PL: 'POL', SE: 'SWE' },
	...{ NO: 'NOR', DK: 'DNK', FI: 'FIN', JP: 'JPN', CN: 'CHN', SG: 'SGP', IL: 'ISR', TR: 'TUR' },
};

const plain = (name: string): string =>
	visible(name.slice(0, 100))
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^\p{L}]/gu, '');

/** The countries by their names, in seven languages; a name of two countries is none. */
const countryNames = once((): ReadonlyMap<string, CountryCode | undefined> => {
	const found = new Map<string, CountryCode | undefined>();
	const add = (name: string, code: CountryCode): void => {
		const key = plain(name);
		found.set(key, found.has(key) && found.get(key) !== code ? undefined : code);
	};
	const displays = LANGUAGES.map((language) => new Intl.DisplayNames(language, { type: 'region' }));
	for (const code of Object.keys(metadata.countries).filter(isCountry)) {
		for (const display of displays) add(display.of(code) ?? code, code);
		for (const name of OTHER_NAMES[code]?.split(', ') ?? []) add(name, code);
	}
	return found;
});

/** The country that a calling code such as +91, 0049 or 1 belongs to; of several with one code the main one. */
function countryOfCode(digits: string): CountryCode | undefined {
	const [main] = metadata.country_calling_codes[digits.replace(/^(\+|00)/, '')] ?? [];
	return main !== undefined && isCountry(main) ? main : undefined;
}

/** The country in a cell: its ISO code, its name in seven languages, or a calling code; undefined where it is none that is known. */
export function readCountry(value: unknown): CountryCode | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = visible(String(value));
	const digits = text.replace(/[\s()-]/g, '');
	if (/^(\+|00)?\d{1,3}$/.test(digits)) return countryOfCode(digits);
	const code = text.toUpperCase();
	if (/^[A-Z]{2}$/.test(code)) return isCountry(code) ? code : countryNames().get(plain(text));
	const both = /^(?<name>.{2,60}?)[\s(]*(?<code>\+\d{1,3})\)?$/.exec(text)?.groups;
	if (!both) return countryNames().get(plain(text));
	const [named, coded] = [readCountry(both['name']), countryOfCode(both['code'] ?? '')];
	return named && metadata.country_calling_codes[(both['code'] ?? '').slice(1)]?.includes(named)
		? named
		: named === undefined
			? coded
			: undefined;
}

const OF_COUNTRY =
	/^(?!.*(birth|nation|citizen)).*(countr|pa[ií]s|(^|[^a-z])(cc|land|paese|kraj)([^a-z]|$))/is;
/** Columns in which nothing else can stand. */
const COUNTRY =
	/^(phone |billing |mailing )?(country|land|pays|pa[ií]s|paese|kraj)([ _-]?(code|name))?$/i;
/** Those in which a number is a calling code, and not the ID of a country. */
const OF_CODE =
	/countr.*code|prefix|prefij|prefiss|calling|dial|landesvorwahl|indicatif|(^|[^a-z])cc([^a-z]|$)/i;
/** Those in which it is one with its sign alone, as others have an area, a branch or a product. */
const OF_SIGNED = /code|vorwahl/i;
const CALLING_CODE = /^\s*(\+|00)?\d{1,3}\s*$/;
const NONE = /^[\W_]*$|^(n\/?a|none|null|unknown)$/i;
const MAX_DEPTH = 3;
const MAX_CELLS = 200;
const MAX_NAME = 200;

/** Objects that are about the person of the row, and not about someone else. */
const OWN =
	/^(properties|fields|attributes|data|body|record|profile|customer|contact|person|client|lead|country|.*address|location|phone|billing|dynamicVariables)$/i;

/** The cells of a row with their names, also those within objects. */
const cellsIn = (
	value: unknown,
	name = '',
	isOwn = true,
	depth = 0,
): Array<readonly [string, unknown, boolean]> =>
	typeof value === 'object' && value !== null && depth < MAX_DEPTH
		? Object.entries(value)
				.slice(0, MAX_CELLS)
				.flatMap(([key, each]) =>
					cellsIn(
						each,
						Array.isArray(value) ? name : key,
						isOwn && (name === '' || OWN.test(name)),
						depth + 1,
					),
				)
		: [[name.slice(0, MAX_NAME), value, isOwn]];

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
	cellsIn(row).flatMap(([name, cell, isOwn]) => {
		const text = textOf(cell ?? '');
		if (isBlank(text) || NONE.test(text)) return [];
		const isSure = isOwn && COUNTRY.test(name);
		const hasSign = /^\s*(\+|00)/.test(text);
		const isMeant = CALLING_CODE.test(text)
			? OF_CODE.test(name) || (hasSign && (OF_COUNTRY.test(name) || OF_SIGNED.test(name)))
			: OF_COUNTRY.test(name);
		const country = (isSure || isMeant ? readCountry(cell) : undefined) ?? null;
		return country || isSure ? [{ name, text, isSure, country, isOwn }] : [];
	});

/**
 * The country of the numbers in a row, where all that it says of itself agrees, else the one that the user chose. Null where it is
 * not plain.
 */
export function countryOfRow(row: unknown, chosen?: CountryCode): CountryCode | null | undefined {
	const cells = countryCells(row);
	const codeOf = (country: CountryCode | null | undefined) => country && callingCodeOf(country);
	const own = cells.filter(({ isOwn }) => isOwn);
	const said = sortBy(own.length > 0 ? own : cells, ({ isSure }) => !isSure);
	const [first, ...others] = uniqBy(said, ({ country }) => codeOf(country));
	if (first === undefined) return chosen;
	if (others.length > 0) return null;
	if (first.isSure) return first.country;
	return chosen === undefined || codeOf(first.country) === codeOf(chosen) ? chosen : null;
}
