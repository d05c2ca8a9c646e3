import { createRequire } from 'node:module';
import type { CountryCode } from 'libphonenumber-js/core';
import lodash from 'lodash';
import { zonesOnMap } from './map.mts';
import { areaCodes, countriesOf, zonesOfStates } from './northAmerica.mts';
import { countriesByCode, kindsOf } from './numbers.mts';
import {
	clockOf,
	countClocks,
	zonesOfCity,
	zonesOfCountry,
	zonesOfState,
} from './secondSource.mts';
import { readPlaces, splitPlace } from './source.mts';

const { differenceBy, groupBy, uniqBy } = lodash;

const require = createRequire(import.meta.url);
const states = require('areacodes/lib/data.json') as Record<string, { stateCode?: string }>;
const mobileNumbers = require('libphonenumber-js/examples.mobile.json') as Record<string, string>;

/** The first digits of some numbers, and the zones that the second source has for their state, country or city. */
interface Sample {
	readonly prefix: string;
	readonly expected: readonly string[];
}

const CITIES_PER_CLOCK = 6;

/** Lists area codes of North America, a mobile number per country, and fixed lines of countries with several clocks. */
export function listSamples(): Sample[] {
	const ofAreaCodes = areaCodes
		.filter((prefix) => zonesOnMap(prefix, '1').length > 0)
		.map((prefix) => {
			const ofState = zonesOfState(states[prefix.slice(1)]?.stateCode ?? '');
			const ofArea = ofState.length > 0 ? ofState : zonesOfStates(prefix);
			const ofIsland = () => countriesOf(prefix).flatMap(zonesOfCountry);
			return { prefix, expected: ofArea.length > 0 ? ofArea : ofIsland() };
		});
	const ofOthers = Object.entries(countriesByCode)
		.filter(([code]) => code !== '1')
		.flatMap(([code, countries]) => countries.flatMap((country) => listNumbers(code, country)));
	return [...ofAreaCodes, ...ofOthers].filter(({ expected }) => expected.length > 0);
}

/** Lists a mobile number of a country, and fixed lines of some cities of each clock if it has several. */
function listNumbers(code: string, country: CountryCode): Sample[] {
	const mobile = `${code}${mobileNumbers[country] ?? ''}`.slice(0, 6);
	const ofCountry = zonesOfCountry(country);
	if (countClocks(ofCountry) < 2) return [{ prefix: mobile, expected: ofCountry }];
	const places = [...readPlaces(code)].flatMap(([prefix, place]) =>
		splitPlace(place).map((city) => ({ prefix, city, expected: zonesOfCity(country, city) })),
	);
	// A name of cities with different clocks tells nothing.
	const cities = uniqBy(places, 'city').filter(({ expected }) => countClocks(expected) === 1);
	const byClock = groupBy(cities, ({ expected: [zone = ''] }) => clockOf(zone));
	const fixedLines = Object.values(byClock).flatMap((alike) => [
		...alike
			.values()
			.map(({ prefix, expected }) => ({ prefix: prefix.padEnd(6, '2'), expected }))
			.filter(({ prefix }) => isFixedLine(prefix, code, country))
			.take(CITIES_PER_CLOCK),
	]);
	return [{ prefix: mobile, expected: ofCountry }, ...fixedLines];
}

const isFixedLine = (prefix: string, code: string, country: CountryCode): boolean => {
	const kinds = kindsOf(prefix, code);
	return (
		kinds.length > 0 &&
		kinds.every((kind) => kind.type === 'FIXED_LINE' && kind.country === country)
	);
};

/** Lists the samples for which the second source has a clock that the zones of a prefix lack. */
export const findMissing = (zonesOf: (prefix: string) => readonly string[]): string[] =>
	listSamples().flatMap(({ prefix, expected }) => {
		const missing = differenceBy(expected, zonesOf(prefix), clockOf);
		return missing.length > 0 ? [`${prefix}: ${missing.join(' ')}`] : [];
	});
