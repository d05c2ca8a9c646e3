/** Seconds to wait for a response where the user does not choose. */
export const DEFAULT_TIMEOUT_SECONDS = 120;

/** What the reader of a failure has to know about the request that failed; who makes the request says it. */
export interface FailureHelp {
	/** Whether it only reads, and a lost response leaves nothing to check. */
	readonly readOnly?: boolean;
	/** What to check when the service does not accept the credential. */
	readonly credentialAdvice?: string;
	/** The parameter that holds the fields of a value in the body: the service names them by place, people by label. */
	readonly fieldsIn?: readonly string[];
	/** What to do about a value that is there already. */
	readonly namedAdvice?: string;
	/** What to check when the service rejects the request without naming a field. */
	readonly rejectedAdvice?: string;
	/** What a 404 means, and what to check then; without this the service does not know the path. */
	readonly notFound?: { readonly message: string; readonly advice: string };
}

/** A call to the service before it is sent; `path` is below the base address and already encoded. */
export interface Request {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly body?: unknown;
	/** Whether sending it again can do no harm, even if it arrived the first time; in doubt it can. */
	readonly idempotent: boolean;
	/** Ms after which a reply counts as lost; the transport has a default. */
	readonly timeoutMs?: number;
	readonly help?: FailureHelp;
	/** When it is too late to send it, in ms of the clock. */
	readonly deadlineMs?: number;
}

/** What the service answered: a reply is data, whatever its status; `headers` have lower-case names. */
export interface HttpResponse {
	readonly kind: 'response';
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	readonly sent?: undefined;
}

/** Why no reply came: `sent` is 'no' only where it is certain that nothing left this machine. */
export interface NoResponse {
	readonly kind: 'noResponse';
	readonly sent: 'no' | 'unknown';
	readonly code: string;
	readonly status?: undefined;
}

/** The result of a request that the client never sent; the code says why. */
const heldBack = (code: string): NoResponse => ({ kind: 'noResponse', sent: 'no', code });

/** Not sent, because the user stopped the workflow. */
export const CANCELED = heldBack('CANCELED');
/** Not sent, because its deadline would have passed before its turn. */
export const DEADLINE_EXCEEDED = heldBack('DEADLINE_EXCEEDED');
/** Not sent, because three requests in a row have failed. */
export const SERVICE_FAILED = heldBack('SERVICE_FAILED');
/** Not sent, because the service did not accept the credential. */
export const ACCESS_DENIED = heldBack('ACCESS_DENIED');

const HELD_BACK: readonly HttpResult[] = [
	CANCELED,
	DEADLINE_EXCEEDED,
	SERVICE_FAILED,
	ACCESS_DENIED,
];

/** Whether the client kept the request from being sent. */
export const isHeldBack = (result: HttpResult): boolean => HELD_BACK.includes(result);

/** What one sending of a request ends in. */
export type HttpResult = HttpResponse | NoResponse;

/** The wire: sends one request once and never throws. */
export type Send = (request: Request) => Promise<HttpResult>;

/** Builds a path with every value encoded, so an ID cannot leave its place: path`/conversations/${id}`. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
	return parts.reduce((built, part, i) => built + encodeSegment(values[i - 1] ?? '') + part);
}

function encodeSegment(value: string): string {
	// A lone half of a pair cannot be encoded, and dots stay dots even as %2E.
	const encoded = encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
	return /^\.+$/.test(encoded) ? encoded.replace(/\./g, '%252E') : encoded;
}
