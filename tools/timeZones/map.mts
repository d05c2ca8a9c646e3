import lodash from 'lodash';
import { longClockOf, withClocksOf, zonesOfCountry } from './secondSource.mts';
import { zonesByPrefix } from './source.mts';

const { intersection, memoize, sortBy, uniq } = lodash;

/** Lists the zones of all prefixes of the map that begin like this one, as often as it has them. */
const zonesBelow = memoize((prefix: string): readonly string[] =>
	[...zonesByPrefix].flatMap(([each, zones]) => (each.startsWith(prefix) ? zones : [])),
);

/** Whether the map tells the numbers of a prefix apart. */
export const isDivided = (prefix: string): boolean =>
	[...zonesByPrefix.keys()].some((each) => each.startsWith(prefix) && each !== prefix);

/** Lists the zones of the map for all numbers that begin with a prefix; none if it knows only their country. */
export function zonesOnMap(prefix: string, code: string): readonly string[] {
	for (let length = prefix.length; length > code.length; length--) {
		const prefixZones = zonesByPrefix.get(prefix.slice(0, length));
		if (prefixZones) return uniq([...prefixZones, ...zonesBelow(prefix)]);
	}
	return uniq(zonesBelow(prefix));
}

/** The names of the map for the clocks of a calling code, with that of most prefixes for each. */
const namesOf = memoize((code: string): ReadonlyMap<string, string> => {
	const zones = zonesBelow(code);
	const rareFirst = sortBy(uniq(zones), (zone) => zones.filter((each) => each === zone).length);
	return new Map(rareFirst.map((zone) => [longClockOf(zone), zone]));
});

/** Names a zone as the map does. */
const nameOnMap = (zone: string, code: string): string =>
	zonesBelow(code).includes(zone) ? zone : (namesOf(code).get(longClockOf(zone)) ?? zone);

/** Lists the zones of a country under the names of the map; those of its calling code if the second source lacks it. */
export const zonesOfWhole = memoize(
	(country: string, code: string): readonly string[] => {
		const zones = zonesOfCountry(country).map((zone) => nameOnMap(zone, code));
		if (zones.length === 0) return uniq(zonesBelow(code));
		return withClocksOf(intersection(zones, zonesBelow(code)), zones);
	},
	(country, code) => `${country} ${code}`,
);
