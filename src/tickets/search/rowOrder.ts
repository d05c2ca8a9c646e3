import { isBlank, textOf, toNumber } from '../../core/text';
import type { Kind } from '../columns';
import { columns } from '../columns';
import type { Ticket } from '../ticket';
import type { SortRule } from './query';

/** Whether rows are certainly not in this order: what only the service can know about an order counts as right. */
export function isOutOfOrder(rows: readonly Ticket[], sort: readonly SortRule[]): boolean {
	const [first] = sort;
	if (!first || rows.length < 2) return false;
	return (
		rows.some((row, i) => {
			const before = rows[i - 1];
			return before !== undefined && isWrongPair(before, row, sort);
		}) || isScattered(rows, first)
	);
}

function isWrongPair(before: Ticket, after: Ticket, sort: readonly SortRule[]): boolean {
	for (const { column, direction } of sort) {
		const compared = compareSurely(before[column], after[column], columns[column].kind);
		if (compared === undefined) return false;
		if (compared !== 0) return compared > 0 === (direction === 'asc');
	}
	return false;
}

/** Equal values stand together in any order, whether or not it tells case apart. */
function isScattered(rows: readonly Ticket[], { column }: SortRule): boolean {
	const values = rows.map((row) => JSON.stringify(row[column] ?? null));
	return areApart(values) && areApart(values.map((value) => value.toLowerCase()));
}

function areApart(values: readonly string[]): boolean {
	const ended = new Set<string>();
	let last: string | undefined;
	for (const value of values) {
		if (value === last) continue;
		if (ended.has(value)) return true;
		if (last !== undefined) ended.add(last);
		last = value;
	}
	return false;
}

/** Below 0, 0 or above 0 where each service compares these values alike, or undefined. */
function compareSurely(a: unknown, b: unknown, kind: Kind): number | undefined {
	if (isBlank(a) || isBlank(b)) return undefined;
	switch (kind) {
		case 'number':
		case 'boolean':
			return difference(numberIn(a), numberIn(b));
		case 'timestamp':
			// Equal times may differ in a fraction that is not shown.
			return difference(timeOf(a), timeOf(b)) || undefined;
		case 'text':
			return a === b ? 0 : compareBeginnings(textOf(a), textOf(b));
		default:
			return a === b ? 0 : undefined;
	}
}

const difference = (a: number | undefined, b: number | undefined): number | undefined =>
	a === undefined || b === undefined ? undefined : a - b;

/** Letters of one case, and digits, follow each other alike in every collation. */
function compareBeginnings(a: string, b: string): number | undefined {
	const isAlike = [/^[a-z]/, /^[A-Z]/, /^\d/].some((one) => one.test(a) && one.test(b));
	return isAlike ? a.charCodeAt(0) - b.charCodeAt(0) || undefined : undefined;
}

/** A number or a truth value as a number, whether the service writes it as one or as text. */
export function numberIn(value: unknown): number | undefined {
	if (typeof value === 'boolean') return Number(value);
	if (value === 'true' || value === 'false') return Number(value === 'true');
	const number = toNumber(value);
	return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const HAS_OFFSET = /(Z|[+-]\d{2}(:?\d{2})?)$/i;

/** The ms of a timestamp: ISO 8601, in UTC where it names no zone, or a number of seconds or ms. */
export function timeOf(value: unknown): number | undefined {
	const number = toNumber(value);
	if (typeof number === 'number') return Math.abs(number) < 1e11 ? number * 1000 : number;
	if (typeof value !== 'string') return undefined;
	const [, day = '', time = ''] =
		/^((?:[+-]\d{2})?\d{4}-\d{2}-\d{2})(?:[T ](.+))?$/.exec(value.trim()) ?? [];
	if (day === '') return undefined;
	const clock = time
		.replace(/\s+/g, '')
		.replace(',', '.')
		.replace(/(\.\d{3})\d+/, '$1')
		.replace(/([+-]\d{2})$/, '$1:00');
	const ms = Date.parse(time === '' ? day : `${day}T${clock}${HAS_OFFSET.test(clock) ? '' : 'Z'}`);
	return Number.isNaN(ms) ? undefined : ms;
}
