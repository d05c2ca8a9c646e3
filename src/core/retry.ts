import type { Failure } from './failures';
import type { Answer, Reply, Request } from './request';

/** Sendings of one request, the first included. */
export const MOST_ATTEMPTS = 5;
/** Longest pause in ms that is waited because the service asks for it; a longer one ends the attempts. */
export const LONGEST_PAUSE = 120_000;
const FIRST_PAUSE = 500;
const LONGEST_OWN_PAUSE = 15_000;

/** What a decision about sending again rests on; `random` is 0 to 1, `now` is in ms. */
export interface Attempt {
	readonly request: Request;
	readonly answer: Answer;
	/** 1 for the first sending. */
	readonly number: number;
	readonly random: number;
	readonly now: number;
}

/**
 * Says how long to wait in ms before the request is sent again, or undefined where it must not be.
 * Not repeatable requests go again only where it is certain that nothing was done: 429, or never sent.
 */
export function retryPause({ request, answer, number, random, now }: Attempt): number | undefined {
	if (number >= MOST_ATTEMPTS) return undefined;
	if (!mayGoAgain(request, answer)) return undefined;
	const asked = answer.kind === 'reply' ? retryAfter(answer, now) : undefined;
	const pause =
		asked !== undefined && asked > 0
			? asked
			: Math.min(LONGEST_OWN_PAUSE, FIRST_PAUSE * 2 ** (number - 1)) * (0.5 + random / 2);
	const isTooLong = pause > LONGEST_PAUSE || now + pause > (request.until ?? Infinity);
	return isTooLong ? undefined : pause;
}

function mayGoAgain(request: Request, answer: Answer): boolean {
	if (answer.kind === 'noReply')
		return answer.sent === 'no' ? isPassing(answer.code) : request.repeatable;
	if (answer.status === 429) return true;
	return request.repeatable && isPassingStatus(answer.status);
}

const isPassing = (code: string): boolean =>
	code !== 'STOPPED' && !/CERT|TLS|SSL|UNABLE_TO/.test(code);

const isPassingStatus = (status: number): boolean =>
	status === 408 || status === 425 || status === 429 || status >= 500;

/** Whether what a read failed with may be gone when it is sent again later. */
export function mayPass(failure: Failure): boolean {
	if (failure.kind === 'connection') return isPassing(failure.code);
	return failure.kind === 'api' && isPassingStatus(failure.status);
}

/** The pause in ms that a reply asks for in Retry-After, given in seconds or as a date. */
export function retryAfter(reply: Reply, now: number): number | undefined {
	const value = reply.headers['retry-after']?.trim() ?? '';
	if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
	// Date.parse takes almost any text for some date.
	const date = /^([A-Z][a-z]+,? |\d{4}-\d\d-\d\dT)/.test(value) ? Date.parse(value) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
