/** Default seconds to wait for a response. */
export const DEFAULT_TIMEOUT_SECONDS = 120;

/** Facts about a request that help users if it fails. */
export interface FailureHelp {
	/** Whether it only reads, so a lost response leaves nothing to check. */
	readonly readOnly?: boolean;
	/** The advice if the service does not accept the credential. */
	readonly credentialAdvice?: string;
	/** The parameter with the fields of the body, because the service names them by position. */
	readonly fieldsParameter?: readonly string[];
	/** The advice for a rejection that names fields, e.g. an identifier that already exists. */
	readonly namedAdvice?: string;
	/** The meaning of a 404, and the advice. Without this, a 404 means an unknown path. */
	readonly notFound?: { readonly message: string; readonly advice: string };
}

/** A call to the service before it is sent; `path` is below the base address and already encoded. */
export interface Request {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly body?: unknown;
	/** Whether it can safely be sent twice. False in case of doubt. */
	readonly idempotent: boolean;
	/** Ms after which a response counts as lost. The transport has a default. */
	readonly timeoutMs?: number;
	readonly help?: FailureHelp;
	/** The latest time to send it, in ms. */
	readonly deadlineMs?: number;
}

/** A response of any status. `headers` have lower-case names. */
export interface HttpResponse {
	readonly kind: 'response';
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	readonly sent?: undefined;
}

/** The reason for a missing response. `sent` is 'no' only if the request certainly never left. */
export interface NoResponse {
	readonly kind: 'noResponse';
	readonly sent: 'no' | 'unknown';
	readonly code: string;
	/** The reason for users, if the client stopped sending. */
	readonly reason?: string;
	readonly status?: undefined;
	readonly text?: undefined;
}

/** Builds the result of a request that the client did not send. */
const toUnsent = (code: string) => ({ kind: 'noResponse', sent: 'no', code }) as const;

/** Not sent, because the user stopped the workflow. */
export const CANCELED: NoResponse = toUnsent('CANCELED');
/** Not sent, because its deadline had passed. */
export const DEADLINE_EXCEEDED: NoResponse = toUnsent('DEADLINE_EXCEEDED');
/** Not sent, because the service asked for a pause longer than there was time for. */
export const PAUSE_TOO_LONG: NoResponse = toUnsent('PAUSE_TOO_LONG');
/** Not sent, because three requests in a row have failed. */
export const SERVICE_FAILED: NoResponse = {
	...toUnsent('SERVICE_FAILED'),
	reason:
		'Not sent, because three requests in a row failed. Run the node again when the service works',
};
/** Not sent, because the service did not accept the credential. */
export const ACCESS_DENIED: NoResponse = {
	...toUnsent('ACCESS_DENIED'),
	reason:
		'Not sent, because the service did not accept the credential. Correct it, then run the node again',
};

/** The result of one attempt. */
export type HttpResult = HttpResponse | NoResponse;

/** Sends one request once and never throws. */
export type Send = (request: Request) => Promise<HttpResult>;

/** Builds a path with every value encoded: encodePath`/conversations/${id}` turns "a/b" into "a%2Fb". */
export function encodePath(parts: TemplateStringsArray, ...values: readonly string[]): string {
	return String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
}
