import { castArray, compact, get, has, isEmpty, isObject, isPlainObject, toPath } from 'lodash';
import { z } from 'zod/v4';
import type { ApiError } from './failures';
import type { HttpResponse } from './http';
import { isBlank, toText } from './plainText';
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
export function findReportedError(body: unknown): { readonly message: string } | undefined {
	if (!isPlainObject(body)) return undefined;
	const error: unknown = get(body, 'error');
	const hasError = isObject(error) ? !isEmpty(error) : Boolean(error) && !isBlank(error);
	// `code` is checked first, because zod is slow for a body that does not match.
	const isDocumented = has(body, 'code') && documentedError.safeParse(body).success;
	if (get(body, 'success') !== false && !hasError && !isDocumented) return undefined;
	const texts: unknown[] = [get(body, 'message'), error, get(error, 'message')];
	const text = texts.find((each): each is string => typeof each === 'string' && !isBlank(each));
	return { message: shorten(text ?? JSON.stringify(body)) };
}

/** Builds the error of a response other than 2xx, with the service's message or else the body's visible text. */
export function toApiError(call: string, reply: HttpResponse, nowMs: number): ApiError {
	const body = readBody(reply.text);
	const documented = errorBody.safeParse(body.kind === 'json' ? body.value : undefined).data;
	// {} and null name no cause.
	const isEmptyJson = body.kind === 'json' && isEmpty(body.value);
	const visible = isEmptyJson ? '' : reply.text.slice(0, MAX_PAGE_LENGTH).replace(PAGE_MARKUP, ' ');
	// NaN without a Retry-After, Infinity for hundreds of digits.
	const seconds = Math.ceil((retryAfterMs(reply, nowMs) ?? NaN) / 1000);
	const { location = '' } = reply.headers;
	// The host only, because the path of an address may contain secrets.
	const host = URL.canParse(location) ? new URL(location).host : '';
	return {
		kind: 'api',
		call,
		status: reply.status,
		...(documented?.code !== undefined && { code: documented.code }),
		message: shorten(documented?.message ?? visible.trim().replace(/\s+/g, ' ')),
		issues: documented?.issues ?? compact([documented?.data?.zodError]),
		// The service returns JSON, so a text is from a proxy or a web server.
		...(body.kind === 'text' && { isForeign: true }),
		...(Number.isFinite(seconds) && { retryAfter: seconds }),
		...(host !== '' && { location: host }),
	};
}

const MAX_PAGE_LENGTH = 5_000;
/** The scripts, styles and tags of a web page. */
const PAGE_MARKUP = /<(script|style)[\s\S]*?<\/\1>|<[^>]*>/gi;

/** Groups issues by the position of their entry, e.g. 3 in "customers.3.email" or "customers[3].email", if it is below `count`. */
export function issuesByEntry(error: ApiError, count: number): Map<number, unknown[]> {
	const byPosition = new Map<number, unknown[]>();
	for (const issue of error.issues) {
		const path: unknown = get(issue, 'path');
		const [, key = ''] = toPath(castArray(path).map(toText).join('.'));
		const position = Number(key);
		if (/^\d+$/.test(key) && position < count)
			byPosition.set(position, [...(byPosition.get(position) ?? []), issue]);
	}
	return byPosition;
}
