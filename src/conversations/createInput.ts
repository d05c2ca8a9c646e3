import { z } from 'zod/v4';
import type { RowPlan, RunPlanner, SendSettings } from '../bulk/operation';
import { sendSettings } from '../bulk/operation';
import { isPlanId } from '../bulk/planId';
import type { SettledByHand } from '../bulk/settleByHand';
import type { Problem } from '../core/failures';
import { fitsJson, jsonList, jsonParameter } from '../core/json';
import type { Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import type { CountryCode, PhoneSettings } from '../core/phoneNumber';
import { countryOf, defaultCountry, readPhoneNumber } from '../core/phoneNumber';
import { choice, chosenValue, trueOrFalse, uuid, wholeNumber } from '../core/schemas';
import { isBlank, plural, textOf } from '../core/text';
import { attemptProblems, attemptSettings, NO_CAMPAIGN } from './campaign/attemptSettings';
import type { CallingHours } from './campaign/callingHours';
import type { ZoneSource } from './campaign/hoursSettings';
import { callingHoursOf, hoursSettings, zoneCell } from './campaign/hoursSettings';
import { withRowKey } from './campaign/rowKey';
import { settledPeople, settledProblems } from './campaign/settledPeople';
import { isMarkColumn, markColumnOf, readMark } from './doNotCall';
import type { NewConversation } from './newConversation';
import {
	CALL,
	conversationType,
	fieldProblems,
	jsonVariables,
	newConversationIn,
	readNumber,
	unlistedFields,
	variableRows,
	variables,
} from './newConversation';
import { allowedCountries, doNotCallNumbers } from './safeguards';

/** What one row wants to start, and what belongs to its person and campaign. */
export interface PlannedConversation {
	readonly conversation: NewConversation;
	readonly campaignKey: string;
	readonly personId: string;
	/** The key by which its result finds the row. */
	readonly rowKey?: string | undefined;
	/** The time zone in the column of the row. */
	readonly timeZone?: string | undefined;
}

/** The settings of a run of Conversation > Create. */
export interface CreateSettings extends SendSettings, PhoneSettings {
	readonly inputMode: 'fields' | 'json';
	readonly variablesMode: 'fields' | 'json';
	readonly maximumConversations: number;
	readonly columnsAsVariables: boolean;
	readonly defaultCountry: CountryCode | undefined;
	readonly allowedCountries: readonly CountryCode[];
	readonly doNotCallNumbers: ReadonlySet<string>;
	readonly skipContacted: boolean;
	readonly asTool: boolean;
	readonly settled?: SettledByHand | undefined;
	readonly approvedPlan?: string | undefined;
	readonly maximumAttempts?: number | undefined;
	readonly onePerDay: boolean;
	readonly maximumPerDay?: number | undefined;
	readonly hours: CallingHours | undefined;
	readonly timeZone: ZoneSource;
}

const NO_PLAN =
	'is not a valid plan ID. Copy planId from a dry run with Items: One Item for the Run';

/** The ID of a plan that was approved; blank is no plan, and would let everything pass. */
const approvedPlan = z.string({ error: NO_PLAN }).trim().refine(isPlanId, { error: NO_PLAN });

/** The schema of these settings, as the panel has them. */
export const createSettings: z.ZodType<CreateSettings> = z
	.object({
		inputMode: choice(['fields', 'json']),
		variablesMode: choice(['fields', 'json']).default('fields'),
		maximumConversations: wholeNumber(1).default(500),
		dryRun: trueOrFalse.default(false),
		asTool: z.boolean().default(false),
		options: z
			.object({
				...sendSettings({ batchSize: 50, parallelRequests: 1, invalidRows: 'stop' }),
				outputAs: choice(['rows', 'requests', 'run']).default('rows'),
				allowUnknownRanges: trueOrFalse.default(false),
				columnsAsVariables: trueOrFalse.default(false),
				defaultCountry: defaultCountry.prefault(''),
			})
			.prefault({}),
		safeguards: z
			.object({
				allowedCountries: allowedCountries.default([]),
				doNotCallNumbers: z.unknown().optional(),
				skipContacted: trueOrFalse.default(false),
				approvedPlan: approvedPlan.optional(),
				unknownCalled: z.unknown().optional(),
				unknownNotCalled: z.unknown().optional(),
				...hoursSettings,
				...attemptSettings,
			})
			.prefault({}),
	})
	.transform(
		(
			{ options: { pause: pauseMs, timeout: timeoutMs, ...options }, safeguards, ...panel },
			context,
		) => {
			const barred = doNotCallNumbers(safeguards.doNotCallNumbers, options);
			for (const message of barred.problems)
				context.addIssue({ code: 'custom', path: ['safeguards', 'doNotCallNumbers'], message });
			for (const issue of attemptProblems(safeguards)) context.addIssue(issue);
			const numbers = { doNotCallNumbers: barred.numbers };
			const hours = callingHoursOf(safeguards);
			const settled = settledPeople(safeguards, options);
			for (const issue of settledProblems(settled, safeguards)) context.addIssue(issue);
			return {
				...options,
				...safeguards,
				...panel,
				...numbers,
				hours,
				settled,
				pauseMs,
				timeoutMs,
			};
		},
	)
	// Skipping people who were contacted leaves no room for contacting one several times.
	.transform((settings) =>
		(settings.skipContacted || settings.maximumAttempts !== undefined) &&
		settings.duplicates === 'sendAll'
			? { ...settings, duplicates: 'keepFirst' as const }
			: settings,
	);

/** The parameters that describe one row. */
export const rowParameters = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables', 'dynamicVariablesJson'],
	...['conversationsJson', 'options.additionalFieldsJson', 'options.rowKey'],
	...[
		'safeguards.campaignKey',
		'safeguards.doNotCall',
		'safeguards.personId',
		'safeguards.timeZoneColumn',
	],
] as const;

const text = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z.string({ error: 'must be text' }).trim(),
);

const rowSafeguards = z
	.looseObject({
		campaignKey: text.prefault(''),
		personId: text.prefault(''),
		doNotCall: z.unknown().optional(),
		timeZoneColumn: zoneCell.optional(),
	})
	.prefault({});

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
type Parameters = Readonly<Record<string, unknown>>;

const EXCLUDED = 'Not called, because the row is marked do not call';
const LISTED = 'Not called, because the number is in Do-Not-Call Numbers';

/** Reads and checks the rows of a run, and what only all of them can tell. */
export function planConversations(settings: CreateSettings): RunPlanner<PlannedConversation> {
	const list = jsonList(newConversationIn(settings), 'conversation');
	const columns = new Set<string>();
	const marks = { used: false, found: false, unreadable: 0 };
	const zones = { found: false };
	const unused = new Map<string, number>();
	const unlisted = new Set<string>();

	function planRow(row: Row): RowPlan<PlannedConversation> {
		if (row.problems !== undefined) return { values: [], problems: row.problems };
		const parameters = Object(row.parameters) as Parameters;
		const entered = { toPhoneNumber: parameters['toPhoneNumber'] };
		const entries = Object(parameters['safeguards']) as Parameters;
		if (!isBlank(entries['timeZoneColumn'])) zones.found = true;
		const safeguards = rowSafeguards.safeParse(parameters['safeguards'] ?? {});
		if (!safeguards.success)
			return { values: [], problems: problemsOf(safeguards.error, ['safeguards']), entered };
		const { doNotCall, campaignKey, personId, timeZoneColumn: timeZone = '' } = safeguards.data;
		const mark = markOf(parameters, doNotCall);
		if (mark === undefined) return { values: [], problems: [unreadable(doNotCall)], entered };
		if (settings.maximumAttempts !== undefined && campaignKey === '')
			return { values: [], problems: [NO_CAMPAIGN], entered };
		const whose = { campaignKey, personId, timeZone };
		if (mark) return excludedRow(parameters, whose);
		const read =
			settings.inputMode === 'json' ? readJsonRow(parameters) : readFieldsRow(parameters, settings);
		if ('problems' in read) return { values: [], problems: read.problems, entered };
		for (const conversation of read.conversations)
			for (const field of unlistedFields(conversation)) unlisted.add(field);
		const planned = read.conversations.map((conversation) => ({ conversation, ...whose }));
		const keyed = keyedRow(planned, parameters['options']);
		if ('problems' in keyed) return { values: [], problems: keyed.problems, entered };
		const { values } = keyed;
		const excluded = read.conversations.some(({ toPhoneNumber: number }) =>
			settings.doNotCallNumbers.has(number ?? ''),
		);
		return { values, ...(excluded && { excluded: LISTED, countedAs: 'in Do-Not-Call Numbers' }) };
	}

	/** Whether a row is marked; undefined where its mark says neither yes nor no. */
	function markOf({ safeguards, inputRow }: Parameters, doNotCall: unknown): boolean | undefined {
		const row = Object(inputRow) as object;
		if (columns.size === 0) for (const column of Object.keys(row)) columns.add(column);
		if (Object.hasOwn(Object(safeguards) as object, 'doNotCall')) marks.used = true;
		if (doNotCall !== undefined) {
			marks.found = true;
			const mark = readMark(doNotCall);
			if (mark === undefined) marks.unreadable += 1;
			return mark;
		}
		const column = markColumnOf(row);
		if (column !== undefined && readMark(Reflect.get(row, column)) === true)
			unused.set(column, (unused.get(column) ?? 0) + 1);
		return false;
	}

	function readJsonRow(parameters: Parameters): ConversationsRead {
		const parsed = list.safeParse(parameters['conversationsJson']);
		if (!parsed.success) return { problems: problemsOf(parsed.error, ['conversationsJson']) };
		const problems = parsed.data.flatMap(({ toPhoneNumber }) =>
			countryProblems(toPhoneNumber, settings),
		);
		return problems.length > 0 ? { problems } : { conversations: parsed.data };
	}

	function excludedRow(
		parameters: Parameters,
		whose: Omit<PlannedConversation, 'conversation'>,
	): RowPlan<PlannedConversation> {
		const inJson =
			settings.inputMode === 'json'
				? list.safeParse(parameters['conversationsJson']).data
				: undefined;
		const phone = readPhoneNumber(parameters['toPhoneNumber'], settings);
		const toPhoneNumber =
			'number' in phone ? phone.number : textOf(parameters['toPhoneNumber'] ?? '').trim();
		const unread = { agentId: '', conversationType: CALL, toPhoneNumber, dynamicVariables: {} };
		const values = (inJson ?? [unread]).map((conversation) => ({ conversation, ...whose }));
		return { values, excluded: EXCLUDED, countedAs: 'marked Do Not Call' };
	}

	return {
		planRow,
		finish: () => ({
			problems: [
				...(marks.used && !marks.found ? [missingColumn('doNotCall', columns)] : []),
				...(settings.hours && settings.timeZone === 'column' && !zones.found
					? [missingColumn('timeZoneColumn', columns)]
					: []),
			],
			...(marks.unreadable > 0 && { reasonNotToSend: UNREADABLE }),
			notes: [
				...[...(marks.used ? [] : unused)].map(
					([column, count]) =>
						`${plural(count, 'row')} marked in the column ${column} ${count === 1 ? 'is' : 'are'} not left out, because Do Not Call is not set under Safeguards`,
				),
				...(unlisted.size > 0
					? [
							`Sent as entered, although the service does not document them: ${[...unlisted].slice(0, 10).join(', ')}`,
						]
					: []),
			],
		}),
	};
}

const UNREADABLE =
	'Not sent, because a Do Not Call mark is neither yes nor no. Correct it, or no one can tell who must not be called';

function missingColumn(parameter: string, columns: ReadonlySet<string>): Problem {
	const found = [...columns].slice(0, 30).join(', ');
	const message = `is empty in every row. Check the column name in its expression. Columns found: ${found || 'none'}`;
	return { path: ['safeguards', parameter], message };
}

const unreadable = (mark: unknown): Problem => ({
	path: ['safeguards', 'doNotCall'],
	message: `"${textOf(mark).slice(0, 40)}" is neither yes nor no. Use yes or no, or true or false`,
});

function keyedRow(
	planned: readonly PlannedConversation[],
	options: unknown,
): { readonly values: readonly PlannedConversation[] } | { readonly problems: readonly Problem[] } {
	const entered = Object(options) as Parameters;
	if (!Object.hasOwn(entered, 'rowKey')) return { values: planned };
	const keyed = planned.map((each) => withRowKey(each, entered['rowKey']));
	const problems = keyed.flatMap((each) => ('problem' in each ? [each.problem] : []));
	return problems.length > 0
		? { problems }
		: { values: keyed.flatMap((each) => ('planned' in each ? [each.planned] : [])) };
}

type ConversationsRead =
	| { readonly conversations: readonly NewConversation[] }
	| { readonly problems: readonly Problem[] };

function readFieldsRow(parameters: Parameters, settings: CreateSettings): ConversationsRead {
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

function countryProblems(
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
