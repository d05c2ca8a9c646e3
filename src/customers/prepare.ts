import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { withCountryCode } from '../core/phoneNumber';
import { fromColumns } from './headers';

const settings = z.looseObject({
	customerMapping: z.string().optional(),
	// Not z.record, which takes a column named `constructor` for a class.
	customer: z.custom<Record<string, unknown>>(isPlainObject),
	options: z
		.looseObject({
			defaultCountryCode: z.string().default(''),
			remainingColumns: z.string().default('ignore'),
		})
		.prefault({}),
});

/** Maps the columns of the input row, where that is wanted, and completes its phone number. */
export function prepare(raw: unknown): unknown {
	const known = settings.safeParse(raw).data;
	if (!known) return raw;
	const { customerMapping, options: chosen } = known;
	const automatic = customerMapping === 'autoMapInputData';
	const { fields, remaining } = automatic
		? fromColumns(known.customer)
		: { fields: known.customer, remaining: {} };
	const keeps = chosen.remainingColumns === 'metadata' && Object.keys(remaining).length > 0;
	const customer = {
		...fields,
		...(chosen.defaultCountryCode !== '' && {
			phoneNumber: withCountryCode(fields['phoneNumber'], chosen.defaultCountryCode),
		}),
		...(keeps && fields['metadata'] === undefined && { metadata: remaining }),
	};
	return { ...known, customer };
}
