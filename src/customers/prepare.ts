import { withCountryCode } from '../core/phoneNumber';
import { fromColumns } from './headers';

/** Maps the columns of the input row, where that is wanted, and completes its phone number. */
export function prepare(raw: unknown): unknown {
	if (!isObject(raw) || !isObject(raw['customer'])) return raw;
	const { customerMapping, customer: entered } = raw;
	const options = isObject(raw['options']) ? raw['options'] : {};
	const automatic = customerMapping === 'autoMapInputData';
	const { fields, remaining } = automatic ? fromColumns(entered) : { fields: entered };
	const { defaultCountryCode: code, remainingColumns } = options;
	const customer = { ...fields };
	if (typeof code === 'string' && code !== '')
		customer['phoneNumber'] = withCountryCode(fields['phoneNumber'], code);
	if (remainingColumns === 'metadata' && fields['metadata'] === undefined) {
		const left = remaining?.() ?? {};
		if (Object.keys(left).length > 0) customer['metadata'] = left;
	}
	return { ...raw, customer };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
