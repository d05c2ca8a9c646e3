import lodash from 'lodash';
import { zonesOfWhole, zonesOnMap } from './map.mts';
import { areaCodes, zonesOfAreaCode } from './northAmerica.mts';
import { countriesByCode, kindsOf } from './numbers.mts';
import { clockOf, countClocks, withClocksOf, zonesOfCity } from './secondSource.mts';
import { readPlaces, splitPlace } from './source.mts';

const { intersectionBy, range, uniqBy } = lodash;

/** How many digits tell an area of Russia, which has one digit of country code, and of others. */
const areaLength = (code: string): number => (code === '7' ? 4 : 5);

/** Zones as one text, so two sets can be compared. */
const setOf = (zones: Iterable<string>): string => [...new Set(zones)].toSorted().join('&');

/** The zones that a number may be in, by its first digits. */
export function makeTable(): Map<string, string> {
	const table = new Map<string, string>();
	for (const [code, countries] of Object.entries(countriesByCode)) {
		const all = countries.flatMap((country) => zonesOfWhole(country, code));
		const whole = withClocksOf([], all);
		if (whole.length > 0) table.set(code, setOf(whole));
		if (code === '1') addAreaCodes(table);
		else if (countClocks(whole) > 1) addAreas(table, { code, whole, names: namesByArea(code) });
	}
	return new Map([...table].filter(([prefix, set]) => set !== findSet(table, prefix.slice(0, -1))));
}

/** Finds the set of the longest prefix of some digits. */
function findSet(table: ReadonlyMap<string, string>, digits: string): string | undefined {
	for (let length = digits.length; length > 0; length--) {
		const set = table.get(digits.slice(0, length));
		if (set !== undefined) return set;
	}
	return undefined;
}

/** Adds the area codes of North America. Other numbers of +1 may be in any of their zones. */
function addAreaCodes(table: Map<string, string>): void {
	for (const prefix of areaCodes) {
		const zones = zonesOfAreaCode(prefix);
		if (zones.length > 0) table.set(prefix, setOf(zones));
	}
	table.set('1', setOf(areaCodes.flatMap(zonesOfAreaCode)));
}

interface Plan {
	readonly code: string;
	/** All zones of the countries with this code. */
	readonly whole: readonly string[];
	readonly names: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The names of places by the first digits of their numbers, as many as tell an area. */
function namesByArea(code: string): ReadonlyMap<string, ReadonlySet<string>> {
	const names = new Map<string, Set<string>>();
	for (const [prefix, name] of readPlaces(code)) {
		const area = prefix.slice(0, areaLength(code));
		const all = names.get(area) ?? new Set();
		names.set(area, all);
		for (const part of splitPlace(name)) all.add(part);
	}
	return names;
}

/** Adds the areas below a prefix; those that are all alike as one. Returns their sets. */
function addAreas(table: Map<string, string>, plan: Plan, prefix = plan.code): ReadonlySet<string> {
	if (prefix.length === areaLength(plan.code)) {
		const zones = zonesOfArea(prefix, plan);
		if (zones.length === 0) return new Set();
		table.set(prefix, setOf(zones));
		return new Set([setOf(zones)]);
	}
	const sets = new Set(
		range(10).flatMap((digit) => [...addAreas(table, plan, `${prefix}${digit}`)]),
	);
	const [only = ''] = sets;
	// A number that no one has may be anywhere, except in an area that is known on all sides.
	if (sets.size > 0) table.set(prefix, sets.size === 1 ? only : setOf(plan.whole));
	return sets;
}

/** Lists the zones of an area; none if no one has such numbers. Only what is surely a fixed line stays in its area. */
function zonesOfArea(prefix: string, plan: Plan): readonly string[] {
	const { code, names } = plan;
	const zones = kindsOf(prefix, code).flatMap(({ country, type, areaCode }) => {
		const whole = zonesOfWhole(country, code);
		// Without the names of its places, nothing confirms an area of the map.
		const hasAreas = countClocks(whole) > 1 && names.size > 0;
		if (type !== 'FIXED_LINE' || !hasAreas) return whole;
		const lineZones = zonesOfFixedLine(prefix, { country, areaCode, ...plan });
		return lineZones.length > 0 ? lineZones : whole;
	});
	if (zones.length === 0) return [];
	// Countries that share a code may have few numbers of an area.
	return withClocksOf(zones, intersectionBy(zonesOnMap(prefix, code), plan.whole, clockOf));
}

interface FixedLine extends Plan {
	readonly country: string;
	readonly areaCode: string;
}

/**
 * Lists the zones of the map for an area code and the clocks of the cities of a prefix; none if neither is known.
 * Both are needed, because the map has only some places of an area.
 */
function zonesOfFixedLine(prefix: string, plan: FixedLine): readonly string[] {
	const { code, names, country, areaCode } = plan;
	const prefixes = range(code.length + 1, prefix.length + 1).map((end) => prefix.slice(0, end));
	const cities = prefixes.flatMap((each) => [...(names.get(each) ?? [])]);
	const ofCities = cities.flatMap((city) => zonesOfCity(country, city));
	const ofCountry = zonesOfWhole(country, code);
	return uniqBy(
		[
			// The map has the zone of a neighbor for a few areas.
			...intersectionBy(zonesOnMap(code + areaCode, code), ofCountry, clockOf),
			...intersectionBy(ofCountry, ofCities, clockOf),
		],
		clockOf,
	);
}
