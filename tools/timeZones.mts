import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTable } from './timeZones/makeTable.mts';

// Writes src/core/phone/zoneTable.ts: the time zones of phone numbers by their first digits.
// Run it by hand when a source has a new version, and then its test.

const table = makeTable();
await writeFile(join(import.meta.dirname, '..', 'src/core/phone/zoneTable.ts'), formatFile(table));

/** Formats the file with the zones, the sets of zones, and the prefixes of each set. */
function formatFile(table: ReadonlyMap<string, string>): string {
	const zones = [...new Set([...table.values()].flatMap((set) => set.split('&')))].toSorted();
	const sets = [...new Set(table.values())].toSorted(
		(a, b) => a.split('&').length - b.split('&').length || (a < b ? -1 : 1),
	);
	const numbers = sets.map((set) => set.split('&').map((zone) => zones.indexOf(zone).toString(36)));
	const prefixes = sets.map((set) =>
		shorten([...table].filter(([, each]) => each === set).map(([prefix]) => prefix)),
	);
	return `// Made by tools/timeZones.mts from the time zone map of libphonenumber (Apache License 2.0). Do not edit.

/** The zones, by their position. */
export const ZONES =
	'${zones.join(' ')}';

/** The sets of zones: positions in base 36. */
export const SETS =
	'${numbers.map((each) => each.join('.')).join(' ')}';

/** The prefixes of each set; a letter says how many digits of the one before stay. */
export const PREFIXES =
	'${prefixes.join('|')}';
`;
}

function shorten(prefixes: readonly string[]): string {
	const sorted = prefixes.toSorted();
	return sorted
		.map((prefix, i) => {
			const before = sorted[i - 1] ?? '';
			const same = [...prefix].findIndex((digit, at) => digit !== before[at]);
			return 'abcdef'.charAt(same) + prefix.slice(same);
		})
		.join('');
}
