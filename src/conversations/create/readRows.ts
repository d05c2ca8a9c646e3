import get from 'lodash/get';
import has from 'lodash/has';
import isEmpty from 'lodash/isEmpty';
import isNil from 'lodash/isNil';
import uniq from 'lodash/uniq';
import { z } from 'zod/v4';
import type { RowRead, RowsRead } from '../../bulk/plan';
import { mapYielding } from '../../core/concurrency';
import type { Problem } from '../../core/failures';
import type { OperationContext, Row } from '../../core/operation';
import { problemsOf } from '../../core/problems';
import { readMark, readMarks } from '../../core/readMark';
import { isWritten, NOT_WRITTEN } from '../../core/schemas';
import { isBlank, cleanText } from '../../core/plainText';
import { listSome } from '../../core/words';
import { zoneCell } from '../hours/hoursSettings';
import type { ConversationRead, RowParameters } from './conversationRow';
import { conversationReader } from './conversationRow';
import { unlistedFields } from './newConversation';
import type { PlannedConversation } from './plannedConversation';
import type { CreateSettings } from './settings';

const CAMPAIGN_KEY = 'safeguards.attempts.limit.campaignKey';
const PERSON_ID = 'safeguards.personId';
const TIME_ZONE = 'safeguards.callingHours.when.timeZone';

/** The parameters that describe one row. */
export const rowParameters = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'defaultCountry', 'doNotCallColumn'],
	...['dynamicVariables', 'dynamicVariablesJson', 'conversationsJson'],
	...['options.additionalFieldsJson', CAMPAIGN_KEY, PERSON_ID, TIME_ZONE],
] as const;

/** The parameters that must have a value in some row, once they are entered. */
const NEVER_EMPTY = ['defaultCountry', CAMPAIGN_KEY, PERSON_ID, TIME_ZONE];

const personText = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z
		.string({ error: 'must be text' })
		.overwrite(cleanText)
		// All rows without a value would otherwise be one person, or in one campaign.
		.refine(isWritten, { error: NOT_WRITTEN }),
);

interface ConversationRow extends RowRead<PlannedConversation> {
	readonly parameters: RowParameters;
	/** The reason why nothing is sent: the row is marked, and its person cannot be read. */
	readonly stop?: string | undefined;
}

type ReadContext = Pick<OperationContext, 'ledger' | 'round'>;

/** Reads and checks the rows of a run. The mark of each row is read first. */
export async function readRows(
	entered: Iterable<Row>,
	settings: CreateSettings,
	context: OperationContext,
): Promise<RowsRead<PlannedConversation>> {
	const { markedValues } = settings;
	const readConversations = conversationReader(settings);
	const rows = await mapYielding(
		entered,
		(row, position) => readRow(row, { position, settings, readConversations }),
		context,
	);
	const cells = rows.map(({ parameters }) => parameters['doNotCallColumn']);
	const marks = markedValues && readMarks(cells, 'Do Not Call', markedValues);
	const stop = marks?.stop ?? rows.find((row) => row.stop !== undefined)?.stop;
	const problems = emptyParameters(rows);
	return {
		rows,
		problems,
		stop: stopOfExecution(stop, { isUnread: problems.length > 0, ...context }),
		notes: [...(marks?.note === undefined ? [] : [marks.note]), ...notesFor(rows)],
	};
}

/** The key of the ledger for the round whose marks could not be read. */
const UNREAD_ROUND = '!?';
const UNREAD_BEFORE =
	'an earlier round of this execution could not tell who must not be called. Correct its rows and run the workflow again';

/** The reason why a round sends nothing: its own, or an earlier round without readable marks. */
function stopOfExecution(
	stop: string | undefined,
	{ isUnread, ledger, round }: ReadContext & { readonly isUnread: boolean },
): string | undefined {
	if (stop !== undefined || isUnread) recordUnread({ ledger, round });
	// A round that is tried again may have been corrected.
	else if (ledger.recall(UNREAD_ROUND) === round) ledger.record(UNREAD_ROUND, undefined);
	return stop ?? (ledger.recall(UNREAD_ROUND) === undefined ? undefined : UNREAD_BEFORE);
}

const recordUnread = ({ ledger, round }: ReadContext): void =>
	ledger.record(UNREAD_ROUND, ledger.recall(UNREAD_ROUND) ?? round);

/** Records that the rows of a round were not read, because its settings are invalid. */
export function recordUnreadRound(settings: Row, context: ReadContext): void {
	const entered: unknown = 'parameters' in settings ? settings.parameters : settings.readable;
	const asksNothing = get(entered, 'asTool') === true || get(entered, 'doNotCall') === 'none';
	if (!asksNothing) recordUnread(context);
}

interface RowReading {
	readonly position: number;
	readonly settings: CreateSettings;
	readonly readConversations: ReturnType<typeof conversationReader>;
}

/** Reads a row, or its readable parameters. */
function readRow(
	entered: Row,
	{ position, settings, readConversations }: RowReading,
): ConversationRow {
	const { problems: unread = [] } = entered;
	const readable: unknown = 'parameters' in entered ? entered.parameters : entered.readable;
	const parameters = Object(readable) as RowParameters;
	const isMarked =
		settings.markedValues !== undefined &&
		readMark(parameters['doNotCallColumn'], settings.markedValues) === 'marked';
	const { problems: personProblems, ...person } = readPerson(parameters);
	const conversations = readConversations(parameters);
	const contents = conversations.map(({ conversation, number }) => ({
		conversation,
		isMarked,
		...person,
		...(number && 'number' in number && { country: number.country }),
	}));
	if (isMarked) {
		const unreadable = unreadPart(conversations, [...unread, ...personProblems]);
		const stop = `row ${position + 1} is marked do not call and its ${unreadable} cannot be read. Correct it, or filter the row out before`;
		return { contents, parameters, ...(unreadable !== undefined && { stop }) };
	}
	const read = [...personProblems, ...uniq(conversations.flatMap((each) => each.problems))];
	const isCounted = settings.attempts !== undefined && read.length === 0;
	const uncounted = isCounted ? contents.flatMap(attemptProblems) : [];
	// Other problems may come from the parameters that could not be read.
	const problems = unread.length > 0 ? unread : [...read, ...uncounted];
	const { toPhoneNumber } = parameters;
	return problems.length === 0
		? { contents, parameters }
		: { contents: [], parameters, problems, entered: { toPhoneNumber } };
}

/** A parameter with conversations, or one conversation that is not an object. */
const CONVERSATIONS = /^conversationsJson(?:\.\d+)?$/;

/** Names the unreadable part of a marked person; undefined if the person can be read. */
function unreadPart(
	conversations: readonly ConversationRead[],
	unread: readonly Problem[],
): string | undefined {
	const paths = unread.map(({ path }) => path.join('.'));
	const hasUnread = conversations.some(({ number }) => number && 'reason' in number);
	if (hasUnread || paths.includes('toPhoneNumber')) return 'number';
	if (paths.includes(PERSON_ID)) return 'Person ID';
	const inConversations = conversations.flatMap((each) => each.problems);
	return [...paths, ...inConversations.map(({ path }) => path.join('.'))].some((path) =>
		CONVERSATIONS.test(path),
	)
		? 'conversations'
		: undefined;
}

/** Reads the parameters of the person and the campaign of a row. */
function readPerson(parameters: RowParameters) {
	const problems: Problem[] = [];
	const read = (path: string, schema: z.ZodType<string>): string => {
		const parsed = schema.safeParse(get(parameters, path));
		if (parsed.error) problems.push(...problemsOf(parsed.error, path.split('.')));
		return parsed.data ?? '';
	};
	return {
		campaignKey: read(CAMPAIGN_KEY, personText),
		personId: read(PERSON_ID, personText),
		timeZone: read(TIME_ZONE, zoneCell),
		problems,
	};
}

/** Attempts are counted by campaign and person. */
function attemptProblems({ campaignKey, conversation, personId }: PlannedConversation): Problem[] {
	if (campaignKey === '') return [{ path: CAMPAIGN_KEY.split('.'), reason: NO_CAMPAIGN }];
	return conversation.toPhoneNumber !== undefined || personId !== ''
		? []
		: [{ path: PERSON_ID.split('.'), reason: NO_PERSON }];
}

const NO_CAMPAIGN = 'is empty. Attempts are counted by campaign, so enter a name for it';
const NO_PERSON = 'is empty. Attempts are counted by person, so a chat without a number needs one';

/** Parameters that were entered and have a value in no row. */
function emptyParameters(rows: readonly ConversationRow[]): Problem[] {
	const empty = NEVER_EMPTY.filter((path) => {
		const entered = rows.filter(({ parameters }) => has(parameters, path));
		return entered.length > 0 && entered.every(({ parameters }) => isNil(get(parameters, path)));
	});
	const inputs = rows.map(({ parameters }) => Object(parameters['inputRow']) as object);
	const columns = Object.keys(inputs.find((input) => !isEmpty(input)) ?? {});
	const reason = `is empty in every row. Check the column name in its expression. Columns found: ${listSome(columns) || 'none'}`;
	return empty.map((path) => ({ path: path.split('.'), reason }));
}

/** Names the variables that are empty in every row, and the fields that the service does not document. */
function notesFor(rows: readonly ConversationRow[]): string[] {
	const conversations = rows.flatMap(({ contents }) =>
		contents.map(({ conversation }) => conversation),
	);
	const variables = conversations.flatMap(({ dynamicVariables }) =>
		Object.entries(dynamicVariables),
	);
	const filled = new Set(variables.flatMap(([name, value]) => (isBlank(value) ? [] : [name])));
	const empty = uniq(variables.map(([name]) => name)).filter((name) => !filled.has(name));
	const unlisted = uniq(conversations.flatMap(unlistedFields));
	const emptyNote = `Variables that are empty in every row: ${listSome(empty, "'")}. Check the column names in their expressions`;
	const unlistedNote = `Sent as entered, although the service does not document them: ${listSome(unlisted)}`;
	const isEmptyEverywhere = conversations.length > 0 && variables.length === 0;
	return [
		...(isEmptyEverywhere ? [NO_VARIABLES] : []),
		...(empty.length > 0 ? [emptyNote] : []),
		...(unlisted.length > 0 ? [unlistedNote] : []),
	];
}

const NO_VARIABLES =
	"No variables: the agent knows nothing about the person. Set 'Variables' to 'Columns of the Row', or add some";
