import { z } from 'zod/v4';
import type { Problem } from '../core/failures';
import { fitsJson, jsonParameter, parsedOrSame } from '../core/json';
import { problemsOf } from '../core/operation';
import type { PhoneSettings } from '../core/phoneNumber';
import { countryOf, readPhoneNumber } from '../core/phoneNumber';
import { chosenValue, uuid } from '../core/schemas';
import { isBlank, textOf, visible } from '../core/text';
import type { CreateSettings } from './createSettings';
import { isMarkColumn } from './doNotCall';
import type { NewConversation } from './newConversation';
import {
	CALL,
	conversationType,
	fieldProblems,
	jsonVariables,
	readNumber,
	variableRows,
	variables,
} from './newConversation';

const fieldsRow = z.looseObject({
	agentId: z.preprocess(chosenValue, uuid),
	conversationType,
	// Not z.record, which takes a column named `constructor` for a class.
	inputRow: variables.default({}),
	dynamicVariables: variableRows.prefault({ variables: [] }),
	dynamicVariablesJson: jsonParameter.pipe(jsonVariables).default({}),
	options: z
		.looseObject({ additionalFieldsJson: jsonParameter.pipe(jsonVariables).default({}) })
		.prefault({}),
});

type Fields = z.infer<typeof fieldsRow>;

/** The parameters of a row by their names. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The conversations of a row, or why there are none. */
export type ConversationsRead =
	| { readonly conversations: readonly NewConversation[] }
	| { readonly problems: readonly Problem[] };

/** Reads a row whose parameters are the fields of its conversation. */
export function readFieldsRow(parameters: Parameters, settings: CreateSettings): ConversationsRead {
	const parsed = fieldsRow.safeParse(parameters);
	const type = conversationType.safeParse(parameters['conversationType']).data ?? CALL;
	const phone = readNumber(parameters['toPhoneNumber'], type, settings);
	const ofNumber: Problem[] =
		'problem' in phone
			? [{ path: ['toPhoneNumber'], message: phone.problem }]
			: countryProblems(phone.number, settings);
	if (!parsed.success) return { problems: [...problemsOf(parsed.error), ...ofNumber] };
	const problems = [...ofNumber, ...rowProblems(parsed.data, settings)];
	if (problems.length > 0 || 'problem' in phone) return { problems };
	const { agentId, options } = parsed.data;
	const dynamicVariables = variablesOf(parsed.data, phone.number, settings);
	const toPhoneNumber = phone.number === undefined ? {} : { toPhoneNumber: phone.number };
	const fields = { agentId, conversationType: type, ...toPhoneNumber, dynamicVariables };
	return { conversations: [{ ...options.additionalFieldsJson, ...fields }] };
}

/** Says where a number is in a country that is not allowed. */
export function countryProblems(
	number: string | undefined,
	{ allowedCountries: allowed }: CreateSettings,
): Problem[] {
	if (number === undefined || allowed.length === 0) return [];
	const country = countryOf(number);
	if (country && allowed.includes(country)) return [];
	const message = `${number} is in ${country ?? 'no country'}, which is not in Allowed Countries (${allowed.join(', ')}). Add it there, or remove the row`;
	return [{ path: ['toPhoneNumber'], message }];
}

function rowProblems(
	{ inputRow, options }: Fields,
	{ columnsAsVariables }: CreateSettings,
): Problem[] {
	const ofFields = fieldProblems(options.additionalFieldsJson).map((message) => ({
		path: ['options', 'additionalFieldsJson'],
		message,
	}));
	if (!columnsAsVariables || fitsJson(inputRow)) return ofFields;
	const message =
		'cannot be used because this row contains a column that cannot be written as JSON. Leave it out, or convert it to text';
	return [...ofFields, { path: ['options', 'columnsAsVariables'], message }];
}

function variablesOf(
	row: Fields,
	number: string | undefined,
	settings: CreateSettings,
): Record<string, unknown> {
	const entered =
		settings.variablesMode === 'json' ? row.dynamicVariablesJson : row.dynamicVariables;
	if (!settings.columnsAsVariables) return entered;
	const columns = Object.entries(row.inputRow).filter(
		([name, value]) => !isBlank(value) && !isMarkColumn(name) && !isNumber(value, number, settings),
	);
	return { ...Object.fromEntries(columns), ...entered };
}

/** Whether a cell holds the number of its row, in whatever spelling. */
function isNumber(value: unknown, number: string | undefined, settings: PhoneSettings): boolean {
	if (number === undefined) return false;
	const read = readPhoneNumber(value, settings);
	return 'number' in read && read.number === number;
}

/** The conversations of a row that is not checked, however wrong it is: of each, whom it is for. */
export function unreadConversations(
	parameters: Parameters,
	settings: CreateSettings,
): NewConversation[] {
	const json = settings.inputMode === 'json' ? parameters['conversationsJson'] : undefined;
	const entered = json === undefined ? parameters : parsedOrSame(json);
	const entries: readonly unknown[] =
		Array.isArray(entered) && entered.length > 0 ? entered : [entered];
	return entries.map((entry) => unread(Object(entry) as Parameters, settings));
}

function unread(
	{ conversationType: entered, toPhoneNumber }: Parameters,
	settings: CreateSettings,
) {
	const type = conversationType.safeParse(entered).data ?? CALL;
	const read = readNumber(toPhoneNumber, type, settings);
	const number = 'problem' in read ? visible(textOf(toPhoneNumber ?? '')) : read.number;
	const whose = { agentId: '', conversationType: type, dynamicVariables: {} };
	return number === undefined ? whose : { ...whose, toPhoneNumber: number };
}
