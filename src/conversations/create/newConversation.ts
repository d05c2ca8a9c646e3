import difference from 'lodash/difference';
import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { fitsJson } from '../../core/json';
import { isWritten, NOT_WRITTEN, rowsOf } from '../../core/schemas';
import { isBlank, cleanText } from '../../core/plainText';

const VALUE_NOT_JSON =
	'cannot be written as JSON. Convert it to text, and leave deeply nested parts out';

/** Variables of a conversation, by name, that can be sent. */
export const jsonVariables = z
	.custom<Record<string, unknown>>(isPlainObject, {
		error: 'must be an object, e.g. {"firstName": "Ana"}',
		abort: true,
	})
	.refine(fitsJson, { error: VALUE_NOT_JSON });

/** The type of a conversation that is a phone call. */
export const CALL = 'telephony';

/** The channel of a conversation; the interface has no list of them (interface: Conversation). */
export const conversationType = z
	.string({ error: 'must be text' })
	.overwrite(cleanText)
	.min(1, { error: 'is empty. Use telephony, chat or web' })
	.refine(isWritten, { error: NOT_WRITTEN })
	.default(CALL);

/** A conversation to start (interface: Conversation, create request item); a call has a number. */
export interface NewConversation {
	readonly agentId: string;
	readonly conversationType: string;
	readonly toPhoneNumber?: string;
	readonly dynamicVariables: Readonly<Record<string, unknown>>;
	readonly [field: string]: unknown;
}

/** The fields of a conversation that the interface lists. */
export const LISTED_FIELDS = [
	'agentId',
	'conversationType',
	'toPhoneNumber',
	'dynamicVariables',
] as const;

/** The fields of a conversation that the interface does not list. */
export const unlistedFields = (conversation: Readonly<Record<string, unknown>>): string[] =>
	difference(Object.keys(conversation), LISTED_FIELDS);

/** Lists the problems of fields that the interface does not list. */
export const fieldProblems = (conversation: Readonly<Record<string, unknown>>): string[] =>
	unlistedFields(conversation).flatMap((field) => {
		if (field === '__proto__') return [`contains "${field}", which cannot be sent. Remove it`];
		const value = conversation[field];
		return value === undefined || fitsJson(value)
			? []
			: [`contains "${field}", which ${VALUE_NOT_JSON}`];
	});

/** The text of a failed formula in a spreadsheet: "#N/A", "#REF!". */
const CELL_ERROR = /^#(?:N\/A|NAME\?|(?:REF|VALUE|DIV\/0|NUM|NULL|ERROR)!)$/;

/** Whether a cell contains no information for an agent. */
export const isEmptyCell = (value: unknown): boolean =>
	isBlank(value) || (typeof value === 'string' && CELL_ERROR.test(value.trim()));

/** The variables that are entered as rows of names and values. A name may appear once. */
export const variableRows = z
	.looseObject({
		variables: rowsOf(
			z.looseObject({
				name: z.string().trim().min(1, { error: 'is empty. Enter the name of the variable' }),
				value: z
					.unknown()
					.transform((value) => (isEmptyCell(value) ? '' : value))
					.refine(fitsJson, { error: VALUE_NOT_JSON }),
			}),
		),
	})
	.transform(({ variables: rows }, context) => {
		const names = rows.map(({ name }) => name);
		for (const [index, name] of names.entries())
			if (names.indexOf(name) < index) {
				const message = `'${name}' appears twice. Remove one of the two`;
				context.addIssue({ code: 'custom', path: ['variables', index, 'name'], message });
			}
		return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
	});
