import { lowerCase } from 'lodash';
import { countryParameter } from '../../core/country';
import type { Fault } from '../../core/failures';
import { isBlankNumber, readPhoneNumber, type PhoneNumber } from '../../core/phoneNumber';
import type { CreateSettings } from './settings';
import type { ReadParameter } from './variables';

/** The number of a row, and its fault if it is invalid or must not be called. */
export interface CalledPhone {
	readonly parsed?: PhoneNumber;
	readonly fault?: Fault | undefined;
	/** Whether the cell has no digit. */
	readonly isBlank: boolean;
}

/** Reads the number of a row, and checks that it may be called. */
export function readPhone(
	entered: unknown,
	settings: CreateSettings,
	read: ReadParameter,
): CalledPhone {
	const defaultCountry = read('defaultCountry', countryParameter);
	const phone = readPhoneNumber(entered, { ...settings, defaultCountry });
	const isBlank = isBlankNumber(entered);
	if ('reason' in phone) return { isBlank, fault: phone };
	return { isBlank, parsed: phone, fault: findNumberFault(phone, settings) };
}

/** Types of numbers that are called only if the user allows it. */
const COSTLY_TYPES: ReadonlyArray<PhoneNumber['type']> = [
	'PREMIUM_RATE',
	'SHARED_COST',
	'PERSONAL_NUMBER',
	'PAGER',
	'VOICEMAIL',
	'UAN',
];

/** Finds why a number must not be called: its type is costly, or its country is not allowed. */
function findNumberFault(
	{ number, country, type }: PhoneNumber,
	{ allowedCountries, allowPremiumRate }: CreateSettings,
): Fault | undefined {
	if (!allowPremiumRate && COSTLY_TYPES.includes(type))
		return {
			value: number,
			reason: `may cost more, because its type is ${lowerCase(type)}`,
			fix: "Remove the row, or add 'Allow Premium-Rate Numbers' under Options",
		};
	if (allowedCountries.length === 0 || (country && allowedCountries.includes(country)))
		return undefined;
	return {
		value: number,
		reason: `is in ${country ?? 'no country'}, not in Allowed Countries (${allowedCountries.join(', ')})`,
		fix: country ? 'Add it there, or remove the row' : 'Remove the row',
	};
}
