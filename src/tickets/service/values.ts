import { isBlank, textOf, toNumber } from '../../core/text';
import type { Kind } from '../columns';
import type { Ticket } from '../ticket';

/** A number or a truth value as a number, whether the service writes it as one or as text. */
export function numberIn(value: unknown): number | undefined {
	if (typeof value === 'boolean') return Number(value);
	if (value === 'true' || value === 'false') return Number(value === 'true');
	const number = toNumber(value);
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ]\s*(\d{2}:\d{2}(?::\d{2})?)(?:[.,](\d+))?\s*(.*))?$/i;
const OFFSET = /^(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** No time is longer; patterns are not for texts of any length. */
const MAX_LENGTH = 100;

/** The ms of a timestamp with their fraction: ISO 8601, in UTC where it names no zone, or an epoch of seconds, ms or microseconds. */
export function timeOf(value: unknown): number | undefined {
	const number = toNumber(value);
	if (typeof number === 'number') return epochOf(number);
	if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
	const [whole, day = '', clock = '00:00', fraction = '', zone = ''] = ISO.exec(value.trim()) ?? [];
	if (whole === undefined || (zone !== '' && !OFFSET.test(zone))) return undefined;
	const offset = zone.replace(/^([+-]\d{2})$/, '$1:00').replace(/^([+-]\d{2})(\d{2})$/, '$1:$2');
	const ms = Date.parse(`${day}T${clock}${offset === '' ? 'Z' : offset.toUpperCase()}`);
	return Number.isNaN(ms) ? undefined : ms + Number(`0.${fraction || '0'}`) * 1_000;
}

/** By what every service orders values alike, or undefined where only the service knows. */
export function orderKey(value: unknown, kind: Kind): number | undefined {
	if (kind === 'timestamp') return timeOf(value);
	return kind === 'number' || kind === 'boolean' ? numberIn(value) : undefined;
}

/** Whether a time shows a fraction of a second. */
export const hasFraction = (value: unknown): boolean => /[.,]\d|^-?\d{12,}$/.test(textOf(value));

/** Below the first an epoch counts seconds, from the second on microseconds. */
const EPOCH = { secondsBelow: 1e11, microsecondsFrom: 1e14 } as const;

function epochOf(value: number): number | undefined {
	if (!Number.isFinite(value)) return undefined;
	const size = Math.abs(value);
	if (size < EPOCH.secondsBelow) return value * 1_000;
	return size < EPOCH.microsecondsFrom ? value : value / 1_000;
}

/** Whether a timestamp names its zone, or is an epoch, which needs none. */
export const isZoned = (value: unknown): boolean =>
	isEpoch(value) || /(Z|[+-]\d{2}(:?\d{2})?)$/i.test(textOf(value).slice(10));

/** Whether a timestamp is an epoch, as a number or as its digits. */
export const isEpoch = (value: unknown): boolean => typeof toNumber(value) === 'number';

/** The number of a ticket, or undefined where the service left it out. */
export const numberOf = ({ ticketNumber }: Ticket): number | undefined =>
	typeof ticketNumber === 'boolean' ? undefined : numberIn(ticketNumber);

/** What tells a ticket apart: its ID with its number, since an ID may be hidden and the same in all, or all of it where the service leaves both out. */
export const identityOf = (row: Ticket): string => {
	const { id, ticketNumber } = row;
	return JSON.stringify(isBlank(id) && isBlank(ticketNumber) ? row : [id, ticketNumber]);
};
