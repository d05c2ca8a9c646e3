import { z } from 'zod/v4';

/** An ISO 8601 timestamp with a time and an offset or Z. */
export const timestamp = z.iso.datetime({ offset: true });

/** Writes a timestamp the way it is stored: UTC, milliseconds, Z; so text order is time order. */
export function normalTimestamp(value: string): string {
	return new Date(value).toISOString();
}

/** The 24 hours of a UTC day, counted in days from the day of `now`. */
export function utcDay(now: number, daysFromToday: number): { from: string; to: string } {
	const day = 86_400_000;
	const start = (Math.floor(now / day) + daysFromToday) * day;
	return { from: new Date(start).toISOString(), to: new Date(start + day).toISOString() };
}
