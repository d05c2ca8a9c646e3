import { difference } from 'lodash';
import { z } from 'zod/v4';
import type { Fault, Problem } from '../core/failures';
import { fitsJson, jsonParameter } from '../core/json';
import { IS_EMPTY, problemsOf } from '../core/problems';
import type { CountryCode } from '../core/libphonenumber';
import { isBlankNumber, readPhoneNumber } from '../core/phoneNumber';
import { fail, ok, type Result } from '../core/result';
import { isRealText, isUnresolved, NOT_REAL_TEXT, uuid, wholeNumber } from '../core/schemas';
import { isBlank, cleanText } from '../core/plainText';
import { listSome } from '../core/words';

/** The columns of a row, or the fields of a customer, as they were entered. */
export type Columns = Readonly<Record<string, unknown>>;

/** The fields of a customer that a user can fill (interface: Customer). */
export const customerFields = {
	identifier: { label: 'Identifier', type: 'string', required: true },
	name: { label: 'Name', type: 'string', required: false },
	phoneNumber: { label: 'Phone Number', type: 'string', required: false },
	email: { label: 'Email', type: 'string', required: false },
	priority: { label: 'Priority', type: 'number', required: false },
	// Options, because the editor fills a boolean with false, which would clear marks.
	isDoNotDisturbEnabled: { label: 'Do Not Disturb', type: 'options', required: false },
	metadata: { label: 'Metadata', type: 'object', required: false },
	id: { label: 'ID', type: 'string', required: false },
} as const;

/** The field of a customer who must not be called. */
export const MARK = 'isDoNotDisturbEnabled';

/** One customer of a batch (interface: Customer, create payload item). */
export interface Customer {
	readonly identifier: string;
	readonly name?: string;
	readonly phoneNumber?: string;
	readonly email?: string;
	readonly priority?: number;
	readonly isDoNotDisturbEnabled?: boolean;
	readonly metadata?: unknown;
	readonly id?: string;
	readonly source?: { readonly method: string };
}

/** Reads a filled cell, or returns its fault. */
type Reader = (cell: unknown, defaultCountry?: CountryCode) => Result<unknown, Fault>;

/** Makes a reader from a schema. The fault of an invalid cell is its first problem. */
const readWithSchema =
	(schema: z.ZodType): Reader =>
	(cell) => {
		const read = schema.safeParse(cell);
		if (read.success) return ok(read.data);
		return fail(problemsOf(read.error)[0] ?? { reason: 'is not valid' });
	};

/** A long number that a spreadsheet shortened and so rounded, e.g. "1.4155E+10". */
const ROUNDED = /^\d+([.,]\d+)?\s*E\s*\+\s*\d+$/i;

/** Reads an identifier as text. Rejects an empty one, a rounded or fractional number, and a text such as "undefined". */
const readIdentifier: Reader = (cell) => {
	if (isBlank(cell))
		return fail({ reason: IS_EMPTY, fix: 'Every customer needs an ID of your own system' });
	if (typeof cell !== 'string' && typeof cell !== 'number')
		return fail({ reason: 'must be text or a number' });
	// Spreadsheets put an apostrophe before a number that is text.
	const text = cleanText(String(cell)).replace(/^'/, '');
	if ((typeof cell === 'number' && !Number.isSafeInteger(cell)) || ROUNDED.test(text))
		return fail({
			reason: 'is a number that was rounded or has a fraction',
			fix: 'Format the column as text',
		});
	return isRealText(text) ? readPlainText(text) : fail({ value: text, reason: NOT_REAL_TEXT });
};

/** Reads text unchanged, and a number as text. Rejects text with a trace of an empty expression, e.g. "crm-undefined". */
const readPlainText: Reader = (cell) => {
	const text = typeof cell === 'number' ? String(cell) : cell;
	if (typeof text !== 'string') return fail({ reason: 'must be text' });
	if (!isUnresolved(text)) return ok(text);
	const reason = 'contains an expression that gave nothing';
	return fail({ value: text, reason, fix: 'Correct it' });
};

/** Max characters of a cell: the 254 of an address, and blanks around it. */
const MAX_EMAIL_LENGTH = 1_000;

/** Reads an e-mail address, without the blanks around it. */
const readEmail: Reader = (cell) => {
	if (typeof cell !== 'string') return fail({ reason: 'must be text' });
	// A text of megabytes overflows the stack in the pattern.
	if (cell.length > MAX_EMAIL_LENGTH)
		return fail({ reason: 'is longer than an e-mail address can be', fix: 'Correct it' });
	const address = cleanText(cell);
	if (z.regexes.email.test(address)) return ok(address);
	const fix = 'Correct it or leave it empty';
	return fail({ value: address, reason: 'is not an e-mail address', fix });
};

/** Reads any JSON value except a list. Text that contains a JSON object counts as that object. */
const readMetadata: Reader = (cell) => {
	const isObjectText = typeof cell === 'string' && /^\s*\{/.test(cell);
	const value = isObjectText ? (jsonParameter.safeParse(cell).data ?? cell) : cell;
	if (Array.isArray(value))
		return fail({ reason: 'must be an object, text, a number, true or false' });
	const reason = `contains a value that JSON cannot represent (NaN, Infinity, or too many levels)`;
	return fitsJson(value) ? ok(value) : fail({ reason, fix: 'Leave it out' });
};

const readers: ReadonlyArray<readonly [field: keyof Customer, read: Reader]> = [
	['identifier', readIdentifier],
	['name', readPlainText],
	[
		'phoneNumber',
		(cell, defaultCountry) => {
			const read = readPhoneNumber(cell, { defaultCountry });
			return 'reason' in read ? fail(read) : ok(read.number);
		},
	],
	['email', readEmail],
	['metadata', readMetadata],
	['priority', readWithSchema(wholeNumber(0))],
	['id', readWithSchema(uuid)],
	['source', readWithSchema(z.looseObject({ method: z.string() }))],
];

/** Reads the filled fields of one customer. Invalid fields, and an empty identifier, are problems instead. */
export function readCustomer(
	entered: Columns,
	defaultCountry?: CountryCode,
): { readonly customer: Partial<Customer>; readonly problems: readonly Problem[] } {
	const customer: Record<string, unknown> = {};
	const problems: Problem[] = [];
	for (const [field, read] of readers) {
		const cell = entered[field];
		const isEmpty =
			isBlank(cell) ||
			(Array.isArray(cell) && cell.length === 0) ||
			(field === 'phoneNumber' && isBlankNumber(cell));
		if (isEmpty && field !== 'identifier') continue;
		const result = read(cell, defaultCountry);
		if (result.ok) customer[field] = result.value;
		else problems.push({ ...result.failure, path: [field] });
	}
	return { customer, problems };
}

/** Lists the fields of an entered customer that do not exist. `source` exists, though only JSON can have it. */
export const listUnknownFields = (entered: Columns): string[] =>
	difference(Object.keys(entered), ['source', ...Object.keys(customerFields)]);

/** Builds the reason for unknown fields, with the fields that exist. `source` is added, because only JSON can have it. */
export const toUnknownFieldsReason = (fields: readonly string[]): string =>
	`has no field ${listSome(fields, "'")}. Remove or rename it. The fields are ${Object.keys(customerFields).join(', ')}, source`;
