import type { z } from 'zod/v4';
import { choice, pause, timeout, trueOrFalse, wholeNumber } from '../core/schemas';
import type { Problem } from '../core/failures';
import type { Row } from '../core/operation';
import type { Request } from '../core/http';
import { DEFAULT_TIMEOUT_SECONDS } from '../core/http';
import type { AttemptLimit } from './attempts';
import type { SettledByHand } from './settleByHand';
import type { AcceptedOutcome, AcceptedValue, NotAccepted, Outcome } from './outcomes';

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

/** The schemas of these settings, with the defaults that differ between operations. */
export const sendSettings = (defaults: {
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly invalidRows: SendSettings['invalidRows'];
}) => ({
	batchSize: wholeNumber(1).default(defaults.batchSize),
	parallelRequests: wholeNumber(1, 20).default(defaults.parallelRequests),
	pause: pause.prefault(0),
	timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS),
	duplicates: choice(['keepFirst', 'keepLast', 'sendAll', 'stop']).default('keepFirst'),
	invalidRows: choice(['stop', 'sendValid']).default(defaults.invalidRows),
	outputAs: choice(['rows', 'requests']).default('rows'),
	includeResponse: trueOrFalse.default(false),
});

/** What one input row wants to send, or its problems; `excluded` says why its values must not be sent. */
export interface RowPlan<T> {
	readonly values: readonly T[];
	readonly excluded?: string | undefined;
	/** What such rows are, as a count of them names it. */
	readonly countedAs?: string | undefined;
	readonly problems?: readonly Problem[] | undefined;
	/** The fields of an invalid row as they were entered, for a dry run. */
	readonly entered?: Readonly<Record<string, unknown>> | undefined;
}

/** A value and the row that it is of, counted from 1. */
export interface PlacedValue<T> {
	readonly value: T;
	readonly row: number;
}

/** How values become items: one that was accepted, or all that one request carried. */
export interface OutputMapper<T, Item, RequestItem> {
	/** Who a value is for, as an item names it. */
	readonly toIdentity: (value: T) => Readonly<Record<string, unknown>>;
	readonly toItem: (value: T, accepted: AcceptedOutcome) => Item;
	readonly toRequestItem: (accepted: ReadonlyArray<AcceptedValue<T>>, batch: number) => RequestItem;
	/** The same for values that were not sent because they are unchanged. */
	readonly toUnchangedItem?: (value: T) => Item;
	readonly toUnchangedItems?: (values: ReadonlyArray<PlacedValue<T>>) => RequestItem;
	/** The fields of a value that a dry run shows, who it is for first. */
	readonly toPreview: (value: T) => Readonly<Record<string, unknown>>;
	/** What the item for a whole run says of its values besides how many they are. */
	readonly toRunFacts?: (values: readonly T[]) => object;
}

/** What a dry run calls the values, and what is done with them. */
export interface BulkWords {
	/** "1 person", "62 people". */
	readonly count: (values: number) => string;
	readonly send: string;
	readonly sent: string;
}

/** Reads the rows of a run, and says what only all of them can tell. */
export interface RunPlanner<T> {
	readonly planRow: (row: Row) => RowPlan<T>;
	readonly finish?: () => RunFindings;
}

/** What all rows of a run tell: problems of every row, a reason to send nothing, and notes for the hint. */
export interface RunFindings {
	readonly problems: readonly Problem[];
	readonly reasonNotToSend?: string;
	readonly notes: readonly string[];
}

/** When values may be sent. */
export interface SendWindow<T> {
	/** Why a value is not sent at a moment, in ms; undefined where it may be. */
	readonly reason: (value: T, nowMs: number) => NotAccepted | undefined;
	/** Until when values that may be sent now still may be, in ms. */
	readonly closesMs: (values: readonly T[], nowMs: number) => number;
	/** What the hint says of those that were not sent. */
	readonly note: (
		outcomes: ReadonlyArray<Outcome | undefined>,
		nowMs: number,
	) => string | undefined;
}

/** An operation that sends the values of many rows in few requests. */
export interface BulkOperation<T, Settings extends SendSettings, Item, RequestItem> {
	readonly settings: z.ZodType<Settings>;
	readonly words: BulkWords;
	/** The name of the operation in the ledger. */
	readonly ledgerScope: (settings: Settings) => string;
	/** Whether a value goes again when its content changed, as an update does. */
	readonly resendsChanged?: (settings: Settings) => boolean;
	/** Starts to read and check the rows of a run. */
	readonly plan: (settings: Settings) => RunPlanner<T>;
	/** Who a value is for, the parameter that holds it, and its name in a sentence. */
	readonly identity: {
		readonly of: (value: T) => string;
		/** How people name it where they list some. */
		readonly show?: (value: T) => string;
		/** What two values of it have in common, in a sentence. */
		readonly describe: (value: T) => string;
		readonly parameter: string;
	};
	/** A value as it stands in the body of its request. */
	readonly toBody: (value: T, settings: Settings) => object;
	readonly toRequest: (bodies: readonly object[], settings: Settings) => Request;
	/** Whether a rejected request may be resent in parts, to find the values that caused it. */
	readonly resendsParts: (settings: Settings) => boolean;
	/** Splits the response to a request into one for each of its values, where they can be told apart. */
	readonly splitResponse?: (reply: unknown, values: readonly T[]) => readonly unknown[] | undefined;
	/** Whether a rejected request may have stored some of its values all the same. */
	readonly storesInPart?: (settings: Settings) => boolean;
	/** What the journal knows the person of a value by; where there is none, runs are not written down. */
	readonly journalKey?: (value: T, settings: Settings) => string;
	/** The option for which the journal is kept for good, so later runs know the same people; undefined where it is not. */
	readonly keepsJournal?: (settings: Settings) => string | undefined;
	/** How often someone may be contacted, where that is more than once. */
	readonly attempts?: (settings: Settings) => AttemptLimit | undefined;
	/** Whom the user settles by hand; such a run sends nothing. */
	readonly settledByHand?: (settings: Settings) => SettledByHand | undefined;
	/** How many values all executions together may send per day, and whether the user chose that. */
	readonly dailyMax?: (
		settings: Settings,
	) => { readonly max: number; readonly isChosen: boolean } | undefined;
	/** Why a run sends nothing when this many values, some of them earlier in the execution, are too many. */
	readonly tooMany?: (
		count: { readonly pending: number; readonly earlier: number },
		settings: Settings,
	) => string | undefined;
	/** The plan that was approved, and what of a value belongs to a plan besides its body. */
	readonly approval?: {
		readonly approvedPlan: (settings: Settings) => string | undefined;
		readonly toPlan: (value: T) => unknown;
	};
	/** When values may be sent, where that is not always; judged for all of them, and again right before each request. */
	readonly sendWindow?: (settings: Settings, zone: string) => SendWindow<T> | undefined;
	/** Whether values that the service took with the same content in an earlier run are skipped, or all sent and noted. */
	readonly unchanged?: (settings: Settings) => 'skip' | 'sendAll' | 'ignore';
	readonly output: OutputMapper<T, Item, RequestItem>;
}
