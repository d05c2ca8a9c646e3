import { PREFIXES, SETS, ZONES } from './zoneTable';

/** The time zones that someone may be in. Equal sets of the table are the same object. */
export type ZoneSet = readonly string[];

const MAX_PREFIX_DIGITS = 5;

let table: ReadonlyMap<string, ZoneSet> | undefined;

/** Finds the time zones of a number in E.164 by its longest listed prefix; undefined if none is listed. */
export function zonesOfNumber(number: string): ZoneSet | undefined {
	table ??= readTable();
	for (let length = MAX_PREFIX_DIGITS; length > 0; length--) {
		const zones = table.get(number.slice(1, length + 1));
		if (zones) return zones;
	}
	return undefined;
}

/** Decodes the generated table to a map from the first digits of a number to its time zones. */
function readTable(): ReadonlyMap<string, ZoneSet> {
	const zones = ZONES.split(' ');
	// "a.1f b" is two sets, each with the positions of its zones in base 36.
	const sets = SETS.split(' ').map((set) =>
		set.split('.').map((position) => zones[parseInt(position, 36)] ?? ''),
	);
	const zonesByPrefix = new Map<string, ZoneSet>();
	for (const [i, list] of PREFIXES.split('|').entries()) {
		let prefix = '';
		// "c35" keeps 2 digits of the previous prefix and adds 35. a keeps 0, f keeps 5.
		for (const [, kept = 'a', digits = ''] of list.matchAll(/([a-f])(\d+)/g)) {
			prefix = prefix.slice(0, 'abcdef'.indexOf(kept)) + digits;
			zonesByPrefix.set(prefix, sets[i] ?? []);
		}
	}
	return zonesByPrefix;
}
