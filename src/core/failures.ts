import type { FailureHelp } from './http';

/** A fault of one value: "is empty", and how to fix it. The reason continues a sentence. */
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

/** The input of the user is not valid. */
export interface InputError {
	readonly kind: 'input';
	readonly problems: readonly Problem[];
}

/** The service rejected a request. `issues` are its own messages about fields (interface: Errors). */
export interface ApiError {
	readonly kind: 'api';
	readonly call: string;
	readonly status: number;
	readonly code?: string;
	readonly message: string;
	readonly issues: readonly unknown[];
	/** Whether its body is not JSON. It may come from a proxy or a web server. */
	readonly isForeign?: boolean;
	/** Seconds to wait before the next request, if the service named them. */
	readonly retryAfter?: number;
	/** The host that a 3xx response redirects to. */
	readonly location?: string;
	readonly help?: FailureHelp;
}

/** There was no response. `sent` is 'no' only if the request certainly never arrived. */
export interface ConnectionError {
	readonly kind: 'connection';
	readonly call: string;
	readonly sent: 'no' | 'unknown';
	readonly code: string;
	readonly help?: FailureHelp;
}

/** The response differs from the interface. */
export interface ContractError {
	readonly kind: 'contract';
	readonly call: string;
	readonly status: number;
	readonly message: string;
	/** The advice. Without it, users are advised to check the address. */
	readonly advice?: string;
}

/** A valid row that was not sent: 'leftOut' by a setting of the user, which is no error, else 'held'. */
export interface HeldError {
	readonly kind: 'held' | 'leftOut';
	readonly message: string;
}

/** The requested object does not exist. `advice` is the way out. */
export interface NotFoundError {
	readonly kind: 'notFound';
	readonly message: string;
	readonly advice: string;
}

/** Why a row has no result. */
export type Failure =
	NotFoundError | HeldError | InputError | ApiError | ConnectionError | ContractError;

/** A failure in words: the event, and the advice. */
export interface Description {
	readonly message: string;
	readonly advice?: string;
}
