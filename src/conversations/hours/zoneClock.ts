import { IANAZone } from 'luxon';

const DAY_MS = 86_400_000;
const STEP_MS = 7 * DAY_MS;
const HORIZON_MS = 400 * DAY_MS;

/** A stretch of time in which the clocks of a zone are not changed; times in ms. */
export interface Stretch {
	readonly fromMs: number;
	readonly untilMs: number;
	/** What to add to UTC for local time. */
	readonly offsetMs: number;
}

const known = new Map<string, Stretch[]>();

/** Whether there is a time zone of this name. */
export const isZone = (name: string): boolean => IANAZone.isValidZone(name);

/** The stretch of a zone that a moment is in; found once, since asking the calendar is slow. */
export function stretchAt(zone: string, ms: number): Stretch {
	const stretches = known.get(zone) ?? [];
	const found = stretches.find(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs);
	if (found) return found;
	const stretch = findStretch(zone, ms);
	known.set(zone, [...stretches.slice(-20), stretch]);
	return stretch;
}

function findStretch(zone: string, fromMs: number): Stretch {
	const calendar = IANAZone.create(zone);
	const offset = calendar.offset(fromMs);
	const offsetMs = offset * 60_000;
	for (let ms = fromMs; ms < fromMs + HORIZON_MS; ms += STEP_MS) {
		if (calendar.offset(ms + STEP_MS) === offset) continue;
		let before = ms;
		let after = ms + STEP_MS;
		while (after - before > 1) {
			const middle = Math.floor((before + after) / 2);
			if (calendar.offset(middle) === offset) before = middle;
			else after = middle;
		}
		return { fromMs, untilMs: after, offsetMs };
	}
	return { fromMs, untilMs: fromMs + HORIZON_MS, offsetMs };
}
