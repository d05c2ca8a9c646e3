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

/** Reads and checks all rows. A missing or unclear column of marks, or an empty parameter, stops the run. */
export async function readRows(
	entered: Iterable<Row>,
	settings: CreateSettings,
	context: OperationContext,
): Promise<RowsRead<PlannedConversation>> {
	const { marks } = settings;
	const read = await mapYielding(entered, (row) => readRow(row, settings), context);
	// The answers to unclear marks are entered under Safeguards.
	const question =
		marks &&
		(describeMissingColumn(map(read, 'parameters.inputRow'), marks) ??
			askAboutMarks(map(read, 'markCell'), marks, 'Safeguards'));
	const stop = question ?? describeEmptyParameter(read);
	const mayRecord = !settings.dryRun && stop === undefined;
	const rows = holdPeopleBack(read, settings, { ledger: context.ledger, mayRecord });
	return {
		rows,
		stop,
		// An open question may be about the meaning of the marks.
		notes: [
			...(question === undefined ? noteUnreadPeople(rows) : []),
			...noteVariables(rows),
			...noteUnlistedFields(rows),
		],
	};
}

/** Returns the reason to stop if a parameter was entered, but its expression gives no value in any row. */
function describeEmptyParameter(rows: readonly ConversationRow[]): string | undefined {
	const empty = Object.keys(declared).find((path) => {
		// Other parameters are checked in each row.
		if (!declared[path]?.mayBeBlank) return false;
		const present = rows.filter(({ parameters }) => has(parameters, path));
		// The blank cell of a dragged column is '', which is a value.
		return present.length > 0 && present.every(({ parameters }) => isNil(get(parameters, path)));
	});
	return empty && `'${nameField(empty.split('.'))}' is empty in every row. Correct it`;
}

/** Notes the marked rows without a readable number or ID. Other rows of the same person may be called. */
function noteUnreadPeople(rows: readonly ConversationRow[]): string[] {
	const positions = [...rows.keys()].filter((position) => rows[position]?.isHeldPersonUnread);
	if (positions.length === 0) return [];
	return [`${formatRows(positions, { max: 4 })}: marked, without a readable number`];
}

/** Notes how many rows lack each variable, without rows held back: "Empty variables of 40 rows: city in 40, firstName in 3". */
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
	const conversations = rows.flatMap(({ content }) => content?.conversation ?? []);
	const unlisted = uniq(conversations.flatMap((each) => unlistedFields(each)));
	if (unlisted.length === 0) return [];
	return [`Sent as entered, although the service does not document them: ${listSome(unlisted)}`];
}
