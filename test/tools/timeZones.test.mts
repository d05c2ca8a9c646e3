import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { findMissing, listSamples } from '../../tools/timeZones/agreement.mts';
import { countriesByCode } from '../../tools/timeZones/numbers.mts';
import { clockOf, zonesOfCountry } from '../../tools/timeZones/secondSource.mts';
import { zonesByPrefix } from '../../tools/timeZones/source.mts';

// The sources of the package name their neighbors without an extension.
registerHooks({
	resolve: (name, context, next) => next(name === './zoneTable' ? `${name}.ts` : name, context),
});
const { zonesOfNumber } = await import('../../src/core/phone/zones.ts');

const clocksOf = (prefix: string): ReadonlySet<string> =>
	new Set((zonesOfNumber(`+${prefix}`) ?? []).map(clockOf));

test('a number has every clock that libphonenumber knows for its first digits', () => {
	assert.ok(zonesByPrefix.size > 3000);
	const clocks = Object.entries(countriesByCode).map(
		([code, countries]) => [code, new Set(countries.flatMap(zonesOfCountry).map(clockOf))] as const,
	);
	for (const [prefix, zones] of zonesByPrefix) {
		const has = clocksOf(prefix);
		const [, ofCountry] = clocks.find(([code]) => prefix.startsWith(code)) ?? [];
		// It has the zone of a neighbor for Morocco, Libya and a few others.
		const known = zones.filter((zone) => ofCountry?.size === 0 || ofCountry?.has(clockOf(zone)));
		assert.deepEqual(
			known.filter((zone) => !has.has(clockOf(zone))),
			[],
			prefix,
		);
	}
});

test('a second source has no zone for a state, a country or a city that the table lacks', () => {
	assert.ok(listSamples().length > 780);
	assert.deepEqual(
		findMissing((prefix) => zonesOfNumber(`+${prefix}`) ?? []),
		[],
	);
});
