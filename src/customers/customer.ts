import mapValues from 'lodash/mapValues';
import memoize from 'lodash/memoize';
import pickBy from 'lodash/pickBy';
import { z } from 'zod/v4';
import { uuid, wholeNumber, yesOrNo } from '../core/schemas';
import { isNothing, isNothingFor, isZero } from './nothing';
import { fitsJson, isRecord, jsonParameter } from '../core/json';
import { isBlank, someOf, textOf, visible } from '../core/text';
import type { CountryCode, PhoneSettings } from '../core/phoneNumber';
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

/** What spreadsheets show of a long number: other numbers look the same. */
const ROUNDED = /^\d+([.,]\d+)?\s*E\s*\+\s*\d+$/i;

/** Reads a value, or refuses it with a message. */
type Read<T> = (value: unknown) => Result<T, string>;

/** The schema of what a function reads. */
const readWith = <T>(read: Read<T>): z.ZodType<T> =>
	z.unknown().transform((value, context) => {
		const result = read(value);
		if (result.ok) return result.value;
		context.addIssue({ code: 'custom', message: result.failure });
		return z.NEVER;
	});

/** Reads by a schema of a value that holds no others, so there is one thing wrong with it. */
const readBy =
	(schema: z.ZodType): Read<unknown> =>
	(value) => {
		const read = schema.safeParse(value);
		return read.success ? ok(read.data) : fail(problemsOf(read.error)[0]?.message ?? '');
	};

/** What an expression leaves in a text where it gives nothing, or is not read at all. */
const UNRESOLVED = /\bundefined\b|\[object Object\]|\{\{/;
/** A prefix or an ending without what belongs to it: "crm-" of `crm-{{ $json.id }}`. */
const FIXED_PART = /^(?:(?:\p{L}*[-_:/#|])+|[-_:#|]\p{L}+)$/u;
const unresolved = (text: string): string =>
	`'${text.slice(0, 60)}' contains an expression that gave nothing. Correct it`;

/** Text without a trace of an expression that gave nothing. */
export const resolvedText = z
	.string({ error: 'must be text' })
	.refine((text) => !UNRESOLVED.test(text), { error: ({ input }) => unresolved(String(input)) });

const MISSING = 'is missing. Every customer needs an ID of your own system';

const identifier: Read<string> = (value) => {
	// A spreadsheet marks a number as text by an apostrophe.
	const text = typeof value === 'string' ? visible(value).replace(/^['’](?=\d)/, '') : '';
	if ([UNRESOLVED, /[^a-z]null$/, FIXED_PART].some((each) => each.test(text)))
		return fail(unresolved(text));
	if (isNothing(value) || isZero(value)) return fail(MISSING);
	if (text !== '' && !ROUNDED.test(text)) return ok(text);
	if (Number.isSafeInteger(value)) return ok(String(value));
	return Number.isFinite(value) || text !== ''
		? fail('is a number that was rounded or has a fraction. Format the column as text')
		: fail(MISSING);
};

const email = z
	.string({ error: 'must be text' })
	.overwrite(visible)
	.refine((value) => z.regexes.email.test(value), {
		error: (issue) =>
			`"${String(issue.input).slice(0, 60)}" is not an e-mail address. Correct it or leave it empty`,
	});

const NO_JSON =
	'contains a value that JSON cannot represent (NaN, Infinity, or too many levels). Leave it out';

/** Any value that JSON can hold but a list; text that holds an object counts as that object, unless that would lose something. */
const metadata: Read<unknown> = (value) => {
	const object =
		typeof value === 'string' && /^\s*\{/.test(value) && jsonParameter.safeParse(value).data;
	const read = object || value;
	const fits =
		read === null ||
		isRecord(read) ||
		['string', 'boolean'].includes(typeof read) ||
		Number.isFinite(read);
	if (!fits) return fail('must be an object, text, a number, true or false');
	return fitsJson(read) ? ok(read) : fail(NO_JSON);
};

// 0 is the highest.
const anyPriority = wholeNumber(0);
const priority: Read<number> = (value) => {
	const read = anyPriority.safeParse(value);
	return read.success
		? ok(read.data)
		: fail(
				`'${textOf(value).slice(0, 40)}' is not a whole number, 0 or more. Correct it or leave it empty`,
			);
};

const personalNumber =
	(settings: PhoneSettings = {}): Read<string> =>
	(value) => {
		const read = readPhoneNumber(value, settings);
		if ('problem' in read) return fail(read.problem);
		const what = unreachable(read.number);
		return what === undefined
			? ok(read.number)
			: fail(`"${read.number}" is ${what}. Enter a number at which the customer answers`);
	};

/** Why something else than an object is no customer. */
export const NO_OBJECT =
	'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}';

const fields = {
	identifier: readWith(identifier),
	name: z
		.union([z.string(), z.number().transform(String)], { error: 'must be text' })
		.pipe(resolvedText)
		.optional(),
	phoneNumber: readWith(personalNumber()).optional(),
	email: email.optional(),
	metadata: readWith(metadata).optional(),
	priority: readWith(priority).optional(),
	isDoNotDisturbEnabled: yesOrNo.optional(),
	id: uuid.optional(),
};

const source = z
	.looseObject(
		{ method: z.string({ error: 'must be text' }) },
		{ error: 'must be an object, e.g. {"method": "api"}' },
	)
	.refine(fitsJson, { error: NO_JSON });

/** An empty cell means that there is no value, not that the value is empty. */
function withoutBlanks(value: unknown): unknown {
	if (!isRecord(value)) return value;
	// What a text of metadata says is the user's own.
	const isFilled = ([key, cell]: [string, unknown]): boolean =>
		key === 'metadata' ? cell === null || !isBlank(cell) : !isNothingFor(key, cell);
	return Object.fromEntries(Object.entries(value).filter(isFilled));
}

/** One customer of a batch as it is sent (interface: Customer, create payload item); blank fields are left out. */
export const customerSchema = z.preprocess(
	withoutBlanks,
	z.strictObject(
		{ ...fields, source: source.optional() },
		{
			error: (issue) =>
				issue.code === 'unrecognized_keys'
					? `has no field ${someOf(issue.keys, "'")}. Remove or rename it. The fields are ${Object.keys(customerFields).join(', ')}`
					: NO_OBJECT,
		},
	),
);

/** A customer as it is sent. */
export type Customer = z.infer<typeof customerSchema>;

/** A customer as it stands in the body of its request. */
export const toBody = (customer: Customer, { sendSource }: { sendSource: boolean }): object =>
	sendSource ? { source: { method: 'api' }, ...customer } : customer;

/** What reads each field. */
const readersFor = memoize((defaultCountry: CountryCode | undefined) => {
	const phoneNumber = personalNumber({ defaultCountry });
	const bySchema = mapValues(fields, readBy);
	return Object.entries({ ...bySchema, identifier, phoneNumber, metadata, priority });
});

/** Reads the fields of a customer that have a value, whatever else there is beside them; those that are invalid are problems. */
export function readFields(
	filled: Columns,
	defaultCountry?: CountryCode,
): { customer: Partial<Customer>; problems: readonly Problem[] } {
	const customer: Record<string, unknown> = {};
	const problems: Problem[] = [];
	for (const [name, reader] of readersFor(defaultCountry)) {
		const value = filled[name];
		if (value === undefined && name !== 'identifier') continue;
		const read = reader(value);
		if (read.ok) customer[name] = read.value;
		else problems.push({ path: [name], message: read.failure });
	}
	return { customer, problems };
}

const ZERO_IS_NOTHING = ['identifier', 'name', 'phoneNumber', 'email', 'id'];

/**
 * The fields of a customer that have a value, of those that a user mapped by hand. A priority of 0 is the highest, and a mark of 0 is a
 * no; no one's ID, name or number is.
 */
export const filledFields = (mapped: Columns): Columns =>
	pickBy(mapped, (value, name) => {
		const isEmpty = isNothingFor(name, value) || (Array.isArray(value) && value.length === 0);
		return !isEmpty && !(ZERO_IS_NOTHING.includes(name) && isZero(value));
	});
