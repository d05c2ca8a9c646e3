import { createRequire } from 'node:module';
import type { MetadataJson } from 'libphonenumber-js/core';
import type { ZoneMap } from './source.mts';

const require = createRequire(import.meta.url);
const { Metadata, parsePhoneNumberFromString } =
	require('libphonenumber-js/core') as typeof import('libphonenumber-js/core');
const metadata = require('libphonenumber-js/metadata.max.json') as MetadataJson;

/** Calling codes whose mobile numbers belong to an area, as libphonenumber has them, but Indonesia with few such; +1 does not tell them apart. */
const MOBILE_HAS_AREA = ['1', '52', '54', '55'];

/** How many digits tell an area: what is longer is put together. */
const areaLength = (code: string): number => (/^[17]$/.test(code) ? 4 : 5);

const DIGITS = [...'0123456789'];

/** Zones as one text, so two sets can be compared. */
const setOf = (zones: Iterable<string>): string => [...new Set(zones)].toSorted().join('&');

/**
 * Cuts the source to area codes, each with all zones that its numbers may be in. Numbers that belong to no area, such as
 * mobile ones, may be in any zone of their country.
 */
export function compact(source: ZoneMap): Map<string, string> {
	const table = new Map<string, string>();
	for (const code of Object.keys(metadata.country_calling_codes)) {
		const inside = [...source].filter(([prefix]) => prefix.startsWith(code));
		if (inside.length === 0) continue;
		const zones = new Map(inside);
		const whole = setOf(inside.flatMap(([, each]) => each));
		table.set(code, whole);
		if (!whole.includes('&')) continue;
		for (const digit of DIGITS) addAreas(table, { code, prefix: code + digit, zones, whole });
	}
	return new Map([...table].filter(([prefix, set]) => set !== inherited(table, prefix)));
}

const inherited = (table: ReadonlyMap<string, string>, prefix: string): string | undefined => {
	for (let length = prefix.length - 1; length > 0; length--) {
		const set = table.get(prefix.slice(0, length));
		if (set !== undefined) return set;
	}
	return undefined;
};

interface Area {
	readonly code: string;
	readonly prefix: string;
	readonly zones: ZoneMap;
	readonly whole: string;
}

const SEVERAL = 'several';

/** Adds the areas below a prefix; those that are all alike as one. Returns the set of one, undefined where no one has such a number. */
function addAreas(table: Map<string, string>, area: Area): string | undefined {
	const { code, prefix, zones } = area;
	if (prefix.length === areaLength(code)) {
		// An area code of North America is of one place, whatever kinds of numbers it has and also before the plan knows it.
		const isArea = code === '1' && zones.has(prefix);
		const kinds = isArea ? new Set<string>() : kindsOf(prefix, code);
		if (kinds.size === 0 && !isArea) return undefined;
		const set = [...kinds].some((kind) => !hasArea(kind, code)) ? homeOf(area) : below(area);
		table.set(prefix, set);
		return set;
	}
	const sets = new Set(DIGITS.map((digit) => addAreas(table, { ...area, prefix: prefix + digit })));
	sets.delete(undefined);
	const [only] = sets;
	const areSeveral = sets.size > 1 || only === SEVERAL;
	if (areSeveral) table.set(prefix, homeOf(area));
	else if (only !== undefined) table.set(prefix, only);
	return areSeveral ? SEVERAL : only;
}

/** All zones of a country; Kazakhstan has a part of Russia's code. */
function homeOf({ code, prefix, zones, whole }: Area): string {
	if (code !== '7' || prefix.length < 2) return whole;
	const isKazakh = prefix.startsWith('77') || prefix.startsWith('76');
	const own = [...zones].filter(([each]) => each.length > 1 && /^7[67]/.test(each) === isKazakh);
	return setOf(own.flatMap(([, each]) => each));
}

/** The zones of all numbers that begin with a prefix, as far as the source knows an area. */
function below({ code, prefix, zones, whole }: Area): string {
	const longer = [...zones].filter(([each]) => each.startsWith(prefix));
	let own: readonly string[] = [];
	for (let length = prefix.length; length > code.length && own.length === 0; length--)
		own = zones.get(prefix.slice(0, length)) ?? [];
	const found = setOf([...own, ...longer.flatMap(([, each]) => each)]);
	return found === '' ? whole : found;
}

const hasArea = (kind: string, code: string): boolean =>
	/^FIXED_LINE/.test(kind) || (kind === 'MOBILE' && MOBILE_HAS_AREA.includes(code));

const TRIES = 60;

/** The kinds of numbers that begin with a prefix, found by trying. */
function kindsOf(prefix: string, code: string): ReadonlySet<string> {
	const kinds = new Set<string>();
	for (const length of lengthsOf(code)) {
		const open = length - (prefix.length - code.length);
		for (let i = 0; i < TRIES && open >= 0; i++) {
			const rest = String((i * 7_919_777_777 + 123_456_789) % 10 ** open).padStart(open, '0');
			const number = parsePhoneNumberFromString(`+${prefix}${open === 0 ? '' : rest}`, metadata);
			if (number?.countryCallingCode === code && number.isValid())
				kinds.add(number.getType() ?? 'none');
		}
	}
	return kinds;
}

function lengthsOf(code: string): readonly number[] {
	const lengths = (metadata.country_calling_codes[code] ?? []).flatMap((country) => {
		const plans = new Metadata(metadata);
		plans.selectNumberingPlan(country);
		return plans.numberingPlan?.possibleLengths() ?? [];
	});
	return [...new Set(lengths)];
}
