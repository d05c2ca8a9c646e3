import { get, mapKeys, mapValues } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { IANAZone } from 'luxon';
import type { Runtime } from '../../src/core/client';
import { readCredential, type Access, type CredentialField } from '../../src/core/credential';
import type { InputError } from '../../src/core/failures';
import { createRedactor, type Redact } from '../../src/core/redact';
import type { HttpResult, NoResponse } from '../../src/core/http';
import { CANCELED, DEFAULT_TIMEOUT_SECONDS } from '../../src/core/http';
import { catchFailure, fail, ok, type Result } from '../../src/core/result';
import { isTool } from './errors';

const NO_ZONE = 'is not a time zone. Choose one in the settings of the workflow';

/** The name of the credential type. */
export const CREDENTIAL = 'conversationDeskApi';

/** The part of n8n that a connection needs. A trigger has no stop signal. */
export type Connectable = Pick<IExecuteFunctions, 'getCredentials' | 'getTimezone'> & {
	readonly helpers: Pick<IExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
	readonly getExecutionCancelSignal?: IExecuteFunctions['getExecutionCancelSignal'];
};

/** The connection of an execution to a workspace of the service. */
export interface Connected extends Runtime {
	/** The address and the workspace. */
	readonly account: readonly string[];
}

/** Reads and checks the credential and the time zone, and makes the functions of a connection. Sends no request. */
export async function connect(
	context: Connectable,
	needs: readonly CredentialField[] = [],
): Promise<Result<Connected, InputError>> {
	const read = await catchFailure(async () => await context.getCredentials(CREDENTIAL));
	if (!read.ok) return fail(toCredentialError(`could not be read: ${read.failure}`));
	const access = readCredential(read.value, needs);
	if (!access.ok) return fail({ kind: 'input', problems: access.failure });
	const zone = context.getTimezone();
	const zoneProblem = { path: ['Timezone'], reason: NO_ZONE, value: zone };
	if (!IANAZone.isValidZone(zone)) return fail({ kind: 'input', problems: [zoneProblem] });
	const signal = context.getExecutionCancelSignal?.() ?? new AbortController().signal;
	return ok({
		send: createSend(context, read.value, { access: access.value, signal }),
		sleep: createSleep(signal),
		random: Math.random,
		now: Date.now,
		signal,
		account: access.value.account,
	});
}

/** Makes the function that sends one request without redirects. It returns any response, or why there is none. */
function createSend(
	context: Connectable,
	data: ICredentialDataDecryptedObject,
	{ access, signal }: { readonly access: Access; readonly signal: AbortSignal },
): Runtime['send'] {
	// n8n would otherwise decrypt the credential for every request.
	const credentialsDecrypted = { id: CREDENTIAL, name: CREDENTIAL, type: CREDENTIAL, data };
	const redact = createRedactor(access.secrets);
	return async ({ method, path, body, timeoutMs = DEFAULT_TIMEOUT_SECONDS * 1000 }) => {
		if (signal.aborted) return CANCELED;
		// The timeout of n8n's helper restarts with each byte, so a slow response would never time out.
		const timedOut = AbortSignal.timeout(timeoutMs);
		const abortSignal = AbortSignal.any([signal, timedOut]);
		// The helper reads the signal from its `this`, so it gets a context with another signal.
		const descriptors = { getExecutionCancelSignal: { value: () => abortSignal } };
		try {
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				Object.create(context, descriptors) as IExecuteFunctions,
				CREDENTIAL,
				{
					method,
					url: access.baseUrl + path,
					headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
					body: body as IHttpRequestOptions['body'],
					encoding: 'text',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					timeout: timeoutMs, // Without it, n8n's own timeout of 5 minutes applies.
				},
				{ credentialsDecrypted },
			);
			return toResponse(response as IN8nHttpFullResponse, redact);
		} catch (error) {
			if (signal.aborted) return { kind: 'noResponse', sent: 'unknown', code: 'ABORTED' };
			return toNoResponse(timedOut.aborted ? { code: 'ETIMEDOUT' } : error);
		}
	};
}

/** Converts a response of n8n's helper: header names in lower case, secrets of the credential replaced. */
function toResponse(response: IN8nHttpFullResponse, redact: Redact): HttpResult {
	const { body, statusCode: status } = response;
	const redacted = mapValues(response.headers, (value) => redact(String(value)));
	const headers = mapKeys(redacted, (_, name) => name.toLowerCase());
	const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
	return { kind: 'response', status, headers, text: redact(text) };
}

/** Errors that occur before sending. The codes of `NEVER_CONNECTED` mean unsent only while connecting. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;
const NEVER_CONNECTED = /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/;

/** Converts an error of n8n's helper to its code, e.g. ECONNRESET, and whether the request may have been sent. */
function toNoResponse(error: unknown): NoResponse {
	const paths = ['cause', 'cause.cause', 'cause.cause.cause'];
	const causes: unknown[] = [error, ...paths.map((path): unknown => get(error, path))];
	const codes = causes.map((cause) => String(get(cause, 'code')));
	const code = codes.find((each) => /^[A-Z][A-Z0-9_]{3,}$/.test(each)) ?? 'UNKNOWN';
	const isConnecting = causes.some((cause) => get(cause, 'syscall') === 'connect');
	// Some codes, e.g. ETIMEDOUT, mean "never sent" only if connecting failed.
	const isUnsent = NEVER_SENT.test(code) || (isConnecting && NEVER_CONNECTED.test(code));
	return { kind: 'noResponse', sent: isUnsent ? 'no' : 'unknown', code }; // No message, because it may contain host names.
}

/** Makes the function that waits some ms, or until the user stops the workflow. It never throws. */
function createSleep(signal: AbortSignal): Runtime['sleep'] {
	const stopped = new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => resolve(), { once: true });
	});
	return async (ms) => {
		if (signal.aborted) return;
		// Only newer versions of n8n end their timer by the signal, and throw.
		await Promise.race([sleep(ms, signal).catch(() => undefined), stopped]);
	};
}

/** Returns an error if the credential differs between rows (of a tool: may differ), because a run uses that of the first row. */
export async function findCredentialFault(
	context: Pick<IExecuteFunctions, 'getCredentials' | 'getNode' | 'getInputData'>,
): Promise<InputError | undefined> {
	/** Reads the credential of a row, or why it cannot be read, as a text to compare. */
	const readAsText = async (item: number, from = context): Promise<string> =>
		JSON.stringify(await catchFailure(async () => await from.getCredentials(CREDENTIAL, item)));
	const first = await readAsText(0);
	const rowless = Object.create(context, { connectionInputData: { value: [] } }) as typeof context;
	// Without `connectionInputData`, expressions have no rows. If the credential is the same without them, they need not be compared.
	if (first === (await readAsText(0, rowless))) return undefined;
	// The model fills in the row of a tool.
	if (isTool(context.getNode()))
		return toCredentialError(`depends on what the model fills in, ${ONE_CREDENTIAL}`);
	for (const item of context.getInputData().keys())
		if (first !== (await readAsText(item)))
			return toCredentialError(`is different in row ${item + 1}, ${ONE_CREDENTIAL}`);
	return undefined;
}

const ONE_CREDENTIAL =
	'because a field of it is an expression. Use one credential for all rows, or run the node once for each workspace';

const toCredentialError = (reason: string): InputError => ({
	kind: 'input',
	problems: [{ path: ['credential'], reason }],
});
