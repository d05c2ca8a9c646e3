import { IANAZone } from 'luxon';
import { MINUTE_MS } from '../../core/time';
import type { ZoneSet } from '../../core/phone/zones';

const DAY_MS = 86_400_000;
/** The clocks of a zone are changed at a quarter of an hour, if they are. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Max days to look ahead: a year has all dates and all changes of the clocks. */
const MAX_DAYS = 400;
/** Days after which it is of no interest any more when hours end. */
const MAX_OPEN_DAYS = 6;

/** Days of the week as calling hours name them, Monday first. */
export const WEEKDAYS = [
	...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const),
	...(['saturday', 'sunday'] as const),
] as const;

/** Hours on some days: minutes after midnight; past midnight where the end is not after the start. */
export interface HoursRow {
	/** Days of the week, 0 for Monday. */
	readonly days: readonly number[];
	readonly from: number;
	readonly until: number;
}

/** When people may be called, in the time of the place where they are. */
export interface CallingHours {
	readonly rows: readonly HoursRow[];
	/** Days without any calls, counted from 1970. */
	readonly closedDays: ReadonlySet<number>;
}

/** Whether it is inside the hours in a zone at a moment. */
export function isOpen(hours: CallingHours, zone: string, ms: number): boolean {
	const { day, timeMs } = clockAt(zone, ms);
	return openOn(hours, day).some(([fromMs, untilMs]) => fromMs <= timeMs && timeMs < untilMs);
}

/** The first moment from a moment on at which it is inside the hours in all zones, if there is one within a year. */
export function nextOpenMs(
	hours: CallingHours,
	zones: ZoneSet,
	fromMs: number,
): number | undefined {
	for (let ms = fromMs; ms < fromMs + MAX_DAYS * DAY_MS;) {
		const closed = zones.find((zone) => !isOpen(hours, zone, ms));
		if (closed === undefined) return ms;
		ms = nextChangeMs(hours, closed, ms);
	}
	return undefined;
}

/** Until when it stays inside the hours in all zones; at most some days. */
export const closesMs = (hours: CallingHours, zones: ZoneSet, fromMs: number): number =>
	Math.min(...zones.map((zone) => closesIn(hours, zone, fromMs)));

function closesIn(hours: CallingHours, zone: string, fromMs: number): number {
	let ms = fromMs;
	while (ms < fromMs + MAX_OPEN_DAYS * DAY_MS && isOpen(hours, zone, ms))
		ms = nextChangeMs(hours, zone, ms);
	return ms;
}

/** The next moment at which hours may begin or end in a zone: by the hours, at midnight, or as the clocks are changed. */
function nextChangeMs(hours: CallingHours, zone: string, ms: number): number {
	const { day, timeMs, offset } = clockAt(zone, ms);
	const edges = [...openOn(hours, day).flat(), DAY_MS].filter((edgeMs) => edgeMs > timeMs);
	const nextMs = ms + Math.min(...edges) - timeMs;
	const isSteady = clockAt(zone, nextMs).offset === offset;
	return isSteady ? nextMs : (Math.floor(ms / QUARTER_MS) + 1) * QUARTER_MS;
}

/** The clock on the wall: the day from 1970, the time since midnight, and the minutes ahead of UTC. */
function clockAt(zone: string, ms: number) {
	const offset = IANAZone.create(zone).offset(ms);
	const localMs = ms + offset * MINUTE_MS;
	const day = Math.floor(localMs / DAY_MS);
	return { day, timeMs: localMs - day * DAY_MS, offset };
}

/** The open times of a day, in ms since midnight. */
function openOn(
	{ rows, closedDays }: CallingHours,
	day: number,
): Array<readonly [fromMs: number, untilMs: number]> {
	if (closedDays.has(day)) return [];
	const isOn = ({ days }: HoursRow, date: number): boolean => days.includes(weekdayOf(date));
	return rows.flatMap((row) => {
		const [fromMs, untilMs] = [row.from * MINUTE_MS, row.until * MINUTE_MS];
		const isLate = untilMs <= fromMs;
		const today = [fromMs, isLate ? DAY_MS : untilMs] as const;
		// Hours that began on a day not to call belong to it.
		const goesOn = isLate && isOn(row, day - 1) && !closedDays.has(day - 1);
		return [...(isOn(row, day) ? [today] : []), ...(goesOn ? [[0, untilMs] as const] : [])];
	});
}

/** The day of the week, 0 for Monday: 1970 began with a Thursday. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7;
