import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type { World } from '../../src/core/client';
import { STOPPED } from '../../src/core/client';
import { readCredential } from '../../src/core/credential';
import type { InputError } from '../../src/core/failures';
import { createGate } from '../../src/core/gate';
import type { Answer, NoReply, Request } from '../../src/core/request';
import type { Result } from '../../src/core/result';
import { fail, ok } from '../../src/core/result';
import { pause } from './pause';

/** The name of the credential type. */
export const CREDENTIAL = 'conversationDeskApi';

/** Ms after which a request counts as lost. */
const TIMEOUT = 120_000;

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
		timeout: request.timeout ?? TIMEOUT,
	};
}

/** What a node needs of its context to reach the service; a trigger has no stop signal. */
export type Connectable = Pick<IExecuteFunctions, 'getCredentials'> & {
	readonly helpers: Pick<IExecuteFunctions['helpers'], 'httpRequestWithAuthentication'>;
	readonly getExecutionCancelSignal?: IExecuteFunctions['getExecutionCancelSignal'];
};

/** The wire, the clock and the stop signal of an execution; the credential is read and checked once. */
export async function connect(context: Connectable): Promise<Result<World, InputError>> {
	const data = await context.getCredentials(CREDENTIAL);
	const access = readCredential(data);
	if (!access.ok) {
		const problems = access.failure.map(({ path, message }) => ({
			path: ['credential', ...path],
			message,
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
	const signal = context.getExecutionCancelSignal?.();
	const stopped = () => signal?.aborted === true;
	const redact = redactor([data['apiKey'], data['accessToken']]);
	const gate = createGate(async () => await sleep(0));
	const send = async (request: Request): Promise<Answer> => {
		await gate();
		if (stopped()) return STOPPED;
		const options = requestOptions(access.value.baseUrl, request);
		// The timeout of n8n's helper begins anew with each byte, so that a reply which drips could take for ever.
		const late = AbortSignal.timeout(request.timeout ?? TIMEOUT);
		const abortSignal = signal ? AbortSignal.any([signal, late]) : late;
		try {
			const reply: unknown = await context.helpers.httpRequestWithAuthentication.call(
				withSignal(context, abortSignal),
				CREDENTIAL,
				{ ...options, abortSignal },
				{ credentialsDecrypted },
			);
			return toAnswer(reply as IN8nHttpFullResponse, redact);
		} catch (error) {
			if (stopped()) return ABORTED;
			return late.aborted ? TOO_LATE : toNoReply(error, redact);
		}
	};
	return ok({
		send,
		sleep: (ms) => pause(ms, signal),
		random: Math.random,
		now: Date.now,
		stopped,
	});
}

/** The context with another stop signal: n8n's helper takes that of its context, whatever the options say. */
const withSignal = (context: Connectable, signal: AbortSignal): IExecuteFunctions =>
	Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IExecuteFunctions;

const TOO_LATE: NoReply = {
	kind: 'noReply',
	sent: 'unknown',
	code: 'ETIMEDOUT',
	message: 'no whole reply came in time',
};

const ABORTED: NoReply = {
	kind: 'noReply',
	sent: 'unknown',
	code: 'ABORTED',
	message: 'the workflow was stopped',
};

type Redact = (text: string) => string;

/** Replaces secrets in what a service or a socket says, so that an echo of a key ends here. */
export const redactor =
	(secrets: readonly unknown[]): Redact =>
	(text) =>
		secrets
			.map((secret) => String(secret ?? '').trim())
			.filter((secret) => secret.length >= 4)
			.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);

/** What n8n's helper returns, as an answer. */
export function toAnswer(reply: IN8nHttpFullResponse, redact: Redact): Answer {
	const headers = Object.fromEntries(
		Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
	const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? '');
	const fine = reply.statusCode >= 200 && reply.statusCode < 300;
	return { kind: 'reply', status: reply.statusCode, headers, text: fine ? text : redact(text) };
}

/** Socket errors that come before a request leaves; some of them only while connecting. */
const NEVER_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EPROTO|ERR_TLS_.*|.*CERT.*|UNABLE_TO_.*)$/;
const NEVER_SENT_WHILE_CONNECTING = /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/;

/** What n8n's helper throws where no reply came, as an answer; in doubt the request may have been sent. */
export function toNoReply(error: unknown, redact: Redact): NoReply {
	const chain = causes(error);
	const code =
		chain.map((cause) => textAt(cause, 'code')).find((text) => /^[A-Z][A-Z0-9_]{3,}$/.test(text)) ??
		'UNKNOWN';
	const connecting = chain.some((cause) => textAt(cause, 'syscall') === 'connect');
	const never = NEVER_SENT.test(code) || (connecting && NEVER_SENT_WHILE_CONNECTING.test(code));
	const message =
		chain.map((cause) => textAt(cause, 'message')).findLast((text) => text !== '') ?? 'no reply';
	return {
		kind: 'noReply',
		sent: never ? 'no' : 'unknown',
		code,
		message: redact(message).slice(0, 300),
	};
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
