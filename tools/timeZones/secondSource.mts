import { cityMapping } from 'city-timezones';
import { getCountry } from 'countries-and-timezones';
import lodash from 'lodash';
import { IANAZone } from 'luxon';

const { differenceBy, memoize, range, uniqBy } = lodash;

const DAY_MS = 86_400_000;

/** Returns the clock of a zone from a year on, as a text that equal clocks share. */
const clockFrom = (year: number) =>
	memoize((name: string): string => {
		const zone = IANAZone.create(name);
		if (!zone.isValid) throw new Error(`${name} is not a time zone.`);
		return range(Date.UTC(year, 0), Date.UTC(2030, 0), 3 * DAY_MS)
			.map((ms) => zone.offset(ms))
			.join();
	});

/** The clock that a zone has now. */
export const clockOf = clockFrom(2026);
/** The clock that a zone has had since 2000. Zones that share it are one. */
export const longClockOf = clockFrom(2000);

/** Counts the different clocks that zones have now. */
export const countClocks = (zones: readonly string[]): number => uniqBy(zones, clockOf).length;

/** Lists zones, and the first of others for each clock since 2000 that they lack. */
export const withClocksOf = (zones: readonly string[], moreZones: readonly string[]): string[] => [
	...zones,
	...differenceBy(uniqBy(moreZones, longClockOf), zones, longClockOf),
];

/** Lists the time zones of a country; none if the source does not have the country. */
export const zonesOfCountry = (country: string): readonly string[] =>
	getCountry(country)?.timezones ?? [];

/** Regions of IANA's zone1970.tab, as libphonenumber names their places. No city of the source is among these. */
const REGIONS = [
	{ iso2: 'BR', city: 'Amazonas', province: '', timezone: 'America/Eirunepe' },
	{ iso2: 'CA', city: 'Lloydminster', province: 'Saskatchewan', timezone: 'America/Edmonton' },
	{ iso2: 'CD', city: 'Kasai-Oriental', province: '', timezone: 'Africa/Lubumbashi' },
	{ iso2: 'CD', city: 'North Kivu', province: '', timezone: 'Africa/Lubumbashi' },
	{ iso2: 'CD', city: 'Oriental Province', province: '', timezone: 'Africa/Lubumbashi' },
	{ iso2: 'CN', city: 'Xinjiang', province: '', timezone: 'Asia/Urumqi' },
	{ iso2: 'PF', city: 'Remote Archipelago', province: '', timezone: 'Pacific/Gambier' },
	{ iso2: 'PF', city: 'Remote Archipelago', province: '', timezone: 'Pacific/Marquesas' },
	{ iso2: 'RU', city: 'Republic of Sakha', province: '', timezone: 'Asia/Srednekolymsk' },
	{ iso2: 'RU', city: 'Republic of Sakha', province: '', timezone: 'Asia/Ust-Nera' },
];

const zonesByCity = new Map<string, Set<string>>();
const zonesByState = new Map<string, Set<string>>();
const stateNames = new Map<string, string>();

for (const place of [...cityMapping, ...REGIONS]) {
	const { iso2, city, province, timezone } = place;
	if (!timezone) continue;
	addTo(zonesByCity, `${iso2} ${city}`, timezone);
	addTo(zonesByState, `${iso2} ${province}`, timezone);
	if ('state_ansi' in place && place.state_ansi) stateNames.set(place.state_ansi, province);
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
	map.set(key, (map.get(key) ?? new Set()).add(value));
}

/** Lists the time zones of all cities of this name in a country. */
export const zonesOfCity = (country: string, city: string): readonly string[] => [
	...(zonesByCity.get(`${country} ${city}`) ?? []),
];

/** Lists the time zones of a state of the USA or a province of Canada, by its name or letters. */
export function zonesOfState(state: string): readonly string[] {
	const name = stateNames.get(state) ?? state;
	return [...(zonesByState.get(`US ${name}`) ?? zonesByState.get(`CA ${name}`) ?? [])];
}
