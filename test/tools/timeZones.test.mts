import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { readSource, sourceFile } from '../../tools/timeZones/source.mts';

// The sources of the package name their neighbors without an extension.
registerHooks({
	resolve: (name, context, next) => next(name === './zoneTable' ? `${name}.ts` : name, context),
});
const { zonesOfNumber } = await import('../../src/core/phone/zones.ts');

const file = sourceFile();

test('the time zones of a number contain those of every prefix that libphonenumber knows', () => {
	const source = readSource(file);
	assert.ok(source.size > 3000);
	for (const [prefix, zones] of source) {
		// The first digits of a longer prefix tell more than the rest of a shorter one.
		const has = zonesOfNumber(`+${prefix}`) ?? [];
		assert.deepEqual(
			zones.filter((zone) => !has.includes(zone)),
			[],
			prefix,
		);
	}
});
