import type { Operation, OperationContext, Row, Run } from '../../src/core/operation';

/** Options that stand elsewhere in the panel, so tests can write all of them in one place. */
const SAFEGUARDS = [
	...['allowedCountries', 'campaignKey', 'doNotCall', 'doNotCallNumbers', 'personId'],
	...['skipContacted', 'callingHours', 'daysNotToCall', 'timeZone', 'timeZoneColumn'],
	...['maximumAttempts', 'maximumPerDay', 'onePerDay', 'approvedPlan'],
	...['unknownCalled', 'unknownNotCalled'],
];

/** A row with each option where the panel has it. */
function asInPanel(row: Row): Row {
	if (!('parameters' in row)) return row;
	const { parameters } = row;
	const options: unknown =
		typeof parameters === 'object' && parameters !== null && Reflect.get(parameters, 'options');
	if (typeof options !== 'object' || options === null) return row;
	const entries = Object.entries(options);
	const ofPanel = (name: string): boolean => name === 'dryRun' || SAFEGUARDS.includes(name);
	if (!entries.some(([name]) => ofPanel(name))) return row;
	return {
		parameters: {
			...(parameters as object),
			...Object.fromEntries(entries.filter(([name]) => name === 'dryRun')),
			options: Object.fromEntries(entries.filter(([name]) => !ofPanel(name))),
			safeguards: {
				...(Reflect.get(parameters as object, 'safeguards') as object | undefined),
				...Object.fromEntries(entries.filter(([name]) => SAFEGUARDS.includes(name))),
			},
		},
	};
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
	const rows = isTickets ? entered.map(withAllColumns) : entered.map(asInPanel);
	const settings = rows.find((row) => 'parameters' in row) ?? { parameters: {} };
	return (await operation.run({ settings, rows }, context)) as Run<
		Readonly<Record<string, unknown>>
	>;
}
