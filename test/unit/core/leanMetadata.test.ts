import fc from 'fast-check';
import type { CountryCode, Examples, MetadataJson } from 'libphonenumber-js/core';
import { parsePhoneNumberFromString } from 'libphonenumber-js/core';
import examples from 'libphonenumber-js/examples.mobile.json';
import json from 'libphonenumber-js/metadata.min.json';
import { withoutFormats } from '../../../gulpfile.js';

const full = json as unknown as MetadataJson;
const lean = withoutFormats(full);
const countries = Object.keys(full.countries) as CountryCode[];

const read = (digits: string, defaultCountry: CountryCode | undefined, metadata: MetadataJson) => {
	const options = { extract: false, ...(defaultCountry && { defaultCountry }) };
	const found = parsePhoneNumberFromString(digits, options, metadata);
	return found && [found.number, found.country, found.isValid(), found.isPossible()];
};

const expectSame = (digits: string, country?: CountryCode) => {
	expect([digits, read(digits, country, lean)]).toEqual([digits, read(digits, country, full)]);
};

it('reads the example numbers of all countries as the whole metadata does, however they are dialled', () => {
	for (const [country, example] of Object.entries(examples as Examples)) {
		const code = full.countries[country as CountryCode]?.[0];
		expectSame(`+${String(code)}${example}`);
		for (const prefix of ['', '0', '00', '8', '1', '06'])
			for (const home of [country as CountryCode, 'US', 'DE', 'RU', 'IT'] as const)
				expectSame(`${prefix}${example}`, home);
	}
});

it('reads any digits as the whole metadata does', () => {
	const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 15 });
	fc.assert(
		fc.property(digits, fc.constantFrom(...countries), (number, country) => {
			expectSame(number, country);
			expectSame(`+${String(full.countries[country]?.[0])}${number}`);
		}),
		{ numRuns: 5_000 },
	);
});
