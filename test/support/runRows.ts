import cloneDeep from 'lodash/cloneDeep';
import get from 'lodash/get';
import isPlainObject from 'lodash/isPlainObject';
import partition from 'lodash/partition';
import set from 'lodash/set';
import { describeFailure } from '../../src/core/describeFailure';
import type { Operation, OperationContext, Row, RowResult, Run } from '../../src/core/operation';

type Columns = Readonly<Record<string, unknown>>;

/** Where the panel has options that tests write in one place. */
const batchPlaces = new Map<string, string>([
	['dryRun', 'dryRun'],
	...['batchSize', 'batchInterval', 'parallelRequests', 'timeout'].map(
		(name) => [name, `options.batching.batch.${name}`] as const,
	),
]);
const MARK_COLUMN = 'Do Not Call';

const callPlaces = new Map<string, string>([
	...batchPlaces,
	['defaultCountry', 'defaultCountry'],
	...[
		'allowedCountries',
		'approvedPlan',
		'hoursBetweenCalls',
		'maximumConversations',
		'maximumPerDay',
		'noValues',
		'personId',
		'requiredVariables',
		'yesValues',
	].map((name) => [name, `safeguards.${name}`] as const),
	// The cell of the do-not-call column.
	['mark', `inputRow.${MARK_COLUMN}`],
	['campaignKey', 'safeguards.attempts.limit.campaignKey'],
	['maximumAttempts', 'safeguards.attempts.limit.maximum'],
	['callingHours', 'safeguards.callingHours.when.hours'],
	['daysNotToCall', 'safeguards.callingHours.when.daysNotToCall'],
	['timeZone', 'safeguards.callingHours.when.timeZone'],
]);

const listRowParameters = ({ parameters }: Operation): string[] =>
	Object.entries(parameters).flatMap(([path, { perRow }]) => (perRow ? path : []));

/** A row as in the panel: with all columns of tickets, and sent unless a test sets a dry run. */
function asInPanel(row: Row, operation: Operation): Row {
	const rowParameters = listRowParameters(operation);
	if (!('parameters' in row) || !isPlainObject(row.parameters)) return row;
	const parameters = row.parameters as Columns;
	if (rowParameters.includes('conversationId')) return row;
	if (['filters', 'ticketId'].some((name) => rowParameters.includes(name)))
		return { parameters: { output: 'raw', ...parameters } };
	const isCreate = rowParameters.includes('toPhoneNumber');
	const places = isCreate ? callPlaces : batchPlaces;
	const { options } = parameters;
	const isMarked = isPlainObject(options) && Object.hasOwn(Object(options), 'mark');
	const question = isMarked
		? { whoMayBeCalled: 'notMarked', doNotCallColumn: MARK_COLUMN }
		: isCreate && { whoMayBeCalled: 'everyone' };
	const panel = { dryRun: false, ...question, ...parameters };
	if (!isPlainObject(options)) return { parameters: panel };
	const [moved, kept] = partition(Object.entries(Object(options)), ([name]) => places.has(name));
	const placed = { ...panel, options: Object.fromEntries(kept) };
	for (const [name, value] of moved) set(placed, places.get(name) ?? name, value);
	return { parameters: placed };
}

/** Settings as a node has them: descriptions of a row are expressions, unless they were left empty. */
function asSettings(parameters: unknown, operation: Operation): Columns {
	const settings = cloneDeep(Object(parameters)) as Columns;
	for (const path of listRowParameters(operation))
		if (get(settings, path, '') !== '') set(settings, path, '={{ $json.cell }}');
	return settings;
}

/** Runs an operation on rows that hold all parameters; the settings of the run are those of the first that could be read. */
export async function runRows(
	operation: Operation,
	entered: readonly Row[],
	context: OperationContext,
): Promise<Run<Columns>> {
	const rows = entered.map((row) => asInPanel(row, operation));
	const readable = rows.find((row) => 'parameters' in row);
	const settings = { parameters: asSettings(readable?.parameters, operation) };
	const {
		summary,
		notes = [],
		...run
	} = await operation.run({ settings, rows, count: rows.length }, context);
	const reported = [summary, ...notes].filter((text) => text !== undefined);
	return {
		...(run as Run<Columns>),
		...(reported.length > 0 && { summary: reported.join('. ').replaceAll('.. ', '. ') }),
	};
}

/** The outcome of a row, from its item or its failure. */
export const outcomeOf = ({ items, failureItem }: RowResult): unknown =>
	failureItem?.['outcome'] ?? Reflect.get(items[0] ?? {}, 'outcome');

/** The reason why a row was not sent, from its failure or its item. */
export const reasonOf = ({ items, failure }: RowResult): unknown =>
	failure
		? describeFailure(failure, (path) => path.join('.')).message
		: Reflect.get(items[0] ?? {}, 'reason');
