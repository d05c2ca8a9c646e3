import get from 'lodash/get';
import has from 'lodash/has';
import isEqual from 'lodash/isEqual';
import isNil from 'lodash/isNil';
import omit from 'lodash/omit';
import { z } from 'zod/v4';
import { countryParameter } from '../../core/country';
import type { Fault, Problem } from '../../core/failures';
import { fitsJson, isRecord, jsonList, jsonParameter, toList, parsedOrSame } from '../../core/json';
import { problemsOf } from '../../core/problems';
import type { PhoneNumber } from '../../core/phoneNumber';
import { readPhoneNumber } from '../../core/phoneNumber';
import { chosenValue, NO_VALUE, uuid } from '../../core/schemas';
import { isBlank } from '../../core/plainText';
import type { NewConversation } from './newConversation';
import {
	CALL,
	conversationType,
	fieldProblems,
	isEmptyCell,
	jsonVariables,
	LISTED_FIELDS,
	variableRows,
} from './newConversation';
import type { CreateSettings } from './settings';

/** The parameters of a row by their names. */
export type RowParameters = Readonly<Record<string, unknown>>;

type ProblemPath = Problem['path'];

/** The readable part of a conversation, and its problems. */
export interface ConversationRead {
	readonly conversation: NewConversation;
	/** Its number, or the fault of the number; undefined if none was entered. */
	readonly number: PhoneNumber | Fault | undefined;
	readonly problems: readonly Problem[];
}

/** The conversations of a row as they were entered. */
interface Entered {
	readonly list: readonly unknown[];
	/** The problems of the row as a whole. */
	readonly problems: readonly Problem[];
	/** The parameter of a path inside a conversation. */
	readonly placeOf: (path: ProblemPath, index: number) => ProblemPath;
}

/** Makes the reader of a row's conversations. Called once, because its schemas are slow to build. */
export function conversationReader(settings: CreateSettings) {
	const isJson = settings.inputMode === 'json';
	const variables = isJson ? jsonVariables.default({}) : VARIABLES[settings.variablesMode].schema;
	const schema = z.looseObject(
		{ agentId: uuid, conversationType, dynamicVariables: variables },
		{ error: 'must be an object, e.g. {"agentId": "...", "toPhoneNumber": "+14155550178"}' },
	);
	return (parameters: RowParameters): ConversationRead[] => {
		const row = isJson ? enteredAsJson(parameters) : enteredInFields(parameters, settings);
		const country = countryParameter.safeParse(parameters['defaultCountry']);
		const { allowUnassigned } = settings;
		const phoneSettings = { defaultCountry: country.data, allowUnassigned };
		return row.list.map((entered, index) => {
			const fields = Object(entered) as RowParameters;
			const value = fields['toPhoneNumber'];
			const parsed = schema.safeParse(entered);
			const type = conversationType.safeParse(fields['conversationType']).data ?? CALL;
			const read = readPhoneNumber(value, phoneSettings);
			// A phone call in JSON without this member may have its number under another name.
			const isMissing =
				isJson && isRecord(entered) && type === CALL && !Object.hasOwn(entered, 'toPhoneNumber');
			const number = isBlank(value) && !isMissing ? undefined : read;
			// Without its country a number cannot be judged.
			const isJudged = country.success && (number ?? type === CALL);
			const problems = [
				...(parsed.error ? problemsOf(parsed.error) : []),
				...at(['toPhoneNumber'], isJudged ? numberProblem(read, settings) : undefined),
				...fieldProblems(fields).map((reason) => ({ path: [], reason })),
			].map((problem) => ({ ...problem, path: row.placeOf(problem.path, index) }));
			return {
				conversation: {
					agentId: '',
					conversationType: type,
					...(number && 'number' in number && { toPhoneNumber: number.number }),
					dynamicVariables: {},
					...omit(parsed.data, 'toPhoneNumber'),
				},
				number,
				problems: [
					...(country.error ? problemsOf(country.error, ['defaultCountry']) : []),
					...(row.problems.length > 0 ? row.problems : problems),
				],
			};
		});
	};
}

const at = (path: ProblemPath, fault: Fault | undefined): Problem[] =>
	fault ? [{ ...fault, path }] : [];

const ADDITIONAL = ['options', 'additionalFieldsJson'];
const NOT_IN_JSON = 'is not used with JSON. Add its fields to Conversations (JSON), and remove it';
const conversationsList = jsonList(z.unknown(), 'conversation');

function enteredAsJson(parameters: RowParameters): Entered {
	const value = parameters['conversationsJson'];
	const parsed = conversationsList.safeParse(value);
	const list = parsed.data ?? toList(parsedOrSame(value), 'conversation');
	const isMixed =
		has(parameters, ADDITIONAL) && !isEqual(parsedOrSame(get(parameters, ADDITIONAL)), {});
	return {
		list: list.length > 0 ? list : [value],
		problems: [
			...at(ADDITIONAL, isMixed ? { reason: NOT_IN_JSON } : undefined),
			...(parsed.success ? [] : problemsOf(parsed.error, ['conversationsJson'])),
		],
		placeOf: (path, index) => ['conversationsJson', ...(list.length > 1 ? [index] : []), ...path],
	};
}

const COLUMN_NOT_JSON =
	'cannot be used because this row contains a column that cannot be written as JSON. Leave it out, or convert it to text';

/** The parameters of variables, with their schemas. */
const VARIABLES = {
	columns: {
		name: 'variablesMode',
		schema: z.custom<Record<string, unknown>>(fitsJson, { error: COLUMN_NOT_JSON }),
	},
	fields: { name: 'dynamicVariables', schema: variableRows.prefault({ variables: [] }) },
	json: { name: 'dynamicVariablesJson', schema: jsonParameter.pipe(jsonVariables).default({}) },
};

/** Parameters whose default must not replace an empty expression. */
const WITH_DEFAULT = [['conversationType'], ['dynamicVariablesJson'], ADDITIONAL];
const additionalFields = jsonParameter.pipe(jsonVariables);

function enteredInFields(parameters: RowParameters, settings: CreateSettings): Entered {
	const { agentId, conversationType: type, toPhoneNumber } = parameters;
	const entered: unknown = get(parameters, ADDITIONAL);
	const isEntered = !isNil(entered);
	const additional = Object(isEntered ? parsedOrSame(entered) : {}) as RowParameters;
	const error = isEntered ? additionalFields.safeParse(entered).error : undefined;
	const { name } = VARIABLES[settings.variablesMode];
	const dynamicVariables =
		name === 'variablesMode'
			? columnsAsVariables(parameters['inputRow'], settings.doNotCallColumnName)
			: parameters[name];
	const fields = { agentId: chosenValue(agentId), conversationType: type, toPhoneNumber };
	return {
		list: [{ ...additional, ...fields, dynamicVariables }],
		problems: [
			...WITH_DEFAULT.filter((path) => has(parameters, path) && isNil(get(parameters, path))).map(
				(path) => ({ path, reason: NO_VALUE }),
			),
			...(error ? problemsOf(error, ADDITIONAL) : []),
			...LISTED_FIELDS.filter((field) => Object.hasOwn(additional, field)).map((field) => ({
				path: ADDITIONAL,
				reason: `contains "${field}", which has a parameter of its own. Remove it`,
			})),
		],
		placeOf: ([first, ...inner]) => {
			if (first === undefined) return ADDITIONAL;
			return [first === 'dynamicVariables' ? name : first, ...inner];
		},
	};
}

/** The columns of a row with a value, except the do-not-call column. */
const columnsAsVariables = (inputRow: unknown, doNotCallColumn: string): object =>
	Object.fromEntries(
		Object.entries(Object(inputRow) as object)
			.filter(([name, value]) => name !== doNotCallColumn && !isEmptyCell(value))
			.map(([name, value]: [string, unknown]) => [name.trim(), value]),
	);

const SPECIAL: Partial<Record<NonNullable<PhoneNumber['type']>, string>> = {
	PREMIUM_RATE: 'a premium-rate number',
	SHARED_COST: 'a shared-cost number',
	PERSONAL_NUMBER: 'a personal number, which may cost more',
	PAGER: 'a pager',
	VOICEMAIL: 'a voicemail box',
	UAN: 'a company number, which may cost more',
};

/** Finds why a number must not be called: not valid, a premium type, or in another country. */
function numberProblem(
	read: PhoneNumber | Fault,
	{ allowedCountries, allowPremiumRate }: CreateSettings,
): Fault | undefined {
	if ('reason' in read) return read;
	const { number, country, type } = read;
	const special = allowPremiumRate || !type ? undefined : SPECIAL[type];
	if (special !== undefined)
		return {
			value: number,
			reason: `is ${special}`,
			fix: "Remove the row, or add 'Allow Premium-Rate Numbers' under Options",
		};
	if (allowedCountries.length === 0 || (country && allowedCountries.includes(country)))
		return undefined;
	return {
		value: number,
		reason: `is in ${country ?? 'no country'}, which is not in Allowed Countries (${allowedCountries.join(', ')})`,
		fix: 'Add it there, or remove the row',
	};
}
