import omit from 'lodash/omit';
import set from 'lodash/set';
import { describeFailure } from '../../src/core/describeFailure';
import type { Operation, OperationContext, Row, RowResult, Run } from '../../src/core/operation';

/** Where the panel has the options that tests write in one place. */
const SAFEGUARDS: Readonly<Record<string, readonly string[]>> = {
	allowedCountries: ['allowedCountries'],
	approvedPlan: ['approvedPlan'],
	campaignKey: ['attempts', 'limit', 'campaignKey'],
	maximumAttempts: ['attempts', 'limit', 'maximum'],
	hoursBetweenCalls: ['hoursBetweenCalls'],
	callingHours: ['callingHours', 'when', 'hours'],
	daysNotToCall: ['callingHours', 'when', 'daysNotToCall'],
	timeZone: ['callingHours', 'when', 'timeZone'],
	markedValues: ['markedValues'],
	numbersNeverCalled: ['numbersNeverCalled'],
	maximumConversations: ['maximumConversations'],
	maximumPerDay: ['maximumPerDay'],
	personId: ['personId'],
	notCalled: ['notCalled'],
};

/** Options of the panel that stand in a group. */
const BATCHING = ['batchSize', 'batchInterval', 'parallelRequests', 'timeout'];

const isSafeguard = (name: string): boolean => Object.hasOwn(SAFEGUARDS, name);

/** A row with each option where the panel has it; what is sent is sent, unless a test says otherwise. */
function asInPanel(row: Row, isCreate: boolean): Row {
	if (!('parameters' in row)) return row;
	const { parameters } = row;
	const options: unknown =
		typeof parameters === 'object' && parameters !== null && Reflect.get(parameters, 'options');
	const isRecord = typeof options === 'object' && options !== null;
	const entries = isRecord ? Object.entries(options) : [];
	const isOutside = (name: string): boolean =>
		name === 'dryRun' || (isCreate && ['defaultCountry', 'doNotCallColumn'].includes(name));
	const isMarked = isRecord && Object.hasOwn(options, 'doNotCallColumn');
	const question = isCreate && { doNotCall: isMarked ? 'marked' : 'none' };
	const moved: Record<string, unknown> = { dryRun: false, ...question, ...(parameters as object) };
	for (const [name, value] of entries) {
		const path = isSafeguard(name) ? SAFEGUARDS[name] : undefined;
		if (path) set(moved, ['safeguards', ...path], value);
		else if (isOutside(name)) moved[name] = value;
	}
	const kept = entries.filter(([name]) => !isSafeguard(name) && !isOutside(name));
	if (isRecord) moved['options'] = inGroups(Object.fromEntries(kept));
	return { parameters: moved };
}

function inGroups(options: Readonly<Record<string, unknown>>): object {
	const entries = Object.entries(options);
	const batch = entries.filter(([name]) => BATCHING.includes(name));
	if (batch.length === 0) return options;
	const others = entries.filter(([name]) => !BATCHING.includes(name));
	return { ...Object.fromEntries(others), batching: { batch: Object.fromEntries(batch) } };
}

/** Tickets have all their columns, unless a test says otherwise: what is left out is tested by itself. */
const withAllColumns = (row: Row): Row =>
	typeof Reflect.get(row, 'parameters') === 'object' && 'parameters' in row
		? { parameters: { output: 'raw', ...(row.parameters as object) } }
		: row;

/** Runs an operation on rows that hold all parameters; the settings of the run are those of the first that could be read. */
export async function runRows(
	operation: Operation,
	entered: readonly Row[],
	context: OperationContext,
): Promise<Run<Readonly<Record<string, unknown>>>> {
	const isTickets = ['filters', 'ticketId'].some((name) => operation.rowParameters.includes(name));
	const isCreate = operation.rowParameters.includes('toPhoneNumber');
	const isBulk = isCreate || operation.rowParameters.includes('customer');
	const rows = entered.map((row) => {
		if (isTickets) return withAllColumns(row);
		return isBulk ? asInPanel(row, isCreate) : row;
	});
	const readable = rows.find((row) => 'parameters' in row);
	// As n8n's parameters are read: what describes a row is no setting.
	const settings = { parameters: omit(Object(readable?.parameters), operation.rowParameters) };
	const { summary, notes = [], ...run } = await operation.run({ settings, rows }, context);
	const told = [summary, ...notes];
	return {
		...(run as Run<Readonly<Record<string, unknown>>>),
		...(told.some((text) => text !== undefined) && {
			summary: told
				.filter((text) => text !== undefined)
				.join('. ')
				.replaceAll('.. ', '. '),
		}),
	};
}

/** What became of a row, as its item or its failure says. */
export const outcomeOf = ({ items, failureItem }: RowResult): unknown =>
	failureItem?.['outcome'] ?? Reflect.get(items[0] ?? {}, 'outcome');

/** Why a row was not sent, as its failure or its item says. */
export const reasonOf = ({ items, failure }: RowResult): unknown =>
	failure
		? describeFailure(failure, (path) => path.join('.')).message
		: Reflect.get(items[0] ?? {}, 'reason');

/** A row with the item that the node makes of a row that is left out. */
export const withShownItem = (row: RowResult): RowResult =>
	row.isShown === true
		? { ...row, items: [...row.items, { ...row.failureItem, reason: reasonOf(row) }] }
		: row;
