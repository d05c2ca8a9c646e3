import assert from 'node:assert/strict';
import { createRequire, registerHooks } from 'node:module';
import { test } from 'node:test';
import type { CountryCode } from 'libphonenumber-js/core';
import lodash from 'lodash';
import { zonesOnMap } from '../../tools/timeZones/map.mts';
import { areaCodes, countriesOf, zonesOfStates } from '../../tools/timeZones/northAmerica.mts';
import { countriesByCode, kindsOf } from '../../tools/timeZones/numbers.mts';
import {
	clockOf,
	countClocks,
	zonesOfCity,
	zonesOfCountry,
	zonesOfState,
} from '../../tools/timeZones/secondSource.mts';
import { readPlaces, splitPlace, zonesByPrefix } from '../../tools/timeZones/source.mts';

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
function listSamples(): Sample[] {
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
	// A name of cities with different clocks identifies no zone.
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

// The sources of the package name their neighbors without an extension.
registerHooks({
	resolve: (name, context, next) => next(name === './zoneTable' ? `${name}.ts` : name, context),
});
const { zonesOfNumber } = await import('../../src/core/phone/zones.ts');

const clocksOf = (prefix: string): ReadonlySet<string> =>
	new Set((zonesOfNumber(`+${prefix}`) ?? []).map(clockOf));

test('a number has every clock that libphonenumber knows for its first digits', () => {
	assert.ok(zonesByPrefix.size > 3000);
	const clocks = Object.entries(countriesByCode).map(
		([code, countries]) => [code, new Set(countries.flatMap(zonesOfCountry).map(clockOf))] as const,
	);
	for (const [prefix, zones] of zonesByPrefix) {
		const has = clocksOf(prefix);
		const [, ofCountry] = clocks.find(([code]) => prefix.startsWith(code)) ?? [];
		// It has the zone of a neighbor for Morocco, Libya and a few others.
		const local = zones.filter((zone) => ofCountry?.size === 0 || ofCountry?.has(clockOf(zone)));
		assert.deepEqual(
			local.filter((zone) => !has.has(clockOf(zone))),
			[],
			prefix,
		);
	}
});

test('a second source has no zone for a state, a country or a city that the table lacks', () => {
	const samples = listSamples();
	assert.ok(samples.length > 780);
	for (const { prefix, expected } of samples)
		assert.deepEqual(
			differenceBy(expected, zonesOfNumber(`+${prefix}`) ?? [], clockOf),
			[],
			prefix,
		);
});
