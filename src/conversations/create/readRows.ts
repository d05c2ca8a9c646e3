import get from 'lodash/get';
import has from 'lodash/has';
import isEmpty from 'lodash/isEmpty';
import isNil from 'lodash/isNil';
import mapValues from 'lodash/mapValues';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import type { RowPlan, RowsRead } from '../../bulk/plan';
import type { Steps } from '../../core/concurrency';
import { mapInSteps } from '../../core/concurrency';
import type { Problem } from '../../core/failures';
import type { OperationContext, Row } from '../../core/operation';
import { problemsOf } from '../../core/operation';
import { NOT_WRITTEN } from '../../core/schemas';
import { holdersOf } from '../../core/json';
import { isBlank, plural, someOf, textOf, visible } from '../../core/text';
import { isMarkColumn, isNoAnswer, mayForbidCalls, readMarkIn } from '../../core/yesNo';
import { zoneCell } from '../hours/hoursSettings';
import { leaveOutBarred, MARKED } from './barred';
import type { ConversationRead, Parameters } from './conversationRow';
import { conversationReader } from './conversationRow';
import type { Mark } from './marks';
import { marksOf } from './marks';
import { isName, unlistedFields } from './newConversation';
import type { CreateSettings } from './settings';

/** What one row wants to start, and what belongs to its person and campaign. */
export interface PlannedConversation extends Pick<
	ConversationRead,
	'conversation' | 'numbers' | 'unreadable'
> {
	readonly campaignKey: string;
	readonly personId: string;
	/** What marks the person as one not to be called, where no safeguard reads it. */
	readonly markedIn?: string | undefined;
	/** Whether the safeguard reads another mark. */
	readonly hasMark?: boolean;
	/** The time zone in the column of the row, '' for that of its number. */
	readonly timeZone: string;
}

/** Where the parameters are that describe one row. */
const SAFEGUARDS = {
	campaignKey: 'safeguards.attempts.limit.campaignKey',
	doNotCall: 'safeguards.doNotCall.people.mark',
	personId: 'safeguards.personId',
	timeZone: 'safeguards.callingHours.when.timeZone',
} as const;

/** The parameters that describe one row. */
export const rowParameters = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'dynamicVariables', 'dynamicVariablesJson'],
	...['conversationsJson', 'options.additionalFieldsJson'],
	...Object.values(SAFEGUARDS),
] as const;

/** The one entry of a lookup of Airtable, which is a list. */
const lookedUp = (value: unknown): unknown =>
	Array.isArray(value) && value.length === 1 && typeof value[0] !== 'object' ? value[0] : value;

const text = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z
		.string({ error: 'must be text' })
		.overwrite(visible)
		// Everyone without a value would be one person, or in one campaign.
		.refine(isName, { error: NOT_WRITTEN }),
);

/** A row, with what only all rows together tell. */
interface RowRead extends RowPlan<PlannedConversation> {
	readonly safeguards?: unknown;
	readonly inputRow?: object;
	/** Why no one can tell from it who must not be called: then nothing is sent. */
	readonly stop?: string | undefined;
	/** Whether it is marked, and its Person ID cannot be read. */
	readonly isPersonMissed: boolean;
}

/**
 * Reads and checks the rows of a run. Marks and numbers of every row are read before anything else in it, and a mark holds for the
 * person in all rows, on every channel, whatever else is wrong.
 */
export function* readRows(
	entered: Iterable<Row>,
	settings: CreateSettings,
	{ ledger, round }: Pick<OperationContext, 'ledger' | 'round'>,
): Steps<RowsRead<PlannedConversation>> {
	const readConversations = conversationReader(settings);
	const read = yield* mapInSteps(entered, (row, position) =>
		readRow(row, { position, settings, readConversations }),
	);
	const { rows, notes, stop: tooLittle } = leaveOutBarred(read, settings, ledger);
	const [stop = tooLittle] = read.flatMap((row) => row.stop ?? []);
	// A round that is tried again may have been corrected.
	if (stop !== undefined) noteStop({ ledger, round });
	else if (ledger.recall(STOPPED) === round) ledger.record(STOPPED, undefined);
	return {
		rows,
		problems: emptySafeguards(read),
		stop: stop ?? (ledger.recall(STOPPED) !== undefined ? STOPPED_EARLIER : undefined),
		notes: [...notesOf(read), ...notes],
	};
}

/** Notes that no one can tell who is marked in a round: later ones call no one. */
const noteStop = ({ ledger, round }: Pick<OperationContext, 'ledger' | 'round'>): void =>
	ledger.record(STOPPED, ledger.recall(STOPPED) ?? round);

/** Notes it of a round whose settings are invalid, so its rows were not read, unless these read no marks. */
export function noteUnread(settings: Row, context: OperationContext): void {
	const entered: unknown = 'parameters' in settings ? settings.parameters : settings.readable;
	if (!has(entered, 'safeguards') || has(entered, 'safeguards.doNotCall')) noteStop(context);
}

const STOPPED = '!?';
const STOPPED_EARLIER =
	'Not sent, because an earlier round of this execution could not tell who must not be called. Correct its rows and run the workflow again';
const UNCLEAR =
	'Not sent, because a Do Not Call mark is neither yes nor no. Correct it, or no one can tell who must not be called';

/** The parameters that tell who a row is for. */
const WHO = [
	...['toPhoneNumber', 'conversationsJson', 'options.additionalFieldsJson'],
	SAFEGUARDS.personId,
];

/** Why a row stops the run, if it does, when some of its parameters could not be read: others may be called who are the same person. */
function unreadStop(
	unread: readonly Problem[],
	row: string,
	{ isMarked, readsMarks }: { readonly isMarked: boolean; readonly readsMarks: boolean },
): string | undefined {
	const paths = unread.map(({ path }) => path.join('.'));
	if (paths.includes(SAFEGUARDS.doNotCall))
		return `Not sent, because the Do Not Call mark of ${row} could not be read. Correct it, or no one can tell who must not be called`;
	if (isMarked && WHO.some((path) => paths.includes(path)))
		return `Not sent, because ${row} is marked do not call, and its person could not be read. Correct the row, or this person may be called by another one`;
	// The conversations may have marks of their own.
	return readsMarks && paths.includes('conversationsJson')
		? `Not sent, because the conversations of ${row} could not be read, so no one can tell whether they are marked do not call. Correct the row`
		: undefined;
}

interface RowReading {
	readonly position: number;
	readonly settings: CreateSettings;
	readonly readConversations: ReturnType<typeof conversationReader>;
}

/** Reads a row; where some of its parameters could not be read, the others. */
function readRow(entered: Row, { position, settings, readConversations }: RowReading): RowRead {
	const { problems: unread = [] } = entered;
	const given = Object(
		'parameters' in entered ? entered.parameters : entered.readable,
	) as Parameters;
	const parameters = mapValues(given, lookedUp);
	const { safeguards, toPhoneNumber } = parameters;
	const inputRow = Object(parameters['inputRow']) as object;
	const mark: unknown = get(parameters, SAFEGUARDS.doNotCall);
	const readsMarks = has(parameters, SAFEGUARDS.doNotCall);
	const said = mark === undefined ? false : readMarkIn('DNC', mark);
	// The strictest of several marks wins.
	const marks = marksOf(inputRow, !isNoAnswer(mark));
	// What a mark says unclearly may be a yes, but a consent may be given in any words.
	const mayBar = ({ name, says, isOwn }: Mark): boolean => isOwn && (says ?? isMarkColumn(name));
	const markOf = (called: unknown): string | undefined =>
		nameOf(
			(marks.length === 0
				? []
				: [marks, ...holdersOf(inputRow, called).map((each) => marksOf(each))]
			)
				.flat()
				.filter(mayBar),
		);
	const isMarked = said === true || (readsMarks && markOf(toPhoneNumber) !== undefined);
	const markedIn = nameOf(marks);
	const problems: Problem[] = [];
	const read = (path: string, schema: z.ZodType<string>): string => {
		const parsed = schema.safeParse(lookedUp(get(parameters, path)));
		if (!parsed.success) problems.push(...problemsOf(parsed.error, path.split('.')));
		return parsed.data ?? '';
	};
	const whose = {
		campaignKey: read(SAFEGUARDS.campaignKey, text),
		personId: read(SAFEGUARDS.personId, text),
		timeZone: read(SAFEGUARDS.timeZone, zoneCell),
	};
	const conversations = readConversations(parameters, { isMarked, readsMarks, markOf });
	// A mark of one of several conversations is not that of the others.
	const isToldOf = conversations.some((each) => each.isMarked || each.ownMark !== undefined);
	const entries = conversations.map(
		({ conversation, numbers, unreadable, ownMark, isMarked: isBarred }) => ({
			content: {
				...{ conversation, numbers, unreadable, ...whose, hasMark: readsMarks },
				markedIn: ownMark ?? (isToldOf ? undefined : markedIn),
			},
			outcome: isBarred ? MARKED : undefined,
		}),
	);
	const unmarked = entries.filter(({ outcome }) => outcome === undefined);
	problems.push(...uniq(conversations.flatMap((each) => each.problems)));
	if (settings.attempts && problems.length === 0)
		problems.push(...unmarked.flatMap(({ content }) => attemptProblems(content)));
	// Whoever is marked is not checked any further, but a mark that no one understands is reported in any case.
	const stop =
		said === undefined
			? UNCLEAR
			: unreadStop(unread, `row ${position + 1}`, { isMarked, readsMarks });
	const told = [
		...(said === undefined ? [unclear(mark)] : []),
		// What else is wrong may be so only because of what could not be read.
		...(unmarked.length === 0 ? [] : unread.length > 0 ? unread : problems),
	];
	const isPersonMissed =
		entries.length > unmarked.length &&
		problems.some(({ path }) => path.join('.') === SAFEGUARDS.personId);
	const row = { entries, safeguards, inputRow, stop, isPersonMissed };
	return told.length > 0 ? { ...row, problems: told, entered: { toPhoneNumber } } : row;
}

/** The name of the mark that a person reads of: that of a yes, if there is one. */
const nameOf = (marks: readonly Mark[]): string | undefined =>
	marks.find(({ says }) => says === true)?.name ?? marks.map(({ name }) => `${name} (unclear)`)[0];

const unclear = (mark: unknown): Problem => ({
	path: SAFEGUARDS.doNotCall.split('.'),
	message: `"${textOf(mark).slice(0, 40)}" is neither yes nor no. Use yes or no, or true or false`,
});

/** Attempts are counted by campaign and person. */
function attemptProblems({ campaignKey, numbers, personId }: PlannedConversation): Problem[] {
	if (campaignKey === '')
		return [{ path: SAFEGUARDS.campaignKey.split('.'), message: NO_CAMPAIGN }];
	return numbers.length > 0 || personId !== ''
		? []
		: [{ path: SAFEGUARDS.personId.split('.'), message: NO_PERSON }];
}

const NO_CAMPAIGN = 'is empty. Attempts are counted by campaign, so enter a name for it';
const NO_PERSON = 'is empty. Attempts are counted by person, so a chat without a number needs one';

const isUndefinedOrNulls = (value: unknown): boolean =>
	value === undefined || (Array.isArray(value) && value.length > 0 && value.every(isNil));

/** Safeguards that were entered and have a value in no row. */
function emptySafeguards(rows: readonly RowRead[]): Problem[] {
	const empty = Object.values(SAFEGUARDS).filter((path) => {
		const entered = rows.filter((row) => has(row, path));
		// An empty mark is a mark: webhooks send null for it. A list of nothing is what an expression makes of a missing column.
		const isMissing = path === SAFEGUARDS.doNotCall ? isUndefinedOrNulls : isNil;
		return entered.length > 0 && entered.every((row) => isMissing(get(row, path)));
	});
	const columns = Object.keys(rows.find(({ inputRow }) => !isEmpty(inputRow))?.inputRow ?? {});
	const found = someOf(columns) || 'none';
	const message = `is empty in every row. Check the column name in its expression. Columns found: ${found}`;
	return empty.map((path) => ({ path: path.split('.'), message }));
}

/** Columns that are not read and may say who must not be called, unless the rows have a mark that is read. */
function openMarks(rows: readonly RowRead[]): string[] {
	const inputs = rows.map(({ inputRow }) => Object(inputRow) as Readonly<Record<string, unknown>>);
	const columns = uniq(inputs.flatMap(Object.keys));
	return columns.some(isMarkColumn)
		? []
		: columns.filter((name) => mayForbidCalls(name, () => inputs.map((input) => input[name])));
}

/** What there is to know about all rows that are valid: variables that are empty, and fields that the service does not document. */
function notesOf(rows: readonly RowRead[]): string[] {
	const conversations = rows.flatMap(({ entries, problems }) =>
		problems ? [] : entries.map(({ content }) => content.conversation),
	);
	const variables = conversations.flatMap(({ dynamicVariables }) =>
		Object.entries(dynamicVariables),
	);
	const filled = new Set(variables.flatMap(([name, value]) => (isBlank(value) ? [] : [name])));
	const empty = uniq(variables.map(([name]) => name)).filter((name) => !filled.has(name));
	const unlisted = uniq(conversations.flatMap(unlistedFields));
	const missed = rows.filter(({ isPersonMissed }) => isPersonMissed).length;
	const open = openMarks(rows);
	return [
		...(open.length === 0
			? []
			: [
					`Only an expression in 'Do Not Call' reads these columns, which may say who must not be called: ${someOf(open, "'")}`,
				]),
		...(missed === 0
			? []
			: [
					`${plural(missed, 'row')} marked do not call ${missed === 1 ? 'has' : 'have'} a Person ID that cannot be read, so another row of the same person is left out only by its number. Correct it in the sheet`,
				]),
		...(empty.length === 0
			? []
			: [
					`Variables that are empty in every row: ${someOf(empty, "'")}. Check the column names in their expressions`,
				]),
		...(unlisted.length === 0
			? []
			: [`Sent as entered, although the service does not document them: ${someOf(unlisted)}`]),
	];
}
