import castArray from 'lodash/castArray';
import { textOf } from '../../core/text';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { Filters } from '../filters/schema';
import type { Operator } from '../operators';
import type { Ticket } from '../ticket';
import { certainlyDiffers, certainlyMatches } from './patterns';
import { hasFraction, isEpoch, isZoned, numberIn, orderKey, timeOf } from './values';

/** The first column on which a row certainly does not match the filters, or undefined where none does. */
export const unmatchedColumn = (filters: Filters, rows: readonly Ticket[]): Column | undefined =>
	columnNames.find((name) => {
		// Made once for all rows.
		const all = Object.entries(filters[name] ?? {}).map(([operator, operand]) =>
			disproofs[operator as Operator](operand, columns[name].kind),
		);
		return rows.some(
			(row) => row[name] !== undefined && all.some((isUnmatched) => isUnmatched(row[name])),
		);
	});

/** Says of a returned value that it certainly does not match. */
type Disproof = (value: unknown) => boolean;

const never: Disproof = () => false;
const isNull: Disproof = (value) => value === null;
const isFilled: Disproof = (value) => value !== null && textOf(value).trim() !== '';
/** Text can be empty as well as not set; where there is no text, an empty one is how a service shows what is not set. */
const isSetIn = (kind: Kind): Disproof => (kind === 'text' ? (value) => value !== null : isFilled);
const isEmpty: Disproof = (value) => value === null || value === '';

/** For each operator, when a returned value certainly does not match. What is the same text, only the service knows, and what it writes in another way proves nothing. */
const disproofs: Readonly<Record<Operator, (operand: unknown, kind: Kind) => Disproof>> = {
	isNull: (operand, kind) => (operand === false ? isNull : isSetIn(kind)),
	isNotNull: (operand, kind) => (operand === false ? isSetIn(kind) : isNull),
	isEmpty: (operand) => (operand === false ? isEmpty : isFilled),
	isNotEmpty: (operand) => (operand === false ? isFilled : isEmpty),
	eq: isNoneOf,
	in: isNoneOf,
	ne: isOneOf,
	notIn: isOneOf,
	gt: (operand, kind) => isBeyond(operand, kind, -1),
	gte: (operand, kind) => isBeyond(operand, kind, -1, 0),
	lt: (operand, kind) => isBeyond(operand, kind, 1),
	lte: (operand, kind) => isBeyond(operand, kind, 1, 0),
	like: certainlyDiffers,
	iLike: certainlyDiffers,
	notLike: (operand) => certainlyMatches(operand, ''),
	notILike: (operand) => certainlyMatches(operand, 'i'),
	isBetween: () => never,
	isRelativeToToday: () => never,
};

const HOUR_MS = 3_600_000;

/** How far a time may be off: a fraction of a second that is not shown, a zone, or the hours of a day as well. */
function slackOf(value: unknown): number {
	// A fraction of nothing but zeros may stand for any.
	const fraction = (timeOf(value) ?? 0) % 1_000 === 0 ? 1_000 : 1;
	const hasHours = isEpoch(value) || /\d[T ]/i.test(textOf(value));
	if (hasHours && isZoned(value)) return fraction;
	return (hasHours ? 26 : 50) * HOUR_MS;
}

/** Whether a value is not set, or lies on the wrong side of a bound; `atBound` says what the bound itself is: 0 for right. */
function isBeyond(operand: unknown, kind: Kind, side: 1 | -1, atBound = 1): Disproof {
	const isTime = kind === 'timestamp';
	const bound = orderKey(operand, kind);
	return (value) => {
		const found = orderKey(value, kind);
		if (bound === undefined || found === undefined) return value === null;
		const distance = (found - bound) * side;
		return isTime ? distance > slackOf(value) : distance > 0 || (distance === 0 && atBound === 1);
	};
}

/** Whether a value is certainly none of these. */
function isNoneOf(operand: unknown, kind: Kind): Disproof {
	const wanted = castArray(operand);
	if (kind === 'timestamp') {
		const times = wanted.map(timeOf);
		return (value) => {
			const time = timeOf(value);
			if (time === undefined || times.includes(undefined)) return value === null;
			return times.every((one = NaN) => Math.abs(one - time) > slackOf(value));
		};
	}
	const keys = new Set(wanted.map((one) => sameKey(one, kind)));
	return (value) => {
		const key = sameKey(value, kind);
		return value === null || (key !== undefined && !keys.has(undefined) && !keys.has(key));
	};
}

/** Whether a value is certainly one of these. Times may differ in a fraction that is not shown. */
function isOneOf(operand: unknown, kind: Kind): Disproof {
	const unwanted = castArray(operand);
	if (kind === 'text') return (value) => unwanted.includes(value);
	if (kind === 'timestamp') {
		const times = new Set(unwanted.map(timeOf).filter((time) => time !== undefined));
		return (value) => isZoned(value) && hasFraction(value) && times.has(timeOf(value) ?? NaN);
	}
	const keys = new Set(unwanted.map((one) => sameKey(one, kind)));
	return (value) => keys.has(sameKey(value, kind) ?? NaN);
}

/** By what values are the same in every service: text without what any collation passes over. Undefined where only the service knows. */
export function sameKey(value: unknown, kind: Kind): string | number | undefined {
	if (kind === 'number' || kind === 'boolean') return numberIn(value);
	if (typeof value !== 'string') return undefined;
	if (kind !== 'text') return value.trim().toLowerCase();
	if (/[^ -~]/.test(value)) return undefined;
	const letters = value.toLowerCase().replace(/[^a-z0-9]/g, '');
	return letters.replace(/0+(?=\d)/g, '');
}
