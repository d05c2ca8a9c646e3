import { get, has, isNil, map, orderBy, uniq } from 'lodash';
import type { RowRead, RowsRead } from '../../bulk/plan';
import { mapYielding } from '../../core/concurrency';
import { nameField } from '../../core/describeFailure';
import type { OperationContext, Row } from '../../core/operation';
import { isBlank } from '../../core/plainText';
import { askAboutMarks, describeMissingColumn } from '../../core/readMark';
import { formatCount, formatRows, listSome, plural } from '../../core/words';
import { unlistedFields, type PlannedConversation } from '../plannedConversation';
import { readRow, type ConversationRow } from './conversationRow';
import { holdPeopleBack } from './heldBack';
import { parameters as declared } from './parameters';
import type { CreateSettings } from './settings';

/** Reads and checks the rows of a run. A missing or unclear column of marks, or an empty parameter, stops the run. */
export async function readRows(
	entered: Iterable<Row>,
	settings: CreateSettings,
	context: OperationContext,
): Promise<RowsRead<PlannedConversation>> {
	const { marks } = settings;
	const rows = await mapYielding(entered, (row) => readRow(row, settings), context);
	const inputRows = rows.map(({ parameters }) => parameters.inputRow);
	const question =
		marks &&
		(describeMissingColumn(inputRows, marks) ??
			askAboutMarks(map(rows, 'markCell'), marks, 'Safeguards'));
	const stop = question ?? findEmptyParameter(rows);
	const isRecorded = !settings.dryRun && stop === undefined;
	const judged = holdPeopleBack(rows, settings, { ledger: context.ledger, isRecorded });
	return {
		rows: judged,
		stop,
		// An open question may be about the meaning of the marks.
		notes: [
			...(question === undefined ? noteUnreadPeople(rows) : []),
			...noteVariables(judged),
			...noteUnlistedFields(rows),
		],
	};
}

/** Returns the reason to stop if a parameter was entered, but its expression gives no value in any row. */
function findEmptyParameter(rows: readonly ConversationRow[]): string | undefined {
	const empty = Object.keys(declared).find((path) => {
		// The blank cell of a dragged column is '', not undefined.
		if (!declared[path]?.mayBeBlank) return false;
		const values = rows.filter(({ parameters }) => has(parameters, path));
		return values.length > 0 && values.every(({ parameters }) => isNil(get(parameters, path)));
	});
	return empty && `'${nameField(empty.split('.'))}' is empty in every row. Correct it`;
}

/** Names the rows that hold back a person whose number or ID is unreadable: other rows may call the person. */
function noteUnreadPeople(rows: readonly ConversationRow[]): string[] {
	const positions = [...rows.keys()].filter((position) => rows[position]?.isHeldPersonUnread);
	if (positions.length === 0) return [];
	const names = formatRows(positions, { total: Infinity, max: 4 });
	return [`${names}: marked, without a readable number`];
}

/** Counts the rows of people who may be called in which a variable is empty or missing: "Empty variables of 40 rows: city in 40, firstName in 3". */
function noteVariables(rows: ReadonlyArray<RowRead<PlannedConversation>>): string[] {
	const variables = rows.flatMap(({ content }) =>
		content && content.heldBack === undefined ? [content.conversation.dynamicVariables] : [],
	);
	const names = uniq(variables.flatMap((each) => Object.keys(each)));
	const counts = names
		.map((name) => ({ name, empty: variables.filter((each) => isBlank(each[name])).length }))
		.filter(({ empty }) => empty > 0);
	if (counts.length === 0) return [];
	const texts = orderBy(counts, 'empty', 'desc').map(
		({ name, empty }) => `${name} in ${formatCount(empty)}`,
	);
	return [`Empty variables of ${plural(variables.length, 'row')}: ${listSome(texts)}`];
}

/** Builds the note on fields that are sent although the service does not document them. Returns none without such fields. */
function noteUnlistedFields(rows: readonly ConversationRow[]): string[] {
	const unlisted = uniq(
		rows.flatMap(({ content }) => (content ? unlistedFields(content.conversation) : [])),
	);
	if (unlisted.length === 0) return [];
	return [`Sent as entered, although the service does not document them: ${listSome(unlisted)}`];
}
