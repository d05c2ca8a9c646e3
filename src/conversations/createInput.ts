import { z } from 'zod/v4';
import type { RowPlan, RunPlanner } from '../bulk/operation';
import type { Problem } from '../core/failures';
import { jsonList } from '../core/json';
import type { Row } from '../core/operation';
import { problemsOf } from '../core/operation';
import { isBlank, plural, textOf, visible } from '../core/text';
import { NO_CAMPAIGN } from './campaign/attemptSettings';
import { zoneCell } from './campaign/hoursSettings';
import { withRowKey } from './campaign/rowKey';
import type { ConversationsRead, Parameters } from './conversationRow';
import { countryProblems, readFieldsRow, unreadConversations } from './conversationRow';
import type { CreateSettings } from './createSettings';
import { markColumnOf, readMark } from './doNotCall';
import type { NewConversation } from './newConversation';
import { newConversationIn, unlistedFields } from './newConversation';

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
	z.string({ error: 'must be text' }).overwrite(visible),
);

const rowSafeguards = z
	.looseObject({
		campaignKey: text.prefault(''),
		personId: text.prefault(''),
		doNotCall: z.unknown().optional(),
		timeZoneColumn: zoneCell.optional(),
	})
	.prefault({});

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

	/** A row that is marked is not checked any further: of what cannot be read, whom it is for still counts. */
	function excludedRow(
		parameters: Parameters,
		whose: Omit<PlannedConversation, 'conversation'>,
	): RowPlan<PlannedConversation> {
		const inJson =
			settings.inputMode === 'json'
				? list.safeParse(parameters['conversationsJson']).data
				: undefined;
		const conversations = inJson ?? unreadConversations(parameters, settings);
		const values = conversations.map((conversation) => ({ conversation, ...whose }));
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
