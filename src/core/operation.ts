import { groupBy, map } from 'lodash';
import type { z } from 'zod/v4';
import type { Client } from './client';
import { mapYielding, type Pausing, type RunInTurn } from './concurrency';
import type { CredentialField } from './credential';
import type { Failure, Problem } from './failures';
import type { DedupeStore } from './dedupeStore';
import { problemsOf } from './problems';
import { formatRows, joinSentences } from './words';

/** One input row: its parameters, or the readable ones and the problems of the others. */
export type Row =
	| { readonly parameters: unknown; readonly problems?: undefined }
	| { readonly problems: readonly Problem[]; readonly readable?: unknown };

/** The result of one input row: its items, and its failure if it has one. */
export interface RowResult<Output = object> {
	readonly items: readonly Output[];
	readonly failure?: Failure;
	/** The fields of an item that shows the failure, which an error item has as details. */
	readonly failureItem?: Readonly<Record<string, unknown>> | undefined;
	/** Whether a normal item shows the failure, so the node does not fail because of it. */
	readonly isShown?: boolean;
	/** Whether its item is the input row, whose columns are no fields of the operation. */
	readonly isPassedOn?: boolean;
	/** A sentence for the user about the row, e.g. that conditions were skipped. */
	readonly note?: string;
}

/** The results of all rows, in their order. */
export interface Run<Output = object> {
	readonly rows: ReadonlyArray<RowResult<Output>>;
	/** One sentence about the whole run. */
	readonly summary?: string;
	readonly notes?: readonly string[];
	/** The columns with which the items of all rows begin and end. Without it, items are unchanged. */
	readonly columns?: {
		readonly leading: readonly string[];
		readonly trailing: readonly string[];
		/** The columns that never show a value of the input row. */
		readonly reserved?: readonly string[];
	};
	/** Whether the columns of the input row follow the leading columns. */
	readonly includesInput?: boolean;
	/** "66 people were called": the beginning of an error. */
	readonly happened?: string;
}

/** The host of an operation. `zone` is the workflow's IANA time zone. */
export interface OperationContext extends Pausing {
	readonly client: Client;
	readonly zone: string;
	/** The workspace and its address, because the same person may exist in several. */
	readonly account: string;
	/** The round of a loop, from 0. All tries of a tool are one round. */
	readonly round: number;
	/** Whether one failed row fails the whole run. */
	readonly failsAsWhole?: boolean;
	readonly ledger: Ledger;
	/** Runs sending calls of one execution in turn, because an agent calls a tool several times at once. */
	readonly inTurn: RunInTurn;
	readonly dedupeStore: DedupeStore;
}

/** Remembers sent entries for a re-run of the node. Values survive only as JSON. */
export type Ledger = Record<string, unknown>;

/** The settings of a run that the node adds. */
export interface AddedSettings {
	readonly asTool: boolean;
}

/** The parameters of a row by their names. The node adds the columns of its input row. */
export interface RowParameters {
	readonly inputRow?: Readonly<Record<string, unknown>>;
	readonly [name: string]: unknown;
}

/** The facts of a parameter, and of all parameters inside it. */
export interface ParameterFacts {
	/** Whether each row has its own value. Other parameters are settings, read once per run. */
	readonly perRow?: true;
	/** Whether a column that was dragged there may be blank in a row. */
	readonly mayBeBlank?: true;
	/** The columns that some row must have: all in its expression, a whole text, or a part of one. */
	readonly needsColumns?: 'all' | 'whole' | 'part';
	/** Whether the model of a tool may fill it in. Other parameters limit the model. */
	readonly byModel?: true;
	/** Whether it is the name of a column, and so never an expression. */
	readonly isColumnName?: true;
	/** The effect of empty data in an expression, e.g. in "=ORD-{{ $json.order }}": by default a fault. */
	readonly gap?: 'clearsText' | 'isAllowed' | 'isHeard';
}

/** The parameters of an operation by their paths without positions. Parameters inside others follow them. */
export type DeclaredParameters = Readonly<Record<string, ParameterFacts>>;

/** The input of an operation: settings, and rows that are read from n8n one by one. */
export interface RunInput {
	readonly settings: Row;
	readonly rows: Iterable<Row>;
	/** The number of rows. */
	readonly count: number;
}

/** An operation of the service: the schema of an output item, and the work on all rows. */
export interface Operation<Output = object> {
	readonly output: z.ZodType<Output>;
	/** Checks the settings of a run. */
	readonly settings: z.ZodType;
	readonly parameters: DeclaredParameters;
	/** The fields of the credential that only some operations require. */
	readonly needs?: readonly CredentialField[];
	/** The fields of each row of a run whose credential or settings are invalid. */
	readonly unsent?: RowResult['failureItem'];
	run(input: RunInput, context: OperationContext): Promise<Run<Output>>;
}

/** Work on all rows together, with the schemas of the settings and of one row. */
interface RowsWork<Settings, Input, Output> {
	readonly settings: z.ZodType<Settings>;
	readonly row: z.ZodType<Input>;
	readonly work: (
		inputs: ReadonlyArray<PlacedInput<Input>>,
		settings: Settings,
		context: OperationContext,
	) => Promise<Worked<Output>>;
}

/** A checked row, and its position among `total` rows. */
export interface PlacedInput<Input> {
	readonly input: Input;
	readonly position: number;
	readonly total: number;
}

/** The results of the checked rows, in their order, and one sentence for several rows. */
export interface Worked<Output = object> {
	readonly results: ReadonlyArray<RowResult<Output>>;
	readonly note?: string;
}

/** Makes a `run` function from work on all valid rows together. An invalid row becomes a failure at its position. */
export function workOnAllRows<Settings, Input, Output>({
	settings: settingsSchema,
	row: rowSchema,
	work,
}: RowsWork<Settings, Input, Output>): Operation<Output>['run'] {
	return async ({ settings, rows, count }, context) => {
		const read = parseRow(settingsSchema, settings);
		if ('problems' in read) return failAllRows(count, { kind: 'input', problems: read.problems });
		// All rows are read before the first request, because the last row may have a failing expression.
		const parsed = await mapYielding(rows, (row) => parseRow(rowSchema, row), context);
		if (context.signal.aborted) return cancelRun(count);
		const inputs = parsed.flatMap((row, position) =>
			'problems' in row ? [] : [{ input: row.input, position, total: parsed.length }],
		);
		const { results, note } = await work(inputs, read.input, context);
		// `work` returns one result per valid row, in their order, so the default is only for the type.
		const remaining = results.values();
		const all = parsed.map((row): RowResult<Output> =>
			'problems' in row ? invalidRow(row.problems) : (remaining.next().value ?? { items: [] }),
		);
		const summary = joinSentences(...summarizeNotes(all), note);
		return { rows: all, ...(summary !== '' && { summary }) };
	};
}

/** Joins equal notes of rows: "Rows 1 and 3: conditions were skipped". One row needs no number. */
function summarizeNotes(rows: ReadonlyArray<RowResult<unknown>>): string[] {
	const noted = rows.flatMap(({ note }, position) => (note ? [{ note, position }] : []));
	const notes = map(groupBy(noted, 'note'), (same, note) => {
		const rowNames = formatRows(map(same, 'position'), { total: rows.length, max: 5 });
		return rows.length === 1 ? note : `${rowNames}: ${note}`;
	});
	if (notes.length <= MAX_NOTES) return notes;
	return [...notes.slice(0, MAX_NOTES), `And ${notes.length - MAX_NOTES} more`];
}

/** The result of a row that cannot be worked on. */
export const invalidRow = (problems: readonly Problem[]): RowResult<never> => ({
	items: [],
	failure: { kind: 'input', problems },
});

/** Builds a run in which all rows fail alike. They share one result object, because there may be 100,000 rows. */
export function failAllRows(
	count: number,
	failure: Failure,
	failureItem?: RowResult['failureItem'],
): Run<never> {
	const result = { items: [], failure, failureItem };
	return { rows: Array.from({ length: count }, () => result) };
}

/** The result of a run that the user stopped before anything was sent. */
export function cancelRun(count: number): Run<never> {
	const message = 'Not sent, because the workflow was stopped';
	return failAllRows(count, { kind: 'held', message }, { outcome: 'notSent', code: 'canceled' });
}

/** Max different notes in the summary of a run. */
const MAX_NOTES = 6;

/** Checks a row, or the settings of a run, against a schema. Problems that it already has are returned. */
export function parseRow<Input>(
	schema: z.ZodType<Input>,
	row: Row,
): { readonly input: Input } | { readonly problems: readonly Problem[] } {
	if (row.problems !== undefined) return { problems: row.problems };
	const parsed = schema.safeParse(row.parameters);
	return parsed.success ? { input: parsed.data } : { problems: problemsOf(parsed.error) };
}
