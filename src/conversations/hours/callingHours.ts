import { inRange, range } from 'lodash';
import { IANAZone } from 'luxon';
import { DAY_MS, MINUTE_MS } from '../../core/time';
import type { ZoneSet } from '../../core/phone/zones';
import { MAX_DELAY_MS } from '../contacts/contact';

/** The clocks of a zone change only at a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Max days to search: a year has all dates and all changes of the clocks. */
const MAX_DAYS = 400;

/** Days of the week as calling hours name them, Monday first. */
export const WEEKDAYS = [
	'monday',
	'tuesday',
	'wednesday',
	'thursday',
	'friday',
	'saturday',
	'sunday',
] as const;

/** A period on some days, in minutes after midnight. An `until` up to `from` is on the next day. */
export interface Period {
	/** Days of the week, 0 for Monday. */
	readonly days: readonly number[];
	readonly from: number;
	readonly until: number;
}

/** When people may be called, in their local time. */
export interface CallingHours {
	readonly periods: readonly Period[];
	/** Days without any calls, counted from 1970. */
	readonly closedDays: ReadonlySet<number>;
}

/** Whether calls are allowed at a moment (ms), by the local time of a zone. */
export function isOpen(hours: CallingHours, zone: string, ms: number): boolean {
	const { day, timeMs } = readClock(zone, ms);
	return listOpenTimes(hours, day).some(([fromMs, untilMs]) => inRange(timeMs, fromMs, untilMs));
}

/** Whether calls stay allowed for ten minutes from a moment (ms), because a request may leave that late. */
const staysOpen = (hours: CallingHours, zone: string, ms: number): boolean =>
	// Hours begin and end at whole minutes. A range excludes its end, so the last minute needs + 1.
	range(0, MAX_DELAY_MS + 1, MINUTE_MS).every((delayMs) => isOpen(hours, zone, ms + delayMs));

/** Finds the first moment from `fromMs` when calls stay allowed in all zones; undefined if a year has none. */
export function findOpenMs(
	hours: CallingHours,
	zones: ZoneSet,
	fromMs: number,
): number | undefined {
	for (let ms = fromMs; ms < fromMs + MAX_DAYS * DAY_MS;) {
		const closed = zones.find((zone) => !staysOpen(hours, zone, ms));
		if (closed === undefined) return ms;
		// No call is possible until the hours of this zone change, because it is closed or closes too soon.
		ms = findChangeMs(hours, closed, ms);
	}
	return undefined;
}

/** Finds the next moment (ms) when calls may become allowed, e.g. the edge of a period, or midnight. */
function findChangeMs(hours: CallingHours, zone: string, ms: number): number {
	const { day, timeMs, offset } = readClock(zone, ms);
	const edges = [...listOpenTimes(hours, day).flat(), DAY_MS].filter((edgeMs) => edgeMs > timeMs);
	const nextMs = ms + Math.min(...edges) - timeMs;
	// If the clock changes before that moment, the next quarter of an hour is tried, because clocks change only then.
	const isSteady = readClock(zone, nextMs).offset === offset;
	return isSteady ? nextMs : (Math.floor(ms / QUARTER_MS) + 1) * QUARTER_MS;
}

/** Reads a zone's clock: the day counted from 1970, ms since midnight, and `offset`, the minutes ahead of UTC. */
function readClock(zone: string, ms: number) {
	const offset = IANAZone.create(zone).offset(ms);
	const localMs = ms + offset * MINUTE_MS;
	const day = Math.floor(localMs / DAY_MS);
	return { day, timeMs: localMs - day * DAY_MS, offset };
}

/** Lists the open times of a day (counted from 1970), in ms since midnight, in no order. */
function listOpenTimes(
	{ periods, closedDays }: CallingHours,
	day: number,
): Array<readonly [fromMs: number, untilMs: number]> {
	if (closedDays.has(day)) return [];
	return periods.flatMap(({ days, from, until }) => {
		const fromMs = from * MINUTE_MS;
		const untilMs = until * MINUTE_MS;
		// Equal times mean 24 hours.
		const isOvernight = untilMs <= fromMs;
		// A period of the day before continues after midnight, unless the day before is closed.
		const continues = isOvernight && days.includes(toWeekday(day - 1)) && !closedDays.has(day - 1);
		const times: Array<readonly [number, number]> = [];
		if (days.includes(toWeekday(day))) times.push([fromMs, isOvernight ? DAY_MS : untilMs]);
		if (continues) times.push([0, untilMs]);
		return times;
	});
}

/** The day of the week (0 for Monday) of a day counted from 1970-01-01, a Thursday. Earlier days are negative. */
const toWeekday = (day: number): number => (((day + 3) % 7) + 7) % 7;
