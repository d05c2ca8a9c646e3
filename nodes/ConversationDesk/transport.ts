import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { Runtime } from '../../src/core/client';
import type { CredentialField } from '../../src/core/credential';
import { accountOf, readCredential, withoutScheme } from '../../src/core/credential';
import type { InputError } from '../../src/core/failures';
import type { Redact } from '../../src/core/redact';
import { createRedactor } from '../../src/core/redact';
import type { HttpResult, NoResponse, Request } from '../../src/core/http';
import { CANCELED, DEFAULT_TIMEOUT_SECONDS } from '../../src/core/http';
import type { Result } from '../../src/core/result';
import { attempt, fail, ok } from '../../src/core/result';
import { isTool } from './errors';

/** The name of the credential type. */
export const CREDENTIAL = 'conversationDeskApi';

/** Ms after which a request counts as lost. */
const TIMEOUT_MS = DEFAULT_TIMEOUT_SECONDS * 1000;

/** The options of a request for n8n's helper: no redirect is followed, and every status is a reply. */
export function requestOptions(baseUrl: string, request: Request): IHttpRequestOptions {
	return {
		method: request.method,
		url: baseUrl + request.path,
		headers: {
			Accept: 'application/json',
			...(request.body !== undefined && { 'Content-Type': 'application/json' }),
		},
		...(request.body !== undefined && { body: request.body as IHttpRequestOptions['body'] }),
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: request.timeoutMs ?? TIMEOUT_MS,
	};
}

/** What a node needs of its context to reach the service; a trigger has no stop signal. */
export type Connectable = Pick<IExecuteFunctions, 'getCredentials'> & {
	readonly helpers: Pick<IExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
	readonly getExecutionCancelSignal?: IExecuteFunctions['getExecutionCancelSignal'];
};

/** What an execution reaches the service with, and whose workspace that is, at which address. */
export interface Connected extends Runtime {
	readonly account: readonly string[];
	/** Whether the credential has a slug, which the service does not need for everything. */
	readonly hasSlug: boolean;
}

/** The wire, the clock and the stop signal of an execution; the credential is read and checked once. */
export async function connect(
	context: Connectable,
	needs: readonly CredentialField[] = [],
): Promise<Result<Connected, InputError>> {
	const data = await context.getCredentials(CREDENTIAL);
	const access = readCredential(data, needs);
	if (!access.ok) {
		const problems = access.failure.map((problem) => ({
			...problem,
			path: ['credential', ...problem.path],
		}));
		return fail({ kind: 'input', problems });
	}
	// Passed on so that n8n does not decrypt the credential for every request.
	const credentialsDecrypted: ICredentialsDecrypted = {
		id: CREDENTIAL,
		name: CREDENTIAL,
		type: CREDENTIAL,
		data,
	};
	const signal = context.getExecutionCancelSignal?.() ?? new AbortController().signal;
	// What is sent: the key, and the token without the word before it.
	const redact = createRedactor([data['apiKey'], data['accessToken']].map(withoutScheme));
	const send = async (request: Request): Promise<HttpResult> => {
		if (signal.aborted) return CANCELED;
		const options = requestOptions(access.value.baseUrl, request);
		// The timeout of n8n's helper restarts with each byte, so a slow trickle of bytes could take forever.
		const timedOut = AbortSignal.timeout(request.timeoutMs ?? TIMEOUT_MS);
		const abortSignal = AbortSignal.any([signal, timedOut]);
		try {
			const reply: unknown = await context.helpers.httpRequestWithAuthentication.call(
				// It takes the signal of its context, whatever the options say.
				Object.create(context, {
					getExecutionCancelSignal: { value: () => abortSignal },
				}) as IExecuteFunctions,
				CREDENTIAL,
				{ ...options, abortSignal },
				{ credentialsDecrypted },
			);
			return toAnswer(reply as IN8nHttpFullResponse, redact);
		} catch (error) {
			if (signal.aborted) return ABORTED;
			return timedOut.aborted ? TIMED_OUT : toNoReply(error);
		}
	};
	return ok({
		send,
		sleep: (ms) => interruptibleSleep(ms, signal),
		random: Math.random,
		now: Date.now,
		signal,
		hasSlug: access.value.headers['x-workspace-slug'] !== undefined,
		account: accountOf(access.value),
	});
}

const TIMED_OUT: NoResponse = {
	kind: 'noResponse',
	sent: 'unknown',
	code: 'ETIMEDOUT',
};

const ABORTED: NoResponse = {
	kind: 'noResponse',
	sent: 'unknown',
	code: 'ABORTED',
};

/** What n8n's helper returns, as an answer; what it echoes of a key ends here, in every value and every header. */
export function toAnswer(reply: IN8nHttpFullResponse, redact: Redact): HttpResult {
	const headers = Object.fromEntries(
		Object.entries(reply.headers).map(([name, value]) => [
			name.toLowerCase(),
			redact(String(value), 'error'),
		]),
	);
	const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? '');
	const isFine = reply.statusCode >= 200 && reply.statusCode < 300;
	return {
		kind: 'response',
		status: reply.statusCode,
		headers,
		text: redact(text, isFine ? 'data' : 'error'),
	};
}

/** Socket errors that come before a request leaves; some of them only while connecting. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;
const NEVER_SENT_WHILE_CONNECTING = /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/;

/** What n8n's helper throws where no reply came, as an answer without its words, which name hosts; in doubt the request may have been sent. */
export function toNoReply(error: unknown): NoResponse {
	const chain = causes(error);
	const code =
		chain.map((cause) => textAt(cause, 'code')).find((text) => /^[A-Z][A-Z0-9_]{3,}$/.test(text)) ??
		'UNKNOWN';
	const connecting = chain.some((cause) => textAt(cause, 'syscall') === 'connect');
	const never = NEVER_SENT.test(code) || (connecting && NEVER_SENT_WHILE_CONNECTING.test(code));
	return { kind: 'noResponse', sent: never ? 'no' : 'unknown', code };
}

function causes(error: unknown): object[] {
	const chain: object[] = [];
	let current = error;
	while (typeof current === 'object' && current !== null && chain.length < 8) {
		chain.push(current);
		current = 'cause' in current ? current.cause : undefined;
	}
	return chain;
}

const textAt = (holder: object, key: string): string => {
	const value: unknown = Reflect.get(holder, key);
	return typeof value === 'string' ? value : '';
};

/** Waits, but not longer than until the user stops the workflow. */
async function interruptibleSleep(ms: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	let wake = (): void => undefined;
	const stop = new Promise<void>((resolve) => {
		wake = resolve;
	});
	signal.addEventListener('abort', wake, { once: true });
	// Only newer versions of n8n end their timer by the signal; they throw then.
	await Promise.race([sleep(ms, signal).catch(() => undefined), stop]);
	signal.removeEventListener('abort', wake);
}

/** Max rows for which a credential is read one by one. */
const MAX_ROWS = 2_000;

/**
 * Refuses a credential whose expressions give different values for different rows: n8n reads it for the first row only, and
 * everything would go to the workspace of that row. The row of a tool is filled in by a model, which must not choose where keys go.
 */
export async function credentialPerRow(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'getNode'>,
	count: number,
): Promise<InputError | undefined> {
	const asTool = isTool(context.getNode());
	if (count < 2 && !asTool) return undefined;
	const valueAt = async (item: number, from = context) =>
		JSON.stringify(await attempt(async () => await from.getCredentials(CREDENTIAL, item)));
	const first = await valueAt(0);
	// There is no such row, so only what depends on the row is different; of a tool there is no row at all.
	const rowless = asTool ? withoutRows(context) : context;
	if (first === (await valueAt(count, rowless))) return undefined;
	if (asTool) return refused('depends on what the model fills in');
	if (count > MAX_ROWS) return refused('depends on the row');
	for (let item = 1; item < count; item += 1)
		if (first !== (await valueAt(item))) return refused(`is different in row ${item + 1}`);
	return undefined;
}

/** The context as it would be without input: another row that does not exist may read the first one. */
const withoutRows = <T extends object>(context: T): T =>
	Object.create(context, { connectionInputData: { value: [] } }) as T;

const refused = (what: string): InputError => ({
	kind: 'input',
	problems: [
		{
			path: ['credential'],
			reason: `${what}, because a field of it is an expression. Use one credential for all rows, or run the node once for each workspace`,
		},
	],
});
