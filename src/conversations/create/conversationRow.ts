import { get, has, isPlainObject, lowerCase, pick, uniqBy } from 'lodash';
import { z } from 'zod/v4';
import { countryParameter } from '../../core/country';
import type { Fault, Problem } from '../../core/failures';
import { fitsJson, jsonList, jsonParameter } from '../../core/json';
import type { CountryCode } from '../../core/libphonenumber';
import { readPhoneNumber, type PhoneNumber } from '../../core/phoneNumber';
import { cleanText, isBlank, toText } from '../../core/plainText';
import { problemsOf } from '../../core/problems';
import { chosenValue, rowsOf, uuid } from '../../core/schemas';
import { LISTED_FIELDS, unlistedFields, type NewConversation } from './plannedConversation';
import type { CreateSettings } from './settings';

/** The parameters of a row by their names. */
export type RowParameters = Readonly<Record<string, unknown>>;

/** Reads parameters of one row by path, and collects their problems. */
export type RowReader = ReturnType<typeof openRow>;

/** Makes the reader of a row. A parameter with a problem is undefined. */
export function openRow(parameters: RowParameters) {
	const problems: Problem[] = [];
	return {
		parameters,
		problems,
		read: <T>(path: string, schema: z.ZodType<T>): T | undefined => {
			const parsed = schema.safeParse(get(parameters, path));
			if (parsed.error) problems.push(...problemsOf(parsed.error, path.split('.')));
			return parsed.data;
		},
	};
}

/** The readable part of a conversation, and its problems. */
export interface ConversationRead {
	readonly conversation: NewConversation;
	readonly country: CountryCode | undefined;
	/** Why its number cannot be read. */
	readonly unread?: Fault | undefined;
	readonly problems: readonly Problem[];
}

/** The type of a conversation that is a phone call. */
const CALL = 'telephony';

const NOT_JSON = 'contains a value that cannot be written as JSON. Convert it to text';
const NO_TYPE = 'is empty. Use telephony, chat or web';
const TYPES: readonly string[] = [CALL, 'chat', 'web'];
const OTHER_CASE = 'must be written in small letters, e.g. telephony';
const NO_OBJECT = 'must be an object, e.g. {"agentId": "...", "toPhoneNumber": "+14155550178"}';

const jsonObject = z
	.custom<Record<string, unknown>>(isPlainObject, {
		error: 'must be an object, e.g. {"firstName": "Ana"}',
		abort: true,
	})
	.refine(fitsJson, { error: NOT_JSON, abort: true });

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
		dynamicVariables: jsonObject,
	})
	.refine(fitsJson, { error: NOT_JSON });

const conversationsList = jsonList(z.looseObject({}, { error: NO_OBJECT }), 'conversation');

const ADDITIONAL = 'options.additionalFieldsJson';
const additionalFields = jsonParameter
	.pipe(jsonObject)
	.refine((fields) => unlistedFields(fields).length === Object.keys(fields).length, {
		error: `contains a field that has its own parameter (${LISTED_FIELDS.join(', ')}). Remove it`,
	});

/** Reads the conversations of a row, also invalid ones, because a do-not-call mark applies to their numbers. */
export function readConversations(row: RowReader, settings: CreateSettings): ConversationRead[] {
	const isJson = settings.inputMode === 'json';
	const list = isJson
		? (row.read('conversationsJson', conversationsList) ?? [])
		: [readFields(row, settings)];
	const isExtended = has(row.parameters, ADDITIONAL);
	const additional = isExtended ? row.read(ADDITIONAL, additionalFields) : {};
	const defaultCountry = row.read('defaultCountry', countryParameter);
	return list.map((entered, index) => {
		const path = isJson ? ['conversationsJson', ...(list.length > 1 ? [index] : [])] : [];
		const fields = { ...DEFAULTS, ...additional, ...entered };
		return readConversation(fields, path, { ...settings, defaultCountry });
	});
}

/** Reads one conversation. If a field is invalid, all but the number get defaults, because do-not-call marks need the number anyway. */
function readConversation(
	{ toPhoneNumber: entered, ...fields }: RowParameters,
	path: Problem['path'],
	settings: CreateSettings & { defaultCountry?: CountryCode | undefined },
): ConversationRead {
	const parsed = newConversationSchema.safeParse(fields);
	const read = readPhoneNumber(entered, settings);
	const number = 'number' in read ? read : undefined;
	// Only a call needs a number, but an entered number must be valid.
	const mustBeValid = cleanText(toText(fields['conversationType'])) === CALL || !isBlank(entered);
	const fault = 'reason' in read ? read : findNumberFault(read, settings);
	return {
		conversation: {
			...{ agentId: '', ...DEFAULTS, ...parsed.data },
			...(number && { toPhoneNumber: number.number }),
		},
		country: number?.country,
		unread: isBlank(entered) || number ? undefined : fault,
		problems: [
			...(parsed.error ? problemsOf(parsed.error, path) : []),
			...(fault && mustBeValid ? [{ ...fault, path: [...path, 'toPhoneNumber'] }] : []),
		],
	};
}

const DEFAULTS = { conversationType: CALL, dynamicVariables: {} };

/** The variables that are entered as rows of names and values. A name may appear once. */
const variableRows = z
	.looseObject({
		variables: rowsOf(
			z.looseObject({
				name: z.string().trim().min(1, { error: 'is empty. Enter the name of the variable' }),
				value: z.unknown().transform((value) => value ?? ''),
			}),
		).refine((rows) => uniqBy(rows, 'name').length === rows.length, {
			error: 'contains a name twice. Remove one of the two',
		}),
	})
	.transform(({ variables }) =>
		Object.fromEntries(variables.map(({ name, value }) => [name, value])),
	)
	.prefault({ variables: [] });

const variablesJson = jsonParameter.pipe(jsonObject);

/** Reads the conversation that is entered in fields. Its variables are columns of the row, JSON, or pairs. */
function readFields(row: RowReader, settings: CreateSettings): Record<string, unknown> {
	const { variablesMode, doNotCallColumnName } = settings;
	const fields = pick(row.parameters, ['agentId', 'conversationType', 'toPhoneNumber']);
	if (variablesMode === 'columns')
		return {
			...fields,
			dynamicVariables: readColumns(row.parameters['inputRow'], doNotCallColumnName),
		};
	const variables =
		variablesMode === 'json'
			? row.read('dynamicVariablesJson', variablesJson)
			: row.read('dynamicVariables', variableRows);
	return { ...fields, dynamicVariables: variables ?? {} };
}

/** "#N/A" or "#REF!", the error of a formula in a spreadsheet. */
const FORMULA_ERROR = /^#(N\/A|[A-Z]+(\/0)?[!?])$/;

/** Reads the filled columns of a row as variables, without formula errors and the do-not-call column. */
const readColumns = (inputRow: unknown, doNotCallColumn: string): object =>
	Object.fromEntries(
		Object.entries(Object(inputRow) as object)
			.filter(([name, value]) => name !== doNotCallColumn && !isBlank(value))
			.filter(([, value]) => !FORMULA_ERROR.test(toText(value)))
			.map(([name, value]: [string, unknown]) => [name.trim(), value]),
	);

/** Types of numbers that are called only if the user allows it. */
const COSTLY_TYPES: ReadonlyArray<PhoneNumber['type']> = [
	...(['PREMIUM_RATE', 'SHARED_COST', 'PERSONAL_NUMBER', 'PAGER', 'VOICEMAIL', 'UAN'] as const),
];

/** Finds why a number must not be called: a costly type, or a country outside Allowed Countries if it has any. */
function findNumberFault(
	{ number, country, type }: PhoneNumber,
	{ allowedCountries, allowPremiumRate }: CreateSettings,
): Fault | undefined {
	if (!allowPremiumRate && COSTLY_TYPES.includes(type))
		return {
			value: number,
			reason: `may cost more, because its type is ${lowerCase(type)}`,
			fix: "Remove the row, or add 'Allow Premium-Rate Numbers' under Options",
		};
	if (allowedCountries.length === 0 || (country && allowedCountries.includes(country)))
		return undefined;
	return {
		value: number,
		reason: `is in ${country ?? 'no country'}, not in Allowed Countries (${allowedCountries.join(', ')})`,
		fix: country ? 'Add it there, or remove the row' : 'Remove the row',
	};
}
