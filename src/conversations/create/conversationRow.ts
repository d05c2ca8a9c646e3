import get from 'lodash/get';
import has from 'lodash/has';
import isEqual from 'lodash/isEqual';
import { z } from 'zod/v4';
import type { Problem } from '../../core/failures';
import { fitsJson, jsonList, jsonParameter, listIn, parsedOrSame } from '../../core/json';
import { problemsOf } from '../../core/operation';
import type { PhoneSettings } from '../../core/phoneNumber';
import { readPhoneNumber } from '../../core/phoneNumber';
import { chosenValue, uuid } from '../../core/schemas';
import { isBlank } from '../../core/text';
import { withoutMarks } from './marks';
import type { NewConversation } from './newConversation';
import {
	CALL,
	conversationType,
	fieldProblems,
	jsonVariables,
	LISTED,
	newConversationIn,
	variableRows,
	variables,
} from './newConversation';
import { numberProblems, readCells, readNumber, readNumbers } from './numbers';
import type { CreateSettings } from './settings';

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

/** A conversation with all numbers in it, whichever fields they came by: that of the call first. */
export interface Numbered {
	readonly conversation: NewConversation;
	readonly numbers: readonly string[];
}

/** The conversations of a row, or why there are none. */
export type ConversationsRead =
	{ readonly read: readonly Numbered[] } | { readonly problems: readonly Problem[] };

/** Makes what reads the conversations of a row; a schema takes longer to make than to use. */
export function conversationReader(
	settings: CreateSettings,
): (parameters: Parameters) => ConversationsRead {
	if (settings.inputMode === 'fields') return (parameters) => readFieldsRow(parameters, settings);
	const list = jsonList(newConversationIn(settings), 'conversation');
	return (parameters) => {
		if (has(parameters, ADDITIONAL) && !isEqual(parsedOrSame(get(parameters, ADDITIONAL)), {}))
			return { problems: [{ path: ADDITIONAL.split('.'), message: NOT_IN_JSON }] };
		const parsed = list.safeParse(parameters['conversationsJson']);
		return parsed.success
			? numbered(parsed.data, settings, (index) =>
					parsed.data.length > 1 ? ['conversationsJson', index] : ['conversationsJson'],
				)
			: { problems: problemsOf(parsed.error, ['conversationsJson']) };
	};
}

const ADDITIONAL = 'options.additionalFieldsJson';
/** Parameters with a default, which must not take the place of an expression that gave nothing. */
const GIVEN = ['conversationType', 'dynamicVariablesJson', ADDITIONAL];
const isGap = (parameters: Parameters, path: string): boolean =>
	has(parameters, path) && (get(parameters, path) ?? null) === null;
const NO_VALUE =
	'is empty because its expression gave no value. Correct the expression, or enter a value';

const NOT_IN_JSON = 'is not used with JSON. Add its fields to Conversations (JSON), and remove it';

/** Reads a row whose parameters are the fields of its conversation. */
function readFieldsRow(parameters: Parameters, settings: CreateSettings): ConversationsRead {
	const gaps = GIVEN.filter((path) => isGap(parameters, path));
	if (gaps.length > 0)
		return { problems: gaps.map((path) => ({ path: path.split('.'), message: NO_VALUE })) };
	const parsed = fieldsRow.safeParse(parameters);
	const type = conversationType.safeParse(parameters['conversationType']).data ?? CALL;
	const phone = readNumber(parameters['toPhoneNumber'], type, settings);
	const ofNumber: Problem[] =
		'problem' in phone ? [{ path: ['toPhoneNumber'], message: phone.problem }] : [];
	if (!parsed.success) return { problems: [...problemsOf(parsed.error), ...ofNumber] };
	const problems = [...ofNumber, ...rowProblems(parsed.data, settings)];
	if (problems.length > 0 || 'problem' in phone) return { problems };
	const { agentId, options } = parsed.data;
	const dynamicVariables = variablesOf(parsed.data, phone.number, settings);
	const toPhoneNumber = phone.number === undefined ? {} : { toPhoneNumber: phone.number };
	const fields = { agentId, conversationType: type, ...toPhoneNumber, dynamicVariables };
	return numbered([{ ...options.additionalFieldsJson, ...fields }], settings, (_, isOfCall) =>
		isOfCall ? ['toPhoneNumber'] : ADDITIONAL.split('.'),
	);
}

/** Conversations with their numbers, or what is wrong with these. */
function numbered(
	conversations: readonly NewConversation[],
	settings: CreateSettings,
	pathOf: (index: number, isOfCall: boolean) => Problem['path'],
): ConversationsRead {
	const problems: Problem[] = [];
	const read = conversations.map((conversation, index) => {
		const { numbers, unreadable } = readNumbers(conversation, settings);
		for (const message of unreadable) problems.push({ path: pathOf(index, false), message });
		for (const number of numbers)
			for (const message of numberProblems([number], settings)) {
				const isOfCall = number === conversation.toPhoneNumber;
				problems.push({ path: pathOf(index, isOfCall), message });
			}
		return { conversation, numbers };
	});
	return problems.length > 0 ? { problems } : { read };
}

function rowProblems({ inputRow, options }: Fields, { variablesMode }: CreateSettings): Problem[] {
	const listed = LISTED.filter((name) => Object.hasOwn(options.additionalFieldsJson, name));
	const twice = listed.map(
		(name) => `contains "${name}", which has a parameter of its own. Remove it`,
	);
	const ofFields = [...fieldProblems(options.additionalFieldsJson), ...twice].map((message) => ({
		path: ['options', 'additionalFieldsJson'],
		message,
	}));
	if (variablesMode !== 'columns' || fitsJson(inputRow)) return ofFields;
	const message =
		'cannot be used because this row contains a column that cannot be written as JSON. Leave it out, or convert it to text';
	return [...ofFields, { path: ['variablesMode'], message }];
}

function variablesOf(
	row: Fields,
	number: string | undefined,
	settings: CreateSettings,
): Record<string, unknown> {
	if (settings.variablesMode === 'json') return row.dynamicVariablesJson;
	if (settings.variablesMode === 'fields') return row.dynamicVariables;
	const columns = withoutMarks(row.inputRow, (value) => isNumber(value, number, settings));
	const filled = Object.entries(Object(columns) as object).filter(([, value]) => !isBlank(value));
	return Object.fromEntries(filled);
}

/** Whether a cell holds the number of its row, in whatever spelling. */
function isNumber(value: unknown, number: string | undefined, settings: PhoneSettings): boolean {
	if (number === undefined) return false;
	const read = readPhoneNumber(value, settings);
	return 'number' in read && read.number === number;
}

/** Whom conversations of a row are for that are not checked, however wrong they are, and the numbers that cannot be read. */
export function readUnchecked(
	parameters: Parameters,
	settings: CreateSettings,
	isWanted: (entry: object) => boolean,
): ReadonlyArray<Numbered & { readonly unreadable: readonly string[] }> {
	const json = settings.inputMode === 'json' ? parameters['conversationsJson'] : undefined;
	const additional = parsedOrSame(
		Reflect.get(Object(parameters['options']) as object, 'additionalFieldsJson'),
	);
	const {
		toPhoneNumber,
		conversationType: type,
		dynamicVariables,
		dynamicVariablesJson,
	} = parameters;
	const variables = { dynamicVariables: [dynamicVariables, dynamicVariablesJson] };
	const entered: unknown =
		json === undefined
			? { ...(Object(additional) as object), ...variables, toPhoneNumber, conversationType: type }
			: parsedOrSame(json);
	const list = listIn(entered, 'conversation');
	return (list.length > 0 ? list : [entered]).flatMap((entry) => {
		const fields = Object(entry) as Parameters;
		if (!isWanted(fields)) return [];
		const known = readNumbers(fields, settings);
		const hasNumber = known.numbers.length > 0 && known.texts.length === 0;
		// Whoever it is for must be found, in whatever cell.
		const inCells = hasNumber
			? known
			: readCells([entry, ...(json === undefined ? [parameters['inputRow']] : [])], settings);
		const numbers = [...new Set([...known.numbers, ...inCells.numbers])];
		const texts = hasNumber ? [] : [...new Set([...known.texts, ...inCells.texts])];
		const type = conversationType.safeParse(fields['conversationType']).data ?? CALL;
		// Nothing says who must not be called.
		if (type === CALL && numbers.length + texts.length === 0) texts.push('');
		const [toPhoneNumber] = numbers;
		const whose = { agentId: '', conversationType: type, dynamicVariables: {} };
		const conversation = toPhoneNumber === undefined ? whose : { ...whose, toPhoneNumber };
		return [{ conversation, numbers, unreadable: texts }];
	});
}
