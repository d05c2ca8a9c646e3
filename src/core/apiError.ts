import get from 'lodash/get';
import has from 'lodash/has';
import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import type { ApiError } from './failures';
import type { HttpResponse } from './http';
import { readBody, shorten } from './text';
import { retryAfterMs } from './retry';

/** Both documented error bodies in one: batch has `issues`, the conversation read has `data` (interface: Errors). */
const errorBody = z.looseObject({
	message: z.string().optional().catch(undefined),
	code: z.string().optional().catch(undefined),
	issues: z.array(z.unknown()).optional().catch(undefined),
	data: z.looseObject({ zodError: z.unknown().optional() }).optional().catch(undefined),
});

/** The no in a response: a documented error body, `success: false`, or a filled `error` or `errors` at its top. */
export function saysNo(body: unknown): { readonly message: string } | undefined {
	if (!isPlainObject(body)) return undefined;
	const { code, message, success, error, errors } = body as Readonly<Record<string, unknown>>;
	const isErrorBody =
		typeof code === 'string' &&
		typeof message === 'string' &&
		(has(body, 'issues') || has(body, 'data'));
	const reason = [error, errors].flat().find((each) => Boolean(each));
	if (!isErrorBody && success !== false && reason === undefined) return undefined;
	const text = [message, get(reason, 'message'), reason].find((each) => typeof each === 'string');
	return { message: shorten(typeof text === 'string' ? text : 'The response says no') };
}

const MAX_ISSUES = 100;
const MAX_ISSUE_LENGTH = 2_000;

/** Turns a reply that is not 2xx into an error; a body in none of the documented shapes is quoted as text. */
export function toApiError(call: string, reply: HttpResponse, nowMs: number): ApiError {
	const body = readBody(reply.text);
	const known = errorBody.safeParse(body.kind === 'json' ? body.value : undefined).data;
	const waitMs = retryAfterMs(reply, nowMs);
	const detail = known?.data?.zodError;
	return {
		kind: 'api',
		call,
		status: reply.status,
		...(known?.code !== undefined && { code: known.code.slice(0, 100) }),
		message: shorten(known?.message ?? visibleText(reply.text)),
		issues: (known?.issues ?? (detail === undefined || detail === null ? [] : [detail]))
			.slice(0, MAX_ISSUES)
			.map(keepable),
		...(waitMs !== undefined &&
			Number.isFinite(waitMs) && { retryAfter: Math.ceil(waitMs / 1000) }),
		...(reply.status >= 300 && reply.status < 400 && { location: host(reply.headers['location']) }),
	};
}

/** Only the host is shown: the rest of an address may contain secrets. */
function host(location: string | undefined): string {
	const nowhere = 'https://same.invalid';
	if (location === undefined || !URL.canParse(location, nowhere)) return 'another address';
	const { origin, host: name } = new URL(location, nowhere);
	return origin === nowhere ? 'another path on the same host' : name || 'another address';
}

const visibleText = (text: string): string =>
	text
		.slice(0, 5_000)
		.replace(/<(script|style)[\s\S]*?<\/\1>/gi, ' ')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();

/** An issue as it is, or, where it is too large to be kept in an execution, its place and its words. */
function keepable(issue: unknown): unknown {
	if (JSON.stringify(issue).length <= MAX_ISSUE_LENGTH) return issue;
	const { path, message } = large.parse(issue);
	return { path, message: shorten(message) };
}

const step = z.union([z.string().max(100), z.number()]);
const large = z
	.looseObject({
		path: z.array(step).max(20).catch([]),
		message: z.string().catch('too large to show'),
	})
	.catch({ path: [], message: 'too large to show' });
