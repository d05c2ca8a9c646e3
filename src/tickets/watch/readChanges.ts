import type { CallError } from '../../core/client';
import { combine } from '../combine';
import type { Operands } from '../combine';
import type { Filters } from '../filters';
import type { Operator } from '../operators';
import type { Query, SortRule } from '../query';
import { askPage } from '../readers/askPage';
import type { Means } from '../readers/askPage';
import { readByNumber } from '../readers/byNumber';
import type { Ticket } from '../ticket';
import { changeOf } from './change';
import type { Change } from './change';
import type { EventColumn } from './events';

/** Which changes to read: from a time on, until there are enough or there is no time left. */
export interface Span {
	readonly column: EventColumn;
	/** Ms of the service's clock, included. */
	readonly from: number;
	readonly isEnough: (changes: readonly Change[]) => boolean;
}

/** The changes in the order of their times, and what went wrong after them, if anything did. */
export interface Changes {
	readonly changes: readonly Change[];
	readonly failure?: CallError;
}

/** Another page follows the last one of these, or the reading is over. */
type Step = { readonly bound: Operands } | 'end' | CallError;

/**
 * Reads changes in the order of their times, from the time of the last one on instead of by offset: a ticket that
 * changes meanwhile moves to the end, and with offsets each one behind it would slip past the next page.
 */
export async function readChanges(query: Query, span: Span, means: Means): Promise<Changes> {
	const { column } = span;
	const found = new Map<string, Change>();
	const inOrder = () => [...found.values()].sort((a, b) => a.at - b.at);
	let bound: Operands = { gte: isoOf(span.from) };
	for (;;) {
		const step = await readStep(query, { column, bound, found }, means);
		const changes = inOrder();
		if (step === 'end') return { changes };
		if ('kind' in step) return { changes, failure: step };
		if (span.isEnough(changes)) return { changes };
		bound = step.bound;
	}
}

interface Place {
	readonly column: EventColumn;
	readonly bound: Operands;
	readonly found: Map<string, Change>;
}

async function readStep(
	query: Query,
	{ column, bound, found }: Place,
	means: Means,
): Promise<Step> {
	const sort = ([column, 'ticketNumber', 'id'] as const).map(ascending);
	const here = { ...query, filters: within(query.filters, column, bound) };
	const page = await askPage({ ...here, sort }, { limit: means.pageSize, offset: 0 }, means);
	if (!page.ok) return page.failure;
	const read = changesOf(page.value.data, column);
	if (!read) return incomplete(column);
	const place = { column, bound, found };
	if (read.some(({ at }, i) => at < (read[i - 1]?.at ?? at)))
		return await readAll(here, place, means);
	note(read, found);
	const [first] = read;
	const last = read.at(-1);
	if (!page.value.metadata.hasNextPage || !first || !last) return 'end';
	if (last.at > first.at) return { bound: { gte: isoOf(last.at) } };
	// One moment fills the page: all of it is read by number, before the next moment.
	const next = isoOf(last.at + 1);
	const moment = { gte: isoOf(last.at), lt: next };
	const filters = within(query.filters, column, moment);
	const failure = await readAll({ ...query, filters }, { column, bound: moment, found }, means);
	return failure === 'end' ? { bound: { gte: next } } : failure;
}

/** Reads everything that matches, where pages cannot lead on. */
async function readAll(
	query: Query,
	{ column, found }: Place,
	means: Means,
): Promise<'end' | CallError> {
	const reading = await readByNumber(query, means);
	if ('unfit' in reading) return unfit(reading.unfit);
	// A part of them would leave gaps in the order of their times.
	if (reading.failure) return reading.failure;
	const read = changesOf(reading.rows, column);
	if (!read) return incomplete(column);
	note(read, found);
	return 'end';
}

/** The changes in rows, or undefined where a row holds none. */
function changesOf(rows: readonly Ticket[], column: EventColumn): readonly Change[] | undefined {
	const changes = rows.flatMap((row) => changeOf(row, column) ?? []);
	return changes.length === rows.length ? changes : undefined;
}

function note(changes: readonly Change[], found: Map<string, Change>): void {
	for (const change of changes) found.set(change.key, change);
}

const ascending = (column: SortRule['column']): SortRule => ({ column, direction: 'asc' });

const isoOf = (ms: number): string => new Date(ms).toISOString();

/** Filters with more operators on one column: what the user wants there has to match as well. */
function within(filters: Filters, column: EventColumn, operands: Operands): Filters {
	let combined: Operands = filters[column] ?? {};
	for (const [operator, operand] of Object.entries(operands)) {
		const both = combine(combined, operator as Operator, operand);
		if (both.ok) combined = both.value;
	}
	return { ...filters, [column]: combined };
}

const broken = (message: string): CallError => ({
	kind: 'contract',
	call: 'POST /tickets/search',
	status: 200,
	message,
});

const incomplete = (column: EventColumn): CallError =>
	broken(`A ticket came without its ID or without a time in ${column}`);

const unfit = (why: string): CallError =>
	broken(`Tickets could neither be read in the order of their times nor by number: ${why}`);
