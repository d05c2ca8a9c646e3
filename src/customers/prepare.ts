import { withCountryCode } from '../core/phoneNumber';
import { fromColumns } from './headers';

/** Maps the columns of the input row, where that is wanted, and completes its phone number. */
export function prepare(raw: unknown): unknown {
	if (!isObject(raw) || !isObject(raw['customer'])) return raw;
	const { customerMapping, customer: entered } = raw;
	const options = isObject(raw['options']) ? raw['options'] : {};
	const automatic = customerMapping === 'autoMapInputData';
	const { fields, remaining } = automatic
		? fromColumns(entered)
		: { fields: entered, remaining: {} };
	const { defaultCountryCode: code, remainingColumns } = options;
	const customer = { ...fields };
	if (typeof code === 'string' && code !== '')
		customer['phoneNumber'] = withCountryCode(fields['phoneNumber'], code);
	const keeps = remainingColumns === 'metadata' && Object.keys(remaining).length > 0;
	if (keeps && fields['metadata'] === undefined) customer['metadata'] = remaining;
	return { ...raw, customer };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
