/** Milliseconds in an hour. */
export const HOUR_MS = 3_600_000;

/** Milliseconds in a minute. */
export const MINUTE_MS = 60_000;

/** Milliseconds in a day of 24 hours. */
export const DAY_MS = 24 * HOUR_MS;
