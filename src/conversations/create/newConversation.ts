import difference from 'lodash/difference';
import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { fitsJson } from '../../core/json';
import { isWritten, NOT_WRITTEN, rowsOf } from '../../core/schemas';
import { distance, visible } from '../../core/text';

const NO_JSON = 'cannot be written as JSON. Convert it to text, and leave deeply nested parts out';

/** Variables of a conversation, by name. */
export const variables = z.custom<Record<string, unknown>>(isPlainObject, {
	error: 'must be an object, e.g. {"firstName": "Ana"}',
	abort: true,
});

/** Variables that can be sent. */
export const jsonVariables = variables.refine(fitsJson, { error: NO_JSON });

/** The type of a conversation that is a phone call. */
export const CALL = 'telephony';

/** The channels that the interface describes, by the words of the service, of the panel, and of sheets. */
const CHANNELS = new Map([
	...[CALL, 'phonecall', 'phone', 'telephone', 'call'].map((name) => [name, CALL] as const),
	['chat', 'chat'],
	['web', 'web'],
]);

/** Whether a text names someone or something, if it is filled: it is not signs alone, or what an expression writes without a value. */
export const isName = (text: string): boolean =>
	text === '' || !/^(?:[^\p{L}\p{N}]|\b(?:undefined|null|NaN|object \w+)\b)+$/iu.test(text);

/**
 * The channel of a conversation; the interface names no list of them (interface: Conversation). Capitals do not make
 * another one: the same number would be called by both.
 */
export const conversationType = z
	.string({ error: 'must be text' })
	.overwrite(visible)
	.min(1, { error: 'is empty. Use telephony, chat or web' })
	.refine(isWritten, { error: NOT_WRITTEN })
	.transform((entered) => CHANNELS.get(plain(entered)) ?? entered)
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
export const LISTED = ['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables'] as const;

/** The fields of a conversation that the interface does not list. */
export const unlistedFields = (conversation: Readonly<Record<string, unknown>>): string[] =>
	difference(Object.keys(conversation), LISTED);

/** What is wrong with fields that the interface does not list: a name that looks like a listed one is a typing error. */
export const fieldProblems = (conversation: Readonly<Record<string, unknown>>): string[] =>
	unlistedFields(conversation).flatMap((field) => {
		if (field === '__proto__') return [`contains "${field}", which cannot be sent. Remove it`];
		const meant = LISTED.find((listed) => distance(plain(field), plain(listed)) <= 2);
		if (meant) return [`contains "${field}". Write ${meant}`];
		const value = conversation[field];
		return value === undefined || fitsJson(value) ? [] : [`contains "${field}", which ${NO_JSON}`];
	});

const plain = (field: string): string => field.toLowerCase().replace(/[^a-z0-9]/g, '');

/** The rows of the variables list in the panel, as an object; a name may stand there once. */
export const variableRows = z
	.looseObject({
		variables: rowsOf(
			z.looseObject({
				name: z.string().trim().min(1, { error: 'is empty. Enter the name of the variable' }),
				value: z
					.unknown()
					.transform((value) => value ?? '')
					.refine(fitsJson, { error: NO_JSON }),
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
