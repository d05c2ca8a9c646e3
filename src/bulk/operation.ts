import type { z } from 'zod/v4';
import type { Request } from '../core/http';
import type { OperationContext, Row } from '../core/operation';
import type { Accepted, Outcome } from './outcomes';
import type { Awaitable, Guard, Plan, RowsRead } from './plan';

/** The settings of a run that all bulk operations have. */
export interface SendSettings {
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly pauseMs: number;
	readonly timeoutMs: number;
	readonly duplicates: 'keepFirst' | 'keepLast' | 'sendAll' | 'stop';
	readonly invalidRows: 'stop' | 'sendValid';
	readonly dryRun: boolean;
	/** One item per row, or one for the run. */
	readonly outputAs: 'rows' | 'run';
	/** Whether items contain the service's response. */
	readonly includeResponse: boolean;
}

/** An operation that sends the contents of many rows in few requests. */
export interface BulkOperation<T, Settings extends SendSettings> {
	readonly settings: z.ZodType<Settings>;
	/** "person", "people", "call", "called". */
	readonly words: {
		readonly one: string;
		readonly many: string;
		readonly send: string;
		readonly sent: string;
	};
	/** Reads and checks all rows of a run. */
	readonly read: (
		rows: Iterable<Row>,
		settings: Settings,
		context: OperationContext,
	) => Promise<RowsRead<T>>;
	/** The key of the person or customer of a content. */
	readonly identityOf: (content: T) => string;
	/** The safeguards in their order. Before a request, the last one decides first. */
	readonly guards: (
		settings: Settings,
		context: OperationContext,
	) => Awaitable<ReadonlyArray<Guard<T>>>;
	readonly toRequest: (contents: readonly T[], settings: Settings) => Request;
	/** Reads the outcome of each content from a 2xx response. Without it, all are accepted. */
	readonly judge?: (accepted: Accepted, contents: readonly T[]) => readonly Outcome[];
	/** Whether a rejected request may have stored some of its contents. */
	readonly mayStorePart?: (settings: Settings) => boolean;
	/** The fields of an item. */
	readonly toFields: (content: T, accepted?: Accepted) => Readonly<Record<string, unknown>>;
	/** The fields that a dry run shows. */
	readonly toPreview: (content: T) => Readonly<Record<string, unknown>>;
	/** The fields of the item for a run, without its counts. */
	readonly toRunFields: (plan: Plan<T>) => Readonly<Record<string, unknown>>;
}
