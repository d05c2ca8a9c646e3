import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { fitsJson } from '../core/json';
import { rowsOf } from '../core/rows';
import { phoneNumber } from '../core/phoneNumber';
import { uuid } from '../core/uuid';

const NO_JSON = 'cannot be written as JSON. Convert it to text, and leave deeply nested parts out';

/** Variables of a conversation, by name. */
export const variables = z.custom<Record<string, unknown>>(isPlainObject, {
	error: 'must be an object, e.g. {"firstName": "Ana"}',
	abort: true,
});

/** Variables that can be sent. */
export const jsonVariables = variables.refine(fitsJson, { error: NO_JSON });

/** One conversation to start (interface: Conversation, create request item). */
export const newConversation = z.strictObject(
	{
		agentId: uuid,
		conversationType: z
			.string({ error: 'must be text' })
			.trim()
			.min(1, { error: 'is empty. Use telephony' })
			.default('telephony'),
		toPhoneNumber: phoneNumber,
		dynamicVariables: jsonVariables.default({}),
	},
	{
		error: (issue) =>
			issue.code === 'unrecognized_keys'
				? `has no field '${issue.keys.join("', '")}'. Remove or rename it; the fields are agentId, conversationType, toPhoneNumber, dynamicVariables`
				: 'must be an object, e.g. {"agentId": "…", "toPhoneNumber": "+14155550178"}',
	},
);

/** A conversation to start. */
export type NewConversation = z.infer<typeof newConversation>;

/** The rows of the variables list in the panel, as an object; a name may stand there once. */
export const variableRows = z
	.looseObject({
		variables: rowsOf(
			z.looseObject({
				name: z.string().trim().min(1, { error: 'is empty. Enter the name of the variable' }),
				value: z.unknown(),
			}),
		),
	})
	.transform((rows, context) => {
		const read = new Map<string, unknown>();
		for (const [index, { name, value }] of rows.variables.entries()) {
			if (read.has(name)) {
				const message = `'${name}' is there twice. Remove one of the two`;
				context.addIssue({ code: 'custom', path: ['variables', index, 'name'], message });
			}
			if (value !== undefined && !fitsJson(value)) {
				const path = ['variables', index, 'value'];
				context.addIssue({ code: 'custom', path, message: NO_JSON });
			}
			read.set(name, value ?? '');
		}
		return Object.fromEntries(read);
	});
