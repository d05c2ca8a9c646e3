import { intersection, range, uniq } from 'lodash';
import { HOUR_MS } from '../../core/time';

/** A person of one workspace. */
export interface Person {
	readonly key: string;
	/** Matters only if attempts are counted. */
	readonly campaign: string;
	/** Whether a smaller request follows a rejected one. The attempt and the place of the day are counted already. */
	readonly isResent?: boolean;
}

/** When a person may be called: hours after the last call, and up to some attempts per campaign. */
export interface CallRule {
	readonly hours: number;
	readonly maxAttempts?: number | undefined;
}

export type ContactState = 'free' | 'called' | 'calledOften';

/** The record of a person in the store. */
export type Contact = ReturnType<typeof readContact>;

/** The longest time from a claim to its request. */
export const MAX_DELAY_MS = 600_000;

/** The number of the half-day of an hour, both counted from 1970. The store needs fewer texts for half-days than for hours. */
const toHalfDay = (hour: number): number => Math.floor(hour / 12);

/** Reads a person's record at a moment. The caller asks its questions and repeats it. Its texts are like "…@h490000", "…@d40833" and "…/spring#1". */
export function readContact(
	{ key, campaign, isResent = false }: Person,
	{ hours, maxAttempts = 0 }: CallRule,
	{ nowMs, has }: { readonly nowMs: number; readonly has: (text: string) => boolean },
) {
	/** Builds the text of a call in an hour, counted from 1970. */
	const toHourText = (hour: number): string => `${key}@h${hour}`;
	/** Builds the text of all calls in a half-day, because one text is asked faster than twelve. */
	const toHalfDayText = (halfDay: number): string => `${key}@d${halfDay}`;
	const current = Math.floor(nowMs / HOUR_MS);
	const first = Math.floor((nowMs - hours * HOUR_MS - MAX_DELAY_MS) / HOUR_MS);
	// A call may follow its claim by MAX_DELAY_MS. One hour ahead, because another worker's clock may be.
	const covered = hours === 0 ? [] : range(first, current + 2);
	const halfDays = uniq(covered.map(toHalfDay)).map(toHalfDayText);
	const [oldest, ...later] = halfDays;
	const call = [toHourText(current), toHalfDayText(toHalfDay(current))];
	const attempts = range(isResent ? 0 : maxAttempts).map((n) => `${key}/${campaign}#${n + 1}`);
	const attemptsMade = attempts.filter(has);
	const wasCalledLater = later.some(has);
	// The hours begin within the oldest half-day, so its hours are asked, but only if the answer matters.
	const isOldestOnly = oldest !== undefined && has(oldest) && !wasCalledLater;
	const oldestHours = isOldestOnly
		? covered.filter((hour) => toHalfDay(hour) === toHalfDay(first)).map(toHourText)
		: [];
	// The first attempt that was not made is also asked, because asking records it for the claim.
	const attemptsAsked = attempts.slice(0, attemptsMade.length + 1);
	const questions = uniq([...halfDays, ...call, ...oldestHours, ...attemptsAsked]);
	const added = questions.filter((text) => !has(text));
	const isOften = attempts.length > 0 && attemptsMade.length === attempts.length;
	const isCalled = wasCalledLater || oldestHours.some(has);
	const uncalled: ContactState = isOften ? 'calledOften' : 'free';
	const state: ContactState = isCalled ? 'called' : uncalled;
	return {
		key,
		isResent,
		state,
		questions,
		/** The texts that the questions added to the store. */
		added,
		/** The added texts that a claim keeps, also the half-day before, which ends earlier and saves a slow removal. */
		kept: intersection(added, [...call, toHalfDayText(toHalfDay(current) - 1), ...attempts]),
		/** The texts of a call made now that the store had before. */
		shared: call.filter(has),
	};
}
