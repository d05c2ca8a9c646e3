import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import { fitsJson } from '../../core/json';
import { rowsOf, uuid } from '../../core/schemas';
import type { PhoneSettings } from '../../core/phoneNumber';
import { distance, visible } from '../../core/text';
import { readNumber } from './numbers';

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

/** The channels that the interface describes, by the words of the service and of the panel. */
const CHANNELS = new Map([
	[CALL, CALL],
	['phone call', CALL],
	['chat', 'chat'],
	['web', 'web'],
]);

/**
 * The channel of a conversation; the interface names no list of them (interface: Conversation). Capitals do not make
 * another one: the same number would be called by both.
 */
export const conversationType = z
	.string({ error: 'must be text' })
	.overwrite(visible)
	.min(1, { error: 'is empty. Use telephony, chat or web' })
	.transform((entered) => CHANNELS.get(entered.toLowerCase()) ?? entered)
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

/** Makes the schema of a conversation in JSON; fields that the interface does not list pass. */
export const newConversationIn = (phone: PhoneSettings): z.ZodType<NewConversation> =>
	z
		.looseObject(
			{
				agentId: uuid,
				conversationType,
				toPhoneNumber: z.unknown(),
				dynamicVariables: jsonVariables.default({}),
			},
			{ error: 'must be an object, e.g. {"agentId": "…", "toPhoneNumber": "+14155550178"}' },
		)
		.transform(({ toPhoneNumber: entered, ...conversation }, context): NewConversation => {
			const read = readNumber(entered, conversation.conversationType, phone);
			if ('problem' in read)
				context.addIssue({ code: 'custom', path: ['toPhoneNumber'], message: read.problem });
			for (const message of fieldProblems(conversation))
				context.addIssue({ code: 'custom', message });
			const { agentId, conversationType: type, ...others } = conversation;
			return {
				agentId,
				conversationType: type,
				...('number' in read && { toPhoneNumber: read.number }),
				...others,
			} as NewConversation;
		});

/** Whether the interface lists a field of a conversation. */
export const isListed = (field: string): boolean => LISTED.some((listed) => listed === field);

/** The fields of a conversation that the interface does not list. */
export const unlistedFields = (conversation: NewConversation): string[] =>
	Object.keys(conversation).filter((field) => !isListed(field));

/** What is wrong with fields that the interface does not list: a name that looks like a listed one is a typing error. */
export function fieldProblems(conversation: Readonly<Record<string, unknown>>): string[] {
	return Object.entries(conversation).flatMap(([field, value]) => {
		if (isListed(field)) return [];
		const meant = LISTED.find((listed) => looksLike(field, listed));
		if (meant) return [`contains "${field}". Write ${meant}`];
		return value === undefined || fitsJson(value) ? [] : [`contains "${field}", which ${NO_JSON}`];
	});
}

const plain = (field: string): string => field.toLowerCase().replace(/[^a-z0-9]/g, '');

const looksLike = (field: string, listed: string): boolean =>
	distance(plain(field), plain(listed)) <= 2;

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
				const message = `'${name}' appears twice. Remove one of the two`;
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
