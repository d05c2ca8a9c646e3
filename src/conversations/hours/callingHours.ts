import type { ZoneSet } from './phoneZones';
import { stretchAt } from './zoneClock';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** Max days to look ahead: a year has all dates and all changes of the clocks. */
const MAX_DAYS = 400;

/** Days of the week as calling hours name them, Monday first. */
export const WEEKDAYS = [
	...(['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const),
	...(['saturday', 'sunday'] as const),
] as const;

/** Hours on some days: minutes after midnight; past midnight where the end is not after the start. */
export interface HoursRow {
	readonly days: readonly number[];
	readonly from: number;
	readonly until: number;
}

/** When people may be called, in the time of the place where they are. */
export interface CallingHours {
	/** The open minutes of each day of the week, Monday first, from midnight on; late ones belong to the day before. */
	readonly week: ReadonlyArray<
		ReadonlyArray<readonly [from: number, until: number, isLate: boolean]>
	>;
	/** Days without any calls, counted from 1970. */
	readonly closedDays: ReadonlySet<number>;
}

/** Puts rows of hours together; what passes midnight belongs to the next day as well. */
export function createCallingHours(
	rows: readonly HoursRow[],
	closedDays: ReadonlySet<number>,
): CallingHours {
	const week: Array<Array<readonly [number, number, boolean]>> = WEEKDAYS.map(() => []);
	for (const { days, from, until } of rows)
		for (const day of days) {
			const goesOn = until <= from;
			week[day]?.push([from, goesOn ? DAY_MINUTES : until, false]);
			if (goesOn && until > 0) week[(day + 1) % 7]?.push([0, until, true]);
		}
	return { week: week.map((open) => open.toSorted(([a], [b]) => a - b)), closedDays };
}

/** Whether it is inside the hours in a zone at a moment. */
export function isOpen(hours: CallingHours, zone: string, ms: number): boolean {
	const localMs = ms + stretchAt(zone, ms).offsetMs;
	const minute = Math.floor(modulo(localMs, DAY_MS) / MINUTE_MS);
	return openOn(hours, Math.floor(localMs / DAY_MS)).some(
		([from, until]) => from <= minute && minute < until,
	);
}

/** The first moment from a moment on at which it is inside the hours in all zones, if there is one within a year. */
export function nextOpenMs(
	hours: CallingHours,
	zones: ZoneSet,
	fromMs: number,
): number | undefined {
	const limitMs = fromMs + MAX_DAYS * DAY_MS;
	let ms = fromMs;
	for (let agreed = 0, i = 0; agreed < zones.length; i++) {
		const next = nextOpenIn(hours, zones[i % zones.length] ?? '', { ms, limitMs });
		if (next === undefined) return undefined;
		agreed = next === ms ? agreed + 1 : 1;
		ms = next;
	}
	return ms;
}

/** Until when it stays inside the hours in all zones; at most the end of the week. */
export const closesMs = (hours: CallingHours, zones: ZoneSet, fromMs: number): number =>
	Math.min(...zones.map((zone) => closesIn(hours, zone, fromMs)));

function nextOpenIn(
	hours: CallingHours,
	zone: string,
	{ ms, limitMs }: { readonly ms: number; readonly limitMs: number },
): number | undefined {
	for (let fromMs = ms; fromMs < limitMs;) {
		const { offsetMs, untilMs } = stretchAt(zone, fromMs);
		const next = nextOpenLocal(hours, fromMs + offsetMs, Math.min(untilMs, limitMs) + offsetMs);
		if (next !== undefined) return next - offsetMs;
		fromMs = untilMs;
	}
	return undefined;
}

/** The first local time inside the hours, before another one. */
function nextOpenLocal(hours: CallingHours, fromMs: number, limitMs: number): number | undefined {
	for (let day = Math.floor(fromMs / DAY_MS); day * DAY_MS < limitMs; day++)
		for (const [from, until] of openOn(hours, day)) {
			if (day * DAY_MS + until * MINUTE_MS <= fromMs) continue;
			const nextMs = Math.max(fromMs, day * DAY_MS + from * MINUTE_MS);
			return nextMs < limitMs ? nextMs : undefined;
		}
	return undefined;
}

function closesIn(hours: CallingHours, zone: string, fromMs: number): number {
	const { offsetMs, untilMs } = stretchAt(zone, fromMs);
	let localMs = fromMs + offsetMs;
	for (let days = 0; days < 7; days++) {
		const day = Math.floor(localMs / DAY_MS);
		const minute = (localMs - day * DAY_MS) / MINUTE_MS;
		const until = Math.max(
			...openOn(hours, day).flatMap(([from, end]) => (from <= minute && minute < end ? [end] : [])),
			0,
		);
		if (until > 0) localMs = day * DAY_MS + until * MINUTE_MS;
		if (until < DAY_MINUTES) break;
	}
	return Math.min(localMs - offsetMs, untilMs);
}

function openOn({ week, closedDays }: CallingHours, day: number) {
	if (closedDays.has(day)) return [];
	const open = week[modulo(day + 3, 7)] ?? [];
	// Hours that began on a day not to call belong to it.
	return closedDays.has(day - 1) ? open.filter(([, , isLate]) => !isLate) : open;
}

const modulo = (value: number, by: number): number => ((value % by) + by) % by;
