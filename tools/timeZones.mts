import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeAgreement } from './timeZones/agreement.mts';
import { findSet, makeTable } from './timeZones/makeTable.mts';

/**
 * Writes src/core/phone/zoneTable.ts, which says in which time zones a phone number may be, by the first digits of
 * the number, and how a second source agrees. It fails on a zone that only the second source has. Run it by hand when one of
 * the sources has a new version: `node tools/timeZones.mts`.
 */
const table = makeTable();
const agreement = describeAgreement((prefix) => findSet(table, prefix)?.split('&') ?? []);
await writeFile(join(import.meta.dirname, 'timeZones/agreement.txt'), agreement);
if (agreement.includes('missing')) throw new Error('Zones are missing, see agreement.txt.');
await writeFile(join(import.meta.dirname, '..', 'src/core/phone/zoneTable.ts'), tableFile(table));

/** A TypeScript file of the zones, the sets of several zones, and the prefixes of each set. */
function tableFile(table: ReadonlyMap<string, string>): string {
	const zones = [...new Set([...table.values()].flatMap((set) => set.split('&')))].toSorted();
	const sets = [...new Set(table.values())].toSorted(
		(a, b) => a.split('&').length - b.split('&').length || (a < b ? -1 : 1),
	);
	const numbers = sets.map((set) => set.split('&').map((zone) => zones.indexOf(zone).toString(36)));
	const prefixes = sets.map((set) =>
		shortened([...table].filter(([, each]) => each === set).map(([prefix]) => prefix)),
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

function shortened(prefixes: readonly string[]): string {
	const sorted = prefixes.toSorted();
	return sorted
		.map((prefix, i) => {
			const before = sorted[i - 1] ?? '';
			const same = [...prefix].findIndex((digit, at) => digit !== before[at]);
			return 'abcdef'.charAt(same) + prefix.slice(same);
		})
		.join('');
}
