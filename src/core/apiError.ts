import get from 'lodash/get';
import isEmpty from 'lodash/isEmpty';
import isPlainObject from 'lodash/isPlainObject';
import { z } from 'zod/v4';
import type { ApiError } from './failures';
import type { HttpResponse } from './http';
import { isBlank } from './plainText';
import { readBody } from './json';
import { shorten } from './words';
import { retryAfterMs } from './retry';

/** Both documented error bodies in one: batches have `issues`, the conversation read has `data` (interface: Errors). */
const errorBody = z.looseObject({
	message: z.string().optional().catch(undefined),
	code: z.string().optional().catch(undefined),
	issues: z.array(z.unknown()).optional().catch(undefined),
	data: z.looseObject({ zodError: z.unknown().optional() }).optional().catch(undefined),
});

/** The error bodies of the customer batch and of the conversation read, as documented (interface: Errors). */
const documentedError = z
	.object({ code: z.string(), message: z.string() })
	.and(
		z.union([
			z.object({ issues: z.array(z.unknown()) }),
			z.object({ data: z.object({ httpStatus: z.number() }) }),
		]),
	);

/** Returns the message of a 2xx body that reports an error, e.g. `success: false`; undefined for any other body. */
export function saysNo(body: unknown): { readonly message: string } | undefined {
	if (!isPlainObject(body)) return undefined;
	const error: unknown = get(body, 'error');
	const isNo = get(body, 'success') === false || isFilled(error);
	if (!isNo && !documentedError.safeParse(body).success) return undefined;
	const texts: unknown[] = [get(body, 'message'), error, get(error, 'message')];
	const text = texts.find((each): each is string => typeof each === 'string' && !isBlank(each));
	return { message: shorten(text ?? (isFilled(error) ? JSON.stringify(error) : 'success: false')) };
}

const isFilled = (value: unknown): boolean =>
	typeof value === 'object' ? !isEmpty(value) : Boolean(value) && !isBlank(value);

const MAX_ISSUES = 100;
const MAX_ISSUE_LENGTH = 2_000;

/** Turns a response other than 2xx into an error. A body of an undocumented shape is quoted as text. */
export function toApiError(call: string, reply: HttpResponse, nowMs: number): ApiError {
	const body = readBody(reply.text);
	const documented = errorBody.safeParse(body.kind === 'json' ? body.value : undefined).data;
	const waitMs = retryAfterMs(reply, nowMs);
	const detail = documented?.data?.zodError;
	return {
		kind: 'api',
		call,
		status: reply.status,
		...(documented?.code !== undefined && { code: documented.code.slice(0, 100) }),
		message: shorten(documented?.message ?? visibleText(reply.text)),
		issues: (documented?.issues ?? (detail === undefined || detail === null ? [] : [detail]))
			.slice(0, MAX_ISSUES)
			.map(keepable),
		...(waitMs !== undefined &&
			Number.isFinite(waitMs) && { retryAfter: Math.ceil(waitMs / 1000) }),
		...(reply.status >= 300 && reply.status < 400 && { location: host(reply.headers['location']) }),
	};
}

/** Returns the host only, because the path of an address may contain secrets. */
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

/** Returns an issue unchanged, or only its path and message if it is too large to save. */
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
