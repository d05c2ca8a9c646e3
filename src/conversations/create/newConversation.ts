import { get, has, isString, mapValues, omit, pick } from 'lodash';
import { z } from 'zod/v4';
import { fitsJson, jsonParameter } from '../../core/json';
import type { Problem } from '../../core/failures';
import type { RowParameters } from '../../core/operation';
import { cleanText, isBlank, toText } from '../../core/plainText';
import { problemsOf } from '../../core/problems';
import { chosenValue, uuid } from '../../core/schemas';
import { LISTED_FIELDS, unlistedFields, type PlannedConversation } from '../plannedConversation';
import { ADDITIONAL } from './parameters';
import type { CalledPhone } from './calledPhone';
import type { CreateSettings } from './settings';
import { jsonObject, NOT_JSON, readVariables, type ReadParameter } from './variables';

/** Reads the fields of a conversation from JSON or from parameters, with defaults; undefined if the JSON is invalid. */
export function readFields(
	parameters: RowParameters,
	settings: CreateSettings,
	read: ReadParameter,
): RowParameters | undefined {
	// `read` notes the problem of an invalid parameter, so the others are still checked without it.
	const chosen =
		settings.inputMode === 'json'
			? read('conversationJson', conversationJson)
			: {
					...pick(parameters, ['agentId', 'conversationType', 'toPhoneNumber']),
					dynamicVariables: readVariables(settings, read) ?? {},
				};
	const additional = has(parameters, ADDITIONAL) ? read(ADDITIONAL, additionalFields) : {};
	return chosen && { ...DEFAULTS, ...additional, ...chosen };
}

/** Checks the fields and the number of a conversation. Returns the conversation to send, and its problems, if any. */
export function checkConversation(
	fields: RowParameters,
	{ parsed, fault, isBlank: isBlankPhone }: CalledPhone,
	{ inputMode }: CreateSettings,
): Pick<PlannedConversation, 'conversation'> & { readonly problems: readonly Problem[] } {
	const under = inputMode === 'json' ? ['conversationJson'] : [];
	const result = newConversationSchema.safeParse(omit(fields, 'toPhoneNumber'));
	const problems = result.error ? problemsOf(result.error, under) : [];
	// Only a call needs a number, but an entered number must be valid.
	const needsNumber = cleanText(toText(fields['conversationType'])) === CALL;
	if (fault && (needsNumber || !isBlankPhone))
		problems.push({ ...fault, path: [...under, 'toPhoneNumber'] });
	const toPhoneNumber = parsed && { toPhoneNumber: parsed.number };
	// Invalid fields become defaults, because a person who is held back needs only the number.
	return { conversation: { agentId: '', ...DEFAULTS, ...result.data, ...toPhoneNumber }, problems };
}

/** The type of a conversation that is a phone call. */
const CALL = 'telephony';

const NO_TYPE = 'is empty. Use telephony, chat or web';
const TYPES: readonly string[] = [CALL, 'chat', 'web'];
const OTHER_CASE = 'must be written in small letters, e.g. telephony';
const NO_OBJECT = 'must be an object, e.g. {"agentId": "...", "toPhoneNumber": "+14155550178"}';
const NO_LIST =
	'contains a list. Each row is one conversation, so add a Split Out node before this one';

/** A conversation apart from its number. The interface has no list of types (interface: Conversation). */
const newConversationSchema = z
	.looseObject({
		agentId: z.preprocess(chosenValue, uuid),
		conversationType: z
			.string({ error: ({ input }) => (isBlank(input) ? NO_TYPE : 'must be text, e.g. telephony') })
			.overwrite(cleanText)
			.min(1, { error: NO_TYPE })
			// Another type needs no number, so Telephony would call nobody.
			.refine((type) => TYPES.includes(type) || !TYPES.includes(type.toLowerCase()), OTHER_CASE),
		// A blank text or the error of a formula is an empty variable.
		dynamicVariables: jsonObject.transform((variables) =>
			mapValues(variables, (value) => (isString(value) && isBlank(value) ? '' : value)),
		),
	})
	.refine(fitsJson, { error: NOT_JSON });

/** Whether a value has several conversations: a list, or the body of a request such as `{"conversations": […]}`. */
const hasSeveral = (value: unknown): boolean =>
	Array.isArray(value) || Array.isArray(get(value, 'conversations'));

const conversationJson = jsonParameter
	.refine((value) => !hasSeveral(value), { error: NO_LIST, abort: true })
	.pipe(z.looseObject({}, { error: NO_OBJECT }));

const additionalFields = jsonParameter
	.pipe(jsonObject)
	.refine((fields) => unlistedFields(fields).length === Object.keys(fields).length, {
		error: `contains a field that has its own parameter (${LISTED_FIELDS.join(', ')}). Remove it`,
	});

const DEFAULTS = { conversationType: CALL, dynamicVariables: {} };
