import compact from 'lodash/compact';
import get from 'lodash/get';
import has from 'lodash/has';
import isEqual from 'lodash/isEqual';
import isNil from 'lodash/isNil';
import omit from 'lodash/omit';
import once from 'lodash/once';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import type { Problem } from '../../core/failures';
import type { PhoneSettings } from '../../core/phoneNumber';
import {
	fitsJson,
	holdersOf,
	jsonList,
	jsonParameter,
	listIn,
	parsedOrSame,
} from '../../core/json';
import { problemsOf } from '../../core/operation';
import { chosenValue, NO_VALUE, uuid } from '../../core/schemas';
import { countryOfRow } from '../../core/phoneCountry';
import { isBlank, shorten, textOf } from '../../core/text';
import { marksOf, withoutMarks } from './marks';
import type { NewConversation } from './newConversation';
import {
	CALL,
	conversationType,
	fieldProblems,
	jsonVariables,
	LISTED,
	variableRows,
	variables,
} from './newConversation';
import type { NumbersRead } from './numbers';
import { numberProblem, otherNumbers, readNumber, readNumbers, textsLikeNumbers } from './numbers';
import type { CreateSettings } from './settings';

/** The parameters of a row by their names. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A conversation as far as it can be read: whom a marked one is for, and what is wrong with any other. */
export interface ConversationRead {
	readonly conversation: NewConversation;
	/** All numbers in it, whichever fields they came by, and of a marked person those in the row: that of the call first. */
	readonly numbers: readonly string[];
	/** Whether its row or itself says that its person must not be called. */
	readonly isMarked: boolean;
	/** The mark of its person in the row, whether or not marks are read. */
	readonly ownMark: string | undefined;
	/** The texts that may be its number, where that cannot be read; of a marked one, or any other number in it. */
	readonly unreadable: readonly string[];
	readonly problems: readonly Problem[];
}

type Path = Problem['path'];

/** The settings of a run, with the country of the row. */
type RowSettings = Omit<CreateSettings, 'defaultCountry'> & PhoneSettings;

/** What the row of a conversation says of whether its person must not be called. */
export interface RowMarks {
	/** Whether it says so of everyone in it. */
	readonly isMarked: boolean;
	/** Whether marks are read. */
	readonly readsMarks: boolean;
	/** The mark of whoever is called at a number. */
	readonly markOf: (called: unknown) => string | undefined;
}

/** What the conversations of a row are read from, however wrong it is. */
interface Entered {
	readonly list: readonly unknown[];
	/** What is wrong with it as a whole. */
	readonly problems: readonly Problem[];
	/** Where the user entered what a path in one of the conversations names. */
	readonly placeOf: (path: Path, index: number) => Path;
}

/** Makes what reads the conversations of a row, whose mark counts for all of them; a schema takes longer to make than to use. */
export function conversationReader(settings: CreateSettings) {
	const isJson = settings.inputMode === 'json';
	// Its numbers are read by themselves, and fields that the interface does not list pass.
	const schema = z.looseObject(
		{
			agentId: uuid,
			conversationType,
			dynamicVariables: isJson
				? jsonVariables.default({})
				: VARIABLES[settings.variablesMode].schema,
		},
		{ error: 'must be an object, e.g. {"agentId": "…", "toPhoneNumber": "+14155550178"}' },
	);
	return (
		parameters: Parameters,
		{ isMarked: isRowMarked, readsMarks, markOf }: RowMarks,
	): ConversationRead[] => {
		const { inputRow } = parameters;
		const { defaultCountry: chosen } = settings;
		const ofRow: ReturnType<typeof countryOfRow> = isPlain(parameters)
			? { country: chosen }
			: countryOfRow(ofCalled(inputRow, parameters['toPhoneNumber']), chosen);
		const row = isJson
			? enteredAsJson(parameters)
			: enteredInFields(parameters, { ...settings, defaultCountry: ofRow.country });
		// What else in the row may say who a conversation is for; one of several has a mark of its own.
		const cells = isJson && !isRowMarked ? undefined : inputRow;
		// A row is about each of several conversations no more than about the others, so it may make a country only unclear.
		const ofOthers = once(() => countryOfRow({ row: inputRow }, chosen));
		const countryIn = (fields: Parameters) => {
			const called = fields['toPhoneNumber'];
			if (row.list.length === 1) return countryOfRow([ofCalled(inputRow, called), fields], chosen);
			const own = countryOfRow([holdersOf(inputRow, called), fields], chosen);
			return own.column === undefined && own.unclear === undefined ? ofOthers() : own;
		};
		return row.list.map((entered, index) => {
			const fields = asObject(entered);
			const { country, column, unclear = '' } = isJson ? countryIn(fields) : ofRow;
			const numbers = { ...settings, defaultCountry: country };
			const type = conversationType.safeParse(fields['conversationType']).data ?? CALL;
			const read = readNumber(fields['toPhoneNumber'], type, numbers);
			const text = textOf(fields['toPhoneNumber']).slice(0, 40);
			const isOpen = unclear !== '' && read.problem !== undefined && NATIONAL.test(text);
			const isNamed = column !== undefined && country !== chosen && NATIONAL.test(text);
			const as = isNamed
				? `. It was read in ${country ?? ''}, as '${shorten(column, 40)}' says`
				: '';
			const call = isOpen
				? { problem: `"${text}" has no country code, and ${unclear}, ${ADD_CODE}` }
				: { ...read, ...(read.problem !== undefined && { problem: `${read.problem}${as}` }) };
			const withNumber = { ...fields, toPhoneNumber: call.number ?? fields['toPhoneNumber'] };
			const found = readNumbers(withNumber, numbers);
			const ownMark = markOf(fields['toPhoneNumber']);
			// Any mark in it that does not say no.
			const isMarked =
				isRowMarked || (readsMarks && ownMark !== undefined) || marksOf(fields).length > 0;
			const around = isMarked ? ofCalled(cells, fields['toPhoneNumber']) : [];
			// A number with + needs no country, but others of its person may.
			const ofPerson = isMarked ? countryOfRow(around, chosen).country : undefined;
			const others = around.map((each) =>
				otherNumbers(each, { ...settings, defaultCountry: ofPerson }),
			);
			const parsed = isMarked ? undefined : schema.safeParse(entered);
			const toPhoneNumber = isMarked ? found.numbers[0] : call.number;
			const problems = [
				...(parsed?.error ? problemsOf(parsed.error) : []),
				...numbersRefused(found, call, settings),
				...at([], fieldProblems(fields)),
			].map(({ path, message }) => ({ path: row.placeOf(path, index), message }));
			return {
				conversation: {
					agentId: '',
					conversationType: type,
					...(toPhoneNumber !== undefined && { toPhoneNumber }),
					dynamicVariables: {},
					...omit(parsed?.data, 'toPhoneNumber'),
				},
				numbers: uniq([...found.numbers, ...others.flatMap((each) => each.numbers)]),
				isMarked,
				ownMark,
				unreadable: isMarked
					? uniq([
							...numbersMissed(found, type, [entered, cells]),
							...others.flatMap((each) => each.unreadable.map((missed) => missed.text)),
						])
					: found.unreadable.flatMap(({ field, text }) =>
							field === 'toPhoneNumber' ? [text] : [],
						),
				problems: isMarked ? [] : row.problems.length > 0 ? row.problems : problems,
			};
		});
	};
}

/** Whether a number is one of any country, and the only one. */
const isPlain = (parameters: Parameters): boolean =>
	/^\s*\+/.test(textOf(parameters['toPhoneNumber'] ?? '')) && !has(parameters, ADDITIONAL);

/** A row with what in it has the number that is called, which is about its person wherever it stands. */
const ofCalled = (row: unknown, called: unknown): unknown[] =>
	uniq([row, ...holdersOf(row, called)]);

const NATIONAL = /^[^+]*\d[^+]*$/;
const ADD_CODE = 'or write the number with + and its country code';

const asObject = (value: unknown): Parameters =>
	typeof value === 'object' && value !== null ? (value as Parameters) : {};

const at = (path: Path, messages: ReadonlyArray<string | undefined>): Problem[] =>
	compact(messages).map((message) => ({ path, message }));

/** Which numbers of a conversation must not be called, or cannot be read. */
const numbersRefused = (
	{ numbers, unreadable }: NumbersRead,
	call: ReturnType<typeof readNumber>,
	settings: CreateSettings,
): Problem[] => [
	...at(['toPhoneNumber'], [call.problem]),
	...numbers.flatMap((number) =>
		at(number === call.number ? ['toPhoneNumber'] : [], [numberProblem(number, settings)]),
	),
	...unreadable.flatMap(({ field, problem }) =>
		field === 'toPhoneNumber' ? [] : at([], [problem]),
	),
];

/** The texts that may be a number of someone marked, where these cannot be read: in whatever cell, or '' where there is none. */
function numbersMissed(
	{ numbers, unreadable }: NumbersRead,
	type: string,
	cells: unknown,
): string[] {
	if (numbers.length > 0 && unreadable.length === 0) return [];
	const texts = uniq([...unreadable.map(({ text }) => text), ...textsLikeNumbers(cells)]);
	return type === CALL && numbers.length + texts.length === 0 ? [''] : texts;
}

const ADDITIONAL = ['options', 'additionalFieldsJson'];
const NOT_IN_JSON = 'is not used with JSON. Add its fields to Conversations (JSON), and remove it';
const anyList = jsonList(z.unknown(), 'conversation');

function enteredAsJson(parameters: Parameters): Entered {
	const value = parameters['conversationsJson'];
	const parsed = anyList.safeParse(value);
	const found = parsed.data ?? listIn(parsedOrSame(value), 'conversation');
	const isMixed =
		has(parameters, ADDITIONAL) && !isEqual(parsedOrSame(get(parameters, ADDITIONAL)), {});
	return {
		list: found.length > 0 ? found : [value],
		problems: [
			...at(ADDITIONAL, [isMixed ? NOT_IN_JSON : undefined]),
			...(parsed.success ? [] : problemsOf(parsed.error, ['conversationsJson'])),
		],
		placeOf: (path, index) => ['conversationsJson', ...(found.length > 1 ? [index] : []), ...path],
	};
}

const NO_JSON =
	'cannot be used because this row contains a column that cannot be written as JSON. Leave it out, or convert it to text';

/** Where variables are entered, and what they have to be. */
const VARIABLES = {
	columns: { name: 'variablesMode', schema: variables.refine(fitsJson, { error: NO_JSON }) },
	fields: { name: 'dynamicVariables', schema: variableRows.prefault({ variables: [] }) },
	json: { name: 'dynamicVariablesJson', schema: jsonParameter.pipe(jsonVariables).default({}) },
};

/** Parameters with a default, which must not take the place of an expression that gave nothing. */
const GIVEN = [['conversationType'], ['dynamicVariablesJson'], ADDITIONAL];
const additionalFields = jsonParameter.pipe(jsonVariables);

function enteredInFields(parameters: Parameters, settings: RowSettings): Entered {
	const { agentId, conversationType: type, toPhoneNumber } = parameters;
	const entered: unknown = get(parameters, ADDITIONAL) ?? {};
	const additional = asObject(parsedOrSame(entered));
	const { error } = additionalFields.safeParse(entered);
	const { name } = VARIABLES[settings.variablesMode];
	const dynamicVariables =
		name === 'variablesMode' ? columnsAsVariables(parameters, settings) : parameters[name];
	const fields = { agentId: chosenValue(agentId), conversationType: type, toPhoneNumber };
	return {
		list: [{ ...additional, ...fields, dynamicVariables }],
		problems: [
			...GIVEN.flatMap((path) =>
				has(parameters, path) && isNil(get(parameters, path)) ? at(path, [NO_VALUE]) : [],
			),
			...(error ? problemsOf(error, ADDITIONAL) : []),
			...LISTED.flatMap((each) =>
				Object.hasOwn(additional, each)
					? at(ADDITIONAL, [`contains "${each}", which has a parameter of its own. Remove it`])
					: [],
			),
		],
		placeOf: ([first, ...others]) => {
			if (first === undefined) return ADDITIONAL;
			return [first === 'dynamicVariables' ? name : first, ...others];
		},
	};
}

/** The columns of a row that an agent may know: none that is empty, a mark, or the number of the row in whatever spelling. */
function columnsAsVariables(
	{ inputRow, toPhoneNumber }: Parameters,
	settings: PhoneSettings,
): object {
	const called = readNumber(toPhoneNumber, CALL, settings).number;
	const isCalled = (value: unknown): boolean =>
		called !== undefined && readNumber(value, CALL, settings).number === called;
	const columns = Object.entries(asObject(withoutMarks(inputRow, isCalled)));
	return Object.fromEntries(columns.filter(([, value]) => !isBlank(value)));
}
