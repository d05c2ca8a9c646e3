import type { FailureHelp } from './http';

/** One thing wrong with one value: a reason that reads on after its name, and how to fix it. */
export interface Fault {
	readonly reason: string;
	/** The value, where rows have different ones. */
	readonly value?: string | undefined;
	readonly fix?: string | undefined;
}

/** A fault of the value at a path. */
export interface Problem extends Fault {
	readonly path: ReadonlyArray<string | number>;
}

/** What the user entered cannot be sent. */
export interface InputError {
	readonly kind: 'input';
	readonly problems: readonly Problem[];
}

/** The service answered and said no; `issues` are its own words about single fields (interface: Errors). */
export interface ApiError {
	readonly kind: 'api';
	readonly call: string;
	readonly status: number;
	readonly code?: string;
	readonly message: string;
	readonly issues: readonly unknown[];
	/** Seconds after which the service wants to be asked again, where it said so. */
	readonly retryAfter?: number;
	/** The host a 3xx reply points to. */
	readonly location?: string;
	readonly help?: FailureHelp;
}

/** No one answered; `sent` is 'no' only where it is certain that the request never arrived. */
export interface ConnectionError {
	readonly kind: 'connection';
	readonly call: string;
	readonly sent: 'no' | 'unknown';
	readonly code: string;
	readonly help?: FailureHelp;
}

/** The service answered with something that the interface does not describe. */
export interface ContractError {
	readonly kind: 'contract';
	readonly call: string;
	readonly status: number;
	readonly message: string;
	/** What to do; without it the address is in doubt. */
	readonly advice?: string;
}

/** The row is fine, but was held back; `message` says because of what. */
export interface HeldError {
	readonly kind: 'held';
	readonly message: string;
}

/** What was asked for is not there; `message` names it, `advice` says what to check. */
export interface NotFoundError {
	readonly kind: 'notFound';
	readonly message: string;
	readonly advice: string;
}

/** What was waited for did not happen in time; `message` says what, `advice` names the way out. */
export interface NotFinishedError {
	readonly kind: 'notFinished';
	readonly message: string;
	readonly advice: string;
}

/** The user wants the row left out, so nothing went wrong. */
export interface LeftOutRow {
	readonly kind: 'leftOut';
	readonly message: string;
}

/** Why a row has no result. */
export type Failure =
	| NotFinishedError
	| NotFoundError
	| HeldError
	| LeftOutRow
	| InputError
	| ApiError
	| ConnectionError
	| ContractError;
