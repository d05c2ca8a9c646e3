import lodash from 'lodash';
import { isDivided, zonesOfWhole, zonesOnMap } from './map.mts';
import { kindsOf } from './numbers.mts';
import { longClockOf, withClocksOf, zonesOfState } from './secondSource.mts';
import { readPlaces } from './source.mts';

const { differenceBy, memoize, range, uniq } = lodash;

const CODE = '1';
const places = readPlaces(CODE);

/** The prefixes of all possible area codes of North America. */
export const areaCodes: readonly string[] = range(200, 1000).map((code) => CODE + code);

/** How libphonenumber spells some states and provinces. */
const SPELLINGS: Readonly<Record<string, string>> = {
	'British Colombia': 'British Columbia',
	ON: 'Ontario',
	QC: 'Québec',
	Quebec: 'Québec',
	'Washington D.C.': 'District of Columbia',
	'Washington State': 'Washington',
};

/** Lists the states of an area code, whose place is "Texas", "Houston, TX", or "Nova Scotia/Prince Edward Island". */
const statesOf = memoize((prefix: string): readonly string[] => {
	const place = places.get(prefix);
	// A few area codes have places only with more digits.
	const names = place
		? [place]
		: [...places].flatMap(([each, name]) => (each.startsWith(prefix) ? [name] : []));
	const states = names.flatMap((name) => (/, ([A-Z]{2})$/.exec(name)?.[1] ?? name).split('/'));
	return uniq(states.map((state) => SPELLINGS[state] ?? state));
});

/** Lists the zones of the map for all area codes of a state. */
const zonesOfMappedState = memoize((state: string): readonly string[] =>
	uniq(
		areaCodes
			.filter((prefix) => statesOf(prefix).includes(state))
			.flatMap((prefix) => zonesOnMap(prefix, CODE)),
	),
);

/** Lists the zones of the second source for the states of an area code; none outside the USA and Canada. */
export const zonesOfStates = (prefix: string): readonly string[] =>
	uniq(statesOf(prefix).flatMap(zonesOfState));

/** Lists the zones that the numbers of an area code may be in; none if no one has such numbers. */
export function zonesOfAreaCode(prefix: string): readonly string[] {
	const onMap = zonesOnMap(prefix, CODE);
	const countries = countriesOf(prefix);
	if (onMap.length === 0) return countries.flatMap((country) => zonesOfWhole(country, CODE));
	const stateZones = zonesOfStates(prefix);
	const isState = countries.some((country) => ['US', 'CA'].includes(country));
	if (isState && stateZones.length === 0) throw new Error(`No source has a state of ${prefix}.`);
	// Longer prefixes tell only those clocks apart that the map has in this state.
	const mapped = stateZones.length > 0 ? statesOf(prefix).flatMap(zonesOfMappedState) : [];
	const unmapped = differenceBy(stateZones, mapped, longClockOf);
	return withClocksOf(onMap, isDivided(prefix) ? unmapped : [...mapped, ...unmapped]);
}

/** Lists the countries of an area code; none if it is of no area. */
export function countriesOf(prefix: string): readonly string[] {
	const kinds = kindsOf(prefix, CODE).filter(({ type }) => type === 'FIXED_LINE_OR_MOBILE');
	return uniq(kinds.map(({ country }) => country));
}
