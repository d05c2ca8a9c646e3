import isPlainObject from 'lodash/isPlainObject';
import memoize from 'lodash/memoize';
import { z } from 'zod/v4';
import { uuid, yesOrNo } from '../core/schemas';
import { isNothing, isZero } from './nothing';
import { fitsJson, parsedOrSame } from '../core/json';
import { isBlank, visible } from '../core/text';
import type { CountryCode, PhoneSettings } from '../core/phoneNumber';
import { recognizeClean } from '../core/cleanNumber';
import { readPhoneNumber, unreachable } from '../core/phoneNumber';
import { problemsOf } from '../core/operation';
import type { Problem } from '../core/failures';
import type { Result } from '../core/result';
import { fail, ok } from '../core/result';

type Columns = Readonly<Record<string, unknown>>;

/** A field of a customer as the resource mapper shows it. */
export interface CustomerField {
	readonly label: string;
	readonly type: 'string' | 'number' | 'options' | 'object';
	readonly required: boolean;
	readonly options?: ReadonlyArray<{ readonly name: string; readonly value: string }>;
}

/** The fields of a customer that a user can fill (interface: Customer). */
export const customerFields = {
	identifier: { label: 'Identifier', type: 'string', required: true },
	name: { label: 'Name', type: 'string', required: false },
	phoneNumber: { label: 'Phone Number', type: 'string', required: false },
	email: { label: 'Email', type: 'string', required: false },
	priority: { label: 'Priority', type: 'number', required: false },
	// The editor fills a boolean with false, which would switch marks off that no one touched.
	isDoNotDisturbEnabled: {
		label: 'Do Not Disturb',
		type: 'options',
		required: false,
		options: [
			{ name: 'Yes', value: 'yes' },
			{ name: 'No', value: 'no' },
		],
	},
	metadata: { label: 'Metadata', type: 'object', required: false },
	id: { label: 'ID', type: 'string', required: false },
} as const satisfies Record<string, CustomerField>;

/** The field of a customer who must not be called. */
export const MARK = 'isDoNotDisturbEnabled';

const shown = (value: unknown): string =>
	typeof value === 'object' ? 'This value' : `'${String(value).slice(0, 40)}'`;

/** What spreadsheets show of a long number: other numbers look the same. */
const ROUNDED = /^\d([.,]\d+)?E\+\d+$/i;

const identifier = z.unknown().transform((value, context) => {
	const text = typeof value === 'string' ? visible(value) : '';
	if (text !== '' && !ROUNDED.test(text)) return text;
	if (Number.isSafeInteger(value)) return String(value);
	const message =
		Number.isFinite(value) || text !== ''
			? 'is a number that was rounded or has a fraction. Format the column as text'
			: 'is missing. Every customer needs an ID of your own system';
	context.addIssue({ code: 'custom', message });
	return z.NEVER;
});

const email = z
	.string({ error: 'must be text' })
	.overwrite(visible)
	.refine((value) => z.regexes.email.test(value), {
		error: (issue) =>
			`'${String(issue.input).slice(0, 60)}' is not an e-mail address. Correct it or leave it empty`,
	});

const priority = z.preprocess(
	(value) => (typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
	z
		.int({
			error: (issue) =>
				`${shown(issue.input)} is not a whole number. Use 0 (first) or more, or leave it empty`,
		})
		.min(0, { error: 'is below 0. Use 0 (first) or more' }),
);

const METADATA = 'must be an object, text, a number, true or false';
const NO_JSON =
	'contains a value that JSON cannot represent (NaN, Infinity, or too many levels). Leave it out';

/** Any value that JSON can hold but a list; text that holds an object counts as that object. */
const metadata = z.unknown().transform((value, context) => {
	const read = typeof value === 'string' && /^\s*\{/.test(value) ? parsedOrSame(value) : value;
	const fits =
		read === null ||
		isPlainObject(read) ||
		typeof read === 'string' ||
		typeof read === 'boolean' ||
		Number.isFinite(read);
	if (fits && fitsJson(read)) return read;
	context.addIssue({ code: 'custom', message: fits ? NO_JSON : METADATA });
	return z.NEVER;
});

/** A number at which a person can be called. */
const personalNumber = (settings: PhoneSettings = {}): z.ZodType<string> =>
	z.unknown().transform((value, context) => {
		const read = readPhoneNumber(value, settings);
		const what = 'number' in read ? unreachable(read.number) : undefined;
		if ('number' in read && what === undefined) return read.number;
		const message =
			'number' in read
				? `"${read.number}" is ${what ?? ''}. Enter a number at which the customer answers`
				: read.problem;
		context.addIssue({ code: 'custom', message });
		return z.NEVER;
	});

const NO_OBJECT = 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}';

const fields = {
	identifier,
	name: z.union([z.string(), z.number().transform(String)], { error: 'must be text' }).optional(),
	phoneNumber: personalNumber().optional(),
	email: email.optional(),
	metadata: metadata.optional(),
	priority: priority.optional(),
	source: z
		.looseObject(
			{ method: z.string({ error: 'must be text' }) },
			{ error: 'must be an object, e.g. {"method": "api"}' },
		)
		.refine(fitsJson, { error: NO_JSON })
		.optional(),
	isDoNotDisturbEnabled: yesOrNo.optional(),
	id: uuid.optional(),
};

/** One customer of a batch as it is sent (interface: Customer, create payload item); blank fields are left out. */
export const customerSchema = z.preprocess(
	withoutBlanks,
	z.strictObject(fields, {
		error: (issue) =>
			issue.code === 'unrecognized_keys'
				? `has no field '${issue.keys.join("', '")}'. Remove or rename it. The fields are ${Object.keys(customerFields).join(', ')}`
				: NO_OBJECT,
	}),
);

/** A customer as it is sent. */
export type Customer = z.infer<typeof customerSchema>;

/** An empty cell means that there is no value, not that the value is empty. */
function withoutBlanks(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const isFilled = ([key, field]: [string, unknown]): boolean =>
		!isBlank(field) || (field === null && key === 'metadata');
	return Object.fromEntries(Object.entries(value).filter(isFilled));
}

const customerIn = memoize((defaultCountry: CountryCode | undefined) =>
	z.object(
		{ ...fields, phoneNumber: personalNumber({ defaultCountry }).optional() },
		{ error: NO_OBJECT },
	),
);

/**
 * Reads a customer in a row of the resource mapper, which holds other columns too: only the fields of a customer count. Without
 * a schema where every value is as it would be sent: of a hundred thousand rows, all are checked before the first
 * request, most are.
 */
export function readFields(
	row: unknown,
	defaultCountry?: CountryCode,
): Result<Customer, readonly Problem[]> {
	const filled =
		typeof row === 'object' && row !== null ? filledFieldsOf(row as Columns) : undefined;
	if (filled && isClean(filled)) return ok(filled);
	const parsed = customerIn(defaultCountry).safeParse(filled ?? row);
	return parsed.success ? ok(parsed.data) : fail(problemsOf(parsed.error));
}

/** For fields that a schema would leave as they are; those of the others it has to look at. */
const clean: Readonly<Record<string, (value: unknown) => boolean>> = {
	identifier: (value) =>
		typeof value === 'string' && value === visible(value) && !ROUNDED.test(value),
	name: (value) => typeof value === 'string',
	phoneNumber: (value) =>
		typeof value === 'string' && recognizeClean(value)?.maybeSpecial === false,
	email: (value) => typeof value === 'string' && z.regexes.email.test(value),
	priority: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
	isDoNotDisturbEnabled: (value) => typeof value === 'boolean',
};

const isClean = (filled: Columns): filled is Customer =>
	Object.entries(filled).every(([name, field]) => clean[name]?.(field) === true) &&
	filled['identifier'] !== undefined;

const filledFieldsOf = (row: Columns): Columns =>
	Object.fromEntries(
		Object.keys(customerFields)
			.filter((name) => Object.hasOwn(row, name) && !hasNoValue(name, row[name]))
			.map((name) => [name, row[name]]),
	);

/** A priority of 0 is the highest, and a mark of 0 is a no; no one's ID, name or number is. */
const hasNoValue = (name: string, field: unknown): boolean =>
	isNothing(field) ||
	(Array.isArray(field) && field.length === 0) ||
	(ZERO_IS_NOTHING.has(name) && isZero(field));
const ZERO_IS_NOTHING = new Set(['identifier', 'name', 'phoneNumber', 'email', 'id']);
