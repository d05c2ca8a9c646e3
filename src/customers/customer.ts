import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { yesOrNo } from '../core/fields';
import { phoneNumber } from '../core/phoneNumber';
import { uuid } from '../core/uuid';

/** A field of a customer as the resource mapper shows it. */
export interface CustomerField {
	readonly label: string;
	readonly type: 'string' | 'number' | 'boolean' | 'object';
	readonly required: boolean;
}

/** The fields of a customer that a user can fill (interface: Customer). */
export const customerFields = {
	identifier: { label: 'Identifier', type: 'string', required: true },
	name: { label: 'Name', type: 'string', required: false },
	phoneNumber: { label: 'Phone Number', type: 'string', required: false },
	email: { label: 'Email', type: 'string', required: false },
	priority: { label: 'Priority', type: 'number', required: false },
	isDoNotDisturbEnabled: { label: 'Do Not Disturb', type: 'boolean', required: false },
	metadata: { label: 'Metadata', type: 'object', required: false },
	id: { label: 'ID', type: 'string', required: false },
} as const satisfies Record<string, CustomerField>;

const shown = (value: unknown): string =>
	typeof value === 'object' ? 'This value' : `'${String(value).slice(0, 40)}'`;

const identifier = z
	.union([z.string(), z.number()], {
		error: 'is missing. Every customer needs an ID of your own system',
	})
	.refine((value) => typeof value === 'string' || Number.isSafeInteger(value), {
		error: 'is a number that was rounded or has a fraction. Format the column as text',
	})
	.transform((value) => String(value).trim());

const email = z
	.string({ error: 'must be text' })
	.trim()
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
	context.addIssue({
		code: 'custom',
		message: fits ? 'is nested too deeply for JSON. Leave the inner levels out' : METADATA,
	});
	return z.NEVER;
});

function parsedOrSame(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return text;
	}
}

function fitsJson(value: unknown): boolean {
	try {
		return JSON.stringify(value) !== undefined;
	} catch {
		return false;
	}
}

/** One customer of a batch as it is sent (interface: Customer, create payload item); blank fields are left out. */
export const customerSchema = z.preprocess(
	withoutBlanks,
	z.strictObject(
		{
			identifier,
			name: z
				.union([z.string(), z.number()], { error: 'must be text' })
				.transform(String)
				.optional(),
			phoneNumber: phoneNumber.optional(),
			email: email.optional(),
			metadata: metadata.optional(),
			priority: priority.optional(),
			source: z
				.looseObject(
					{ method: z.string({ error: 'must be text' }) },
					{ error: 'must be an object, e.g. {"method": "api"}' },
				)
				.optional(),
			isDoNotDisturbEnabled: yesOrNo.optional(),
			id: uuid.optional(),
		},
		{
			error: (issue) =>
				issue.code === 'unrecognized_keys'
					? `has no field '${issue.keys.join("', '")}'. Remove or rename it; the fields are ${Object.keys(customerFields).join(', ')}`
					: 'must be an object with the fields of a customer, e.g. {"identifier": "C-1"}',
		},
	),
);

/** A customer as it is sent. */
export type Customer = z.infer<typeof customerSchema>;

/** An empty cell means that there is no value, not that the value is empty. */
function withoutBlanks(value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value);
	const filled = entries.filter(([key, field]) => isFilled(key, field));
	return filled.length === entries.length ? value : Object.fromEntries(filled);
}

function isFilled(key: string, field: unknown): boolean {
	if (field === null) return key === 'metadata';
	return field !== undefined && !(typeof field === 'string' && field.trim() === '');
}
