import { get, has, isEqual, isNil, uniq, uniqWith } from 'lodash';
import { z } from 'zod/v4';
import type { RowRead, RowsRead } from '../../bulk/plan';
import { mapYielding } from '../../core/concurrency';
import { nameField } from '../../core/describeFailure';
import type { Problem } from '../../core/failures';
import type { OperationContext, Row } from '../../core/operation';
import { cleanText, isBlank } from '../../core/plainText';
import { toSentence } from '../../core/problems';
import { readMark, readMarks } from '../../core/readMark';
import { isRealText, NOT_REAL_TEXT } from '../../core/schemas';
import { listSome } from '../../core/words';
import { zoneCell } from '../hours/hoursSettings';
import { openRow, readConversations, type RowParameters } from './conversationRow';
import { unlistedFields, type PlannedConversation } from './plannedConversation';
import { NO_CAMPAIGN, type CreateSettings } from './settings';

const CAMPAIGN_KEY = 'safeguards.attempts.limit.campaignKey';
const PERSON_ID = 'safeguards.personId';
const TIME_ZONE = 'safeguards.callingHours.when.timeZone';

/** The parameters that describe one row. */
export const rowParameters = [
	...['agentId', 'conversationType', 'toPhoneNumber', 'defaultCountry', 'doNotCallColumn'],
	...['dynamicVariables', 'dynamicVariablesJson', 'conversationsJson'],
	...['options.additionalFieldsJson', CAMPAIGN_KEY, PERSON_ID, TIME_ZONE],
] as const;

/** Parameters that are usually cells of the row. If entered, an expression must give some row a value, and a column must exist. */
export const CELLS: readonly string[] = ['defaultCountry', CAMPAIGN_KEY, PERSON_ID, TIME_ZONE];

const personText = z.preprocess(
	(value) => (typeof value === 'number' ? String(value) : (value ?? '')),
	z
		.string({ error: 'must be text' })
		.overwrite(cleanText)
		// All rows without a value would otherwise be one person, or in one campaign.
		.refine(isRealText, { error: NOT_REAL_TEXT }),
);

interface ConversationRow extends RowRead<PlannedConversation> {
	readonly parameters: RowParameters;
	/** The reason why nothing is sent: the row is marked, and its person cannot be read. */
	readonly stop?: string | undefined;
}

/** Reads and checks the rows of a run. A mark that is missing or unclear stops the run. */
export async function readRows(
	entered: Iterable<Row>,
	settings: CreateSettings,
	context: OperationContext,
): Promise<RowsRead<PlannedConversation>> {
	const rows = await mapYielding(
		entered,
		(row, position) => readRow(row, position, settings),
		context,
	);
	const cells = rows.map(({ parameters }) => parameters['doNotCallColumn']);
	const marks = settings.markedValues && readMarks(cells, 'Do Not Call', settings.markedValues);
	// A parameter that was entered, but has no value in any row. An empty text is a blank cell.
	const empty = CELLS.find((path) => {
		const values = rows.filter(({ parameters }) => has(parameters, path));
		return values.length > 0 && values.every(({ parameters }) => isNil(get(parameters, path)));
	});
	const emptyStop = empty && `'${nameField(empty.split('.'))}' is empty in every row. Correct it`;
	return {
		rows,
		stop: marks?.stop ?? rows.find((row) => row.stop !== undefined)?.stop ?? emptyStop,
		notes: [...(marks?.note === undefined ? [] : [marks.note]), ...listNotes(rows)],
	};
}

/** Reads a row with its do-not-call mark. `stop` ends the run, because other rows may be of a marked person who cannot be read. */
function readRow(entered: Row, position: number, settings: CreateSettings): ConversationRow {
	const readable: unknown = 'parameters' in entered ? entered.parameters : entered.readable;
	const parameters = Object(readable) as RowParameters;
	const row = openRow(parameters);
	const conversations = readConversations(row, settings);
	const isMarked =
		settings.markedValues !== undefined &&
		readMark(parameters['doNotCallColumn'], settings.markedValues) === 'marked';
	const person = {
		isMarked,
		personId: row.read(PERSON_ID, personText) ?? '',
		campaignKey: row.read(CAMPAIGN_KEY, personText) ?? '',
		timeZone: row.read(TIME_ZONE, zoneCell) ?? '',
	};
	const contents = conversations.map(({ conversation, country }) => ({
		...person,
		conversation,
		country,
	}));
	const { problems: unread = [] } = entered;
	const problems = [
		unread,
		[...row.problems, ...conversations.flatMap((each) => each.problems)],
		settings.attempts ? uniqWith(contents.flatMap(findUncounted), isEqual) : [],
	].find((step) => step.length > 0); // Later problems may follow from earlier ones.
	const [fault] = conversations.flatMap((each) => each.unread ?? []);
	const isPersonUnread =
		fault || [...unread, ...row.problems].some(({ path }) => PERSON_PATH.test(path.join('.')));
	const unreadMark = `row ${position + 1} is marked do not call and its number or Person ID cannot be read${fault ? `: ${toSentence(fault)}` : ''}. Correct it, or remove the row`;
	const stop = isMarked && isPersonUnread ? unreadMark : undefined;
	// A marked row is not called, so its problems do not matter.
	if (!problems || (isMarked && contents.length > 0)) return { contents, parameters, stop };
	const { toPhoneNumber } = parameters;
	return { contents: [], parameters, problems, entered: { toPhoneNumber }, stop };
}

/** The parameters that say who a conversation is for. */
const PERSON_PATH = /^(toPhoneNumber|conversationsJson|safeguards\.personId)/;

/** Finds why an attempt cannot be counted by campaign and person. */
function findUncounted({ campaignKey, conversation, personId }: PlannedConversation): Problem[] {
	if (campaignKey === '') return [{ path: CAMPAIGN_KEY.split('.'), reason: NO_CAMPAIGN }];
	if (conversation.toPhoneNumber !== undefined || personId !== '') return [];
	return [{ path: PERSON_ID.split('.'), reason: NO_PERSON }];
}

const NO_PERSON = 'is empty. Attempts are counted by person, so a chat without a number needs one';

/** Names the variables that are empty in every row, and the fields that the service does not document. */
function listNotes(rows: readonly ConversationRow[]): string[] {
	const conversations = rows.flatMap(({ contents }) => contents.map((each) => each.conversation));
	const variables = conversations.flatMap((each) => Object.entries(each.dynamicVariables));
	const filled = new Set(variables.flatMap(([name, value]) => (isBlank(value) ? [] : [name])));
	const empty = uniq(variables.map(([name]) => name)).filter((name) => !filled.has(name));
	const unlisted = uniq(conversations.flatMap(unlistedFields));
	const emptyNote = `Variables that are empty in every row: ${listSome(empty, "'")}. Check the column names in their expressions`;
	const unlistedNote = `Sent as entered, although the service does not document them: ${listSome(unlisted)}`;
	return [...(empty.length > 0 ? [emptyNote] : []), ...(unlisted.length > 0 ? [unlistedNote] : [])];
}
