import range from 'lodash/range';
import uniq from 'lodash/uniq';
import { HOUR_MS } from '../../core/time';

/**
 * The record of a person, as names in n8n's store. A call stands there under its hour and under its half of the day:
 *
 *                claim, before the request           accepted
 *      free ─────────────────────────────▶ calling ────────────▶ called
 *       ▲        rejected, or never left      │
 *       ├─────────────────────────────────────┤  no answer, stop, kill: stays "calling", which is reported as unknown,
 *       │                                     │  until somebody settles it or the hours have passed
 *
 * Where somebody was claimed while a call was open (Hours Between Calls: 0), `shared` says so, and no rejection frees them.
 * calling = taken and open, called = taken alone, free = not taken. To look is to record: whatever is cut off, a name is there too
 * much, and `open` is removed last, so a person is unknown then, and never "called" who was not.
 */
export interface PersonNames {
	/** The halves of days that lie in the hours, the oldest first: in that one they begin. */
	readonly halves: readonly string[];
	/** Those of its hours that count. */
	readonly hours: readonly string[];
	/** What a call of now is written down as. */
	readonly call: readonly string[];
	/** Says that the last call has not ended. */
	readonly open: string;
	/** Says that several were to call in this half of a day, so what one of them wrote down is the other's, too. */
	readonly shared: string;
	/** The attempts of a campaign, kept until somebody settles them. */
	readonly attempts: readonly string[];
	/** Says that the highest attempt has not ended. */
	readonly attemptOpen: string;
}

/** Whom names are about: a person of one workspace, in a campaign where attempts are counted. */
export interface Person {
	readonly key: string;
	readonly campaign: string;
}

/** How often a person may be called: not within some hours, and so many times in a campaign, where that is limited. */
export interface CallRule {
	readonly hours: number;
	readonly maxAttempts: number | undefined;
}

/** A request leaves at most so long after its people were claimed. */
export const MAX_DELAY_MS = 600_000;

/** The names of a person at a moment. */
export function namesOf(
	{ key, campaign }: Person,
	{ hours, maxAttempts = 0 }: CallRule,
	nowMs: number,
): PersonNames {
	const hourName = (hour: number): string => `${key}@h${hour}`;
	const halfName = (hour: number): string => `${key}@d${halfOf(hour)}`;
	const now = hourOf(nowMs);
	const first = hourOf(nowMs - hours * HOUR_MS - MAX_DELAY_MS);
	// An hour ahead, since the clock of another worker may be.
	const counted = hours === 0 ? [] : range(first, now + 2);
	return {
		halves: uniq(counted.map(halfName)),
		hours: counted.filter((hour) => halfOf(hour) === halfOf(first)).map(hourName),
		call: [hourName(now), halfName(now)],
		open: `${key}?`,
		shared: `${halfName(now)}&`,
		attempts: range(1, maxAttempts + 1).map((attempt) => `${key}/${campaign}#${attempt}`),
		attemptOpen: `${key}/${campaign}?`,
	};
}

const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS);
const halfOf = (hour: number): number => Math.floor(hour / 12);

/** Whether a name says that a call has not ended. */
export const isOpen = (name: string): boolean => name.endsWith('?');

/** What says of a person that a call has not ended. */
export const openNames = ({ open, attempts, attemptOpen }: PersonNames): string[] =>
	attempts.length > 0 ? [open, attemptOpen] : [open];

/** Whether a name is known to be there. */
type Has = (name: string) => boolean;

/** What has to be asked about a person, by the names that are known to be there: more of those who were called, until nothing is new. */
export function questionOf(names: PersonNames, has: Has): string[] {
	const { halves, hours, call, attempts } = names;
	const isInFirst = halves.some(has) && !halves.slice(1).some(has);
	return uniq([
		...halves,
		...call,
		...openNames(names),
		...(isInFirst ? hours : []),
		...attempts.slice(0, attempts.filter(has).length + 1),
	]);
}

/** What the store says about a person. */
export type Standing = 'free' | 'called' | 'calling' | 'calledOften';

/** Judges a person by the names that were there before anything was asked. */
export function standingOf(names: PersonNames, has: Has): Standing {
	const { halves, hours, open, attempts, attemptOpen } = names;
	const isRecent = halves.slice(1).some(has) || hours.some(has);
	const made = attempts.filter(has).length;
	if ((isRecent && has(open)) || (made > 0 && has(attemptOpen))) return 'calling';
	if (isRecent) return 'called';
	return made > 0 && made === attempts.length ? 'calledOften' : 'free';
}

/**
 * What is there of someone whose call is open, if it was none. A look that was cut off left more halves than there were calls, so
 * all of them go, and the highest attempt is that call. What is older than the hours stays open.
 */
export function callingNames(names: PersonNames, has: Has): string[] {
	const { halves, hours, call, open, attempts, attemptOpen } = names;
	const attempt = has(attemptOpen) ? [...attempts.filter(has).slice(-1), attemptOpen] : [];
	// Where only the attempt of a campaign is open, the last call was another one, and has ended.
	const last = has(open) ? [...halves, ...hours, ...call] : [];
	return [...last, ...attempt].filter(has);
}
