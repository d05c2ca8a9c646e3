import type { z } from 'zod/v4';
import type { Steps } from '../core/concurrency';
import type { Request } from '../core/http';
import type { OperationContext, Row } from '../core/operation';
import type { AcceptedOutcome, Verdict } from './outcomes';
import type { Guard, Plan, RowsRead, Value } from './plan';

/** The settings of a run that all bulk operations have. */
export interface SendSettings {
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly pauseMs: number;
	readonly timeoutMs: number;
	readonly duplicates: 'keepFirst' | 'keepLast' | 'sendAll' | 'stop';
	readonly invalidRows: 'stop' | 'sendValid';
	readonly dryRun: boolean;
	/** Whether accepted values are returned one by one, those of a request together, or all of the run as counts. */
	readonly outputAs: 'rows' | 'requests' | 'run';
	/** Whether items contain what the service responded. */
	readonly includeResponse: boolean;
}

/** How many requests a run took, and when each of its batches was sent, in ms. */
export interface SentFacts {
	readonly requests: number;
	readonly times: ReadonlyMap<number, number>;
	/** The time zone of the workflow. */
	readonly zone: string;
}

/** How values become items: one that was accepted, or all that one request carried. */
export interface OutputMapper<T> {
	/** Who a value is for, as an item names it. */
	readonly toIdentity: (content: T) => Readonly<Record<string, unknown>>;
	readonly toItem: (content: T, accepted: AcceptedOutcome) => object;
	readonly toRequestItem: (accepted: ReadonlyArray<Value<T>>, batch: number) => object;
	/** The same for values that were not sent because they are unchanged. */
	readonly toUnchangedItem?: (content: T) => object;
	/** The fields of a value that a dry run shows, who it is for first. */
	readonly toPreview: (content: T) => Readonly<Record<string, unknown>>;
	/** The item for a whole run; without facts about its requests it is a dry run. */
	readonly toRunItem?: (plan: Plan<T>, sent?: SentFacts) => object;
}

/** An operation that sends the values of many rows in few requests. */
export interface BulkOperation<T, Settings extends SendSettings> {
	readonly settings: z.ZodType<Settings>;
	/** What a dry run calls the values, as in "62 people", and what is done with them. */
	readonly words: {
		readonly count: (values: number) => string;
		readonly send: string;
		readonly sent: string;
		/** What there is to say where nothing was sent. */
		readonly none?: string;
	};
	/** Reads and checks all rows of a run, one in a step. */
	readonly read: (
		rows: Iterable<Row>,
		settings: Settings,
		context: OperationContext,
	) => Steps<RowsRead<T>>;
	/** Notes that the rows of a round were not read, as its settings are invalid. */
	readonly unread?: (settings: Row, context: OperationContext) => void;
	/** Who a value is for, and nothing else. */
	readonly identityOf: (content: T) => string;
	/** What keeps values from being sent, in their order; what is last is asked first before a request. */
	readonly guards: (settings: Settings, context: OperationContext) => ReadonlyArray<Guard<T>>;
	/** A value as it stands in the body of its request. */
	readonly toBody: (content: T, settings: Settings) => object;
	readonly toRequest: (bodies: readonly object[], settings: Settings) => Request;
	/** What a response to a request says of each of its values. */
	readonly judge: (reply: unknown, contents: readonly T[]) => readonly Verdict[];
	/** What may be resent of a rejected request: its parts, or nothing; a partial insert may have stored what was not named. */
	readonly afterRejection: (settings: Settings) => 'nothing' | 'parts' | 'maybeStored';
	/** Whether one request follows the other, as a newer value must not overtake an older one of the same identity. */
	readonly inOrder?: (settings: Settings) => boolean;
	readonly output: OutputMapper<T>;
	/** What there is to know about the values that were sent, or would be: alarms must be read first. */
	readonly warn?: (
		contents: readonly T[],
		isDryRun: boolean,
	) => { readonly alarms: readonly string[]; readonly notes: readonly string[] };
}
