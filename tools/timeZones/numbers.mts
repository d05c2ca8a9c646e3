import { createRequire } from 'node:module';
import type { CountryCode, MetadataJson, PhoneNumberType } from 'libphonenumber-js/core';
import lodash from 'lodash';

const require = createRequire(import.meta.url);
const { Metadata, parsePhoneNumberFromString } =
	require('libphonenumber-js/core') as typeof import('libphonenumber-js/core');
const metadata = require('libphonenumber-js/metadata.max.json') as MetadataJson;

/** The countries of each calling code. */
export const countriesByCode: Readonly<Record<string, readonly CountryCode[]>> =
	metadata.country_calling_codes;

/** A kind of numbers: those of a country, a type, and an area code as long as their plan groups it. */
interface Kind {
	readonly country: CountryCode;
	readonly type: PhoneNumberType;
	readonly areaCode: string;
}

const TRIES = 200;

/** Lists the kinds of valid numbers that begin with a prefix, found by trying. Countries may share a range. */
export function kindsOf(prefix: string, code: string): readonly Kind[] {
	const kinds = new Map<string, Kind>();
	for (const length of lengthsOf(code)) {
		const open = length - (prefix.length - code.length);
		for (let i = 0; i < TRIES && open >= 0; i++) {
			const digits = String((i * 7_919_777_777 + 123_456_789) % 10 ** open).padStart(open, '0');
			const number = parsePhoneNumberFromString(`+${prefix}${open === 0 ? '' : digits}`, metadata);
			// The library leaves out the 0 of "+49 (0)30".
			if (!number?.number.startsWith(`+${prefix}`) || !number.isValid()) continue;
			const [, areaCode = ''] = number.formatInternational().split(' ');
			for (const country of countriesByCode[code] ?? []) {
				number.country = country;
				const type = number.getType();
				if (type) kinds.set(`${country} ${type} ${areaCode}`, { country, type, areaCode });
			}
		}
	}
	return [...kinds.values()];
}

const lengthsOf = lodash.memoize((code: string): readonly number[] => {
	const lengths = (countriesByCode[code] ?? []).flatMap((country) => {
		const plans = new Metadata(metadata);
		plans.selectNumberingPlan(country);
		return plans.numberingPlan?.possibleLengths() ?? [];
	});
	return [...new Set(lengths)];
});
