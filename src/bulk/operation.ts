import type { z } from 'zod/v4';
import type { Request } from '../core/http';
import type { OperationContext, Row } from '../core/operation';
import type { Accepted, Outcome } from './outcomes';
import type { Entry, Gate, RowsRead, Rule } from './plan';

/** The settings of a run that all bulk operations have. */
export interface SendSettings {
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly pauseMs: number;
	readonly timeoutMs: number;
	readonly duplicates: 'keepFirst' | 'keepLast' | 'stop';
	readonly invalidRows: 'stop' | 'sendValid';
	readonly dryRun: boolean;
	readonly asTool: boolean;
	/** Whether items contain the columns of their rows; by default they do, unless the node is a tool. */
	readonly includeOtherFields?: boolean | undefined;
	/** Whether items contain the service's response. */
	readonly includeResponse: boolean;
}

/** The rules of a run, and its gate. Without a gate, nothing must be written down before a request. */
export interface Safeguards<T> {
	readonly rules: ReadonlyArray<Rule<T>>;
	readonly openGate?: (entries: ReadonlyArray<Entry<T>>) => Gate<T>;
}

/** An operation that sends the contents of many rows in few requests. */
export interface BulkOperation<T, Settings extends SendSettings> {
	readonly settings: z.ZodType<Settings>;
	/** "person", "people", "call", "called", "called". */
	readonly words: {
		readonly one: string;
		readonly many: string;
		readonly send: string;
		readonly sent: string;
		/** The count of accepted rows: "431 accepted". */
		readonly accepted: string;
	};
	/** Names the column that excludes people, or states that none does, for the summary of a run. */
	readonly describeAudience: (settings: Settings) => string;
	/** Reads and checks all rows of a run. */
	readonly read: (
		rows: Iterable<Row>,
		settings: Settings,
		context: OperationContext,
	) => Promise<RowsRead<T>>;
	/** The key of the person or customer of a content. */
	readonly identityOf: (content: T) => string;
	/** Opens the safeguards of a run: its rules in their order, and the gate of a run that sends. */
	readonly openSafeguards: (settings: Settings, context: OperationContext) => Safeguards<T>;
	/** Sentences about the outcomes of all entries, for the hint. */
	readonly noteOutcomes?: (
		entries: ReadonlyArray<Entry<T>>,
		settings: Settings,
		context: OperationContext,
	) => readonly string[];
	readonly toRequest: (contents: readonly T[], settings: Settings) => Request;
	/** Reads the outcome of each content from a 2xx response with JSON or without a body. */
	readonly readOutcomes: (accepted: Accepted, contents: readonly T[]) => readonly Outcome[];
	/** Whether a rejected request may have stored some of its contents. */
	readonly mayStorePart?: (settings: Settings) => boolean;
	/** The names of all fields of items. */
	readonly fields: readonly string[];
	/** The fields of an item. */
	readonly toFields: (content: T, accepted?: Accepted) => Readonly<Record<string, unknown>>;
	/** The fields that a dry run shows. */
	readonly toPreview: (content: T, settings: Settings) => Readonly<Record<string, unknown>>;
}
