import type { z } from 'zod/v4';
import type { Client } from './client';
import type { Failure, Problem } from './failures';
import type { Memory } from './memory';
import { pool } from './pool';

/** One input row: its parameters, or why they could not be read. */
export type Row =
	| { readonly parameters: unknown; readonly problems?: undefined }
	| { readonly problems: readonly Problem[] };

/** What became of one input row: what it yields, and what went wrong with it, if anything did. */
export interface RowResult<Output = object> {
	readonly items: readonly Output[];
	readonly failure?: Failure;
	/** How it went, in words for the user. */
	readonly note?: string;
	/** What the user has to know though it went well, e.g. that conditions were skipped. */
	readonly warning?: string;
	/** Facts for the details of an error item: outcome, batch, position. */
	readonly details?: Readonly<Record<string, unknown>>;
}

/** An item that belongs to several input rows, by their positions. */
export interface SharedItem<Output = object> {
	readonly item: Output;
	readonly rows: readonly number[];
}

/** What became of all rows, in their order; a row may have its part in shared items besides its own. */
export interface Run<Output = object> {
	readonly rows: ReadonlyArray<RowResult<Output>>;
	readonly shared?: ReadonlyArray<SharedItem<Output>>;
	/** One sentence on the whole run, for the hint and for the error. */
	readonly summary?: string;
}

/** What an operation needs from its host; `zone` is the workflow's IANA time zone. */
export interface Desk {
	readonly client: Client;
	readonly zone: string;
	readonly now: () => number;
	/** Waits some ms, or until the user stops the workflow. */
	readonly sleep: (ms: number) => Promise<void>;
	/** Whether the user stopped the workflow; `sleep` returns at once then. */
	readonly stopped: () => boolean;
	readonly ledger: Ledger;
	readonly memory: Memory;
}

/** Remembers what was sent across a re-run of the node; values survive only as JSON. */
export interface Ledger {
	recall(key: string): unknown;
	record(key: string, value: unknown): void;
}

/** Something the service can do: the schema of one output item, and the work on all input rows. */
export interface Operation<Output = object> {
	readonly output: z.ZodType<Output>;
	/** Rows are read from n8n as they are asked for; what reads some before it sends any asks for all of them first. */
	run(rows: Iterable<Row>, desk: Desk): Promise<Run<Output>>;
}

/** Makes an operation of work on single rows, which is started once a run: at most `parallel` rows are under way at once. */
export function eachRow<Input, Output>(
	input: z.ZodType<Input>,
	parallel: number,
	start: () => (input: Input, desk: Desk) => Promise<RowResult<Output>>,
): (rows: Iterable<Row>, desk: Desk) => Promise<Run<Output>> {
	return async (rows, desk) => {
		const work = start();
		// An expression that fails in the last row fails before the first request.
		const results = await pool([...rows], parallel, async (row): Promise<RowResult<Output>> => {
			const parsed = parseRow(input, row);
			return 'problems' in parsed
				? { items: [], failure: { kind: 'input', problems: parsed.problems } }
				: await work(parsed.input, desk);
		});
		const summary = [
			...summarize(results.flatMap(({ warning }) => warning ?? [])),
			...summarize(results.flatMap(({ note }) => note ?? [])),
		].join('; ');
		return { rows: results, ...(summary !== '' && { summary }) };
	};
}

const MOST_NOTES = 3;

/** What rows say about themselves, each text once. */
function summarize(texts: readonly string[]): string[] {
	const distinct = [...new Set(texts)];
	const more = distinct.length - MOST_NOTES;
	return [...distinct.slice(0, MOST_NOTES), ...(more > 0 ? [`and ${more} more`] : [])];
}

/** Checks the parameters of one row. */
export function parseRow<Input>(
	schema: z.ZodType<Input>,
	row: Row,
): { readonly input: Input } | { readonly problems: readonly Problem[] } {
	if (row.problems !== undefined) return { problems: row.problems };
	const parsed = schema.safeParse(row.parameters);
	return parsed.success ? { input: parsed.data } : { problems: problemsOf(parsed.error) };
}

/** What zod found, as problems; `under` is the path of the checked value. */
export function problemsOf(error: z.ZodError, under: Problem['path'] = []): Problem[] {
	return error.issues.map(({ path, message }) => ({
		path: [...under, ...path.map((key) => (typeof key === 'number' ? key : String(key)))],
		message,
	}));
}
