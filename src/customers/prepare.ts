import { withCountryCode } from '../core/phoneNumber';
import { fromColumns } from './headers';

/** The customer of a row: its columns are mapped where that is wanted, and its phone number is completed. */
export function prepare(parameters: object): unknown {
	const {
		customer: entered,
		customerMapping,
		options = {},
	} = parameters as Record<string, unknown>;
	if (!isObject(entered)) return entered;
	const automatic = customerMapping === 'autoMapInputData';
	const { fields, remaining } = automatic ? fromColumns(entered) : { fields: entered };
	const { defaultCountryCode: code, remainingColumns } = isObject(options) ? options : {};
	const adds = typeof code === 'string' && code !== '';
	const keeps = remainingColumns === 'metadata' && fields['metadata'] === undefined;
	if (!adds && !keeps) return fields;
	const customer = { ...fields };
	if (adds) customer['phoneNumber'] = withCountryCode(fields['phoneNumber'], code);
	const left = keeps ? (remaining?.() ?? {}) : {};
	if (Object.keys(left).length > 0) customer['metadata'] = left;
	return customer;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
