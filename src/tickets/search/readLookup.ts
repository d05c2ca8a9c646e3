import isEqual from 'lodash/isEqual';
import uniqBy from 'lodash/uniqBy';
import type { CallError } from '../../core/client';
import { columns } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { fetchPage, ignoredFilter } from '../service/fetchPage';
import { identityOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Lookup, Question } from './planLookups';
import { handOut, keyOf, lookupQuery, valuesOf } from './planLookups';
import { withNeededColumns } from './query';
import { readByNumber } from './readByNumber';
import { readInTotalOrder } from './readByOffset';
import { canSortLocally, sortHere } from './sortTickets';

/** What came for the questions of a lookup; those without an answer have to be asked in another way. */
export interface LookupResult {
	readonly answers: ReadonlyMap<Question, readonly Ticket[]>;
	readonly failure?: CallError;
	/** Up to which of its values the list certainly was heeded, or the last one before those that were not. */
	readonly heeded: number;
	readonly isHeeded: boolean;
}

/** Reads a lookup; only what a search of its own would certainly have given counts as an answer. */
export async function readLookup(
	lookup: Lookup,
	reader: PageReader,
	proven: number,
): Promise<LookupResult> {
	const isLimited = lookup.members[0]?.question.limit !== undefined;
	let result = isLimited ? await readFirst(lookup, reader) : await readAll(lookup, reader);
	for (let again = 0; reader.isMixed === true && again < 2; again++) {
		reader.isMixed = false;
		result = isLimited ? await readFirst(lookup, reader) : await readAll(lookup, reader);
	}
	const { answers, failure } = result;
	const { unmatched, filters } = reader;
	const wrong = unmatched ? ignoredFilter(unmatched, filters) : failure;
	if (wrong || answers.size === 0) {
		const kept = unmatched ? new Map<Question, readonly Ticket[]>() : answers;
		return { answers: kept, ...(wrong && { failure: wrong }), heeded: 0, isHeeded: false };
	}
	return { answers, ...(await proofOf(lookup, answers, { reader, proven })) };
}

interface Answered {
	readonly answers: ReadonlyMap<Question, readonly Ticket[]>;
	readonly failure?: CallError;
}

/** Reads all tickets of all members, as Return All does. */
async function readAll(lookup: Lookup, reader: PageReader): Promise<Answered> {
	const query = lookupQuery(lookup, valuesOf(lookup));
	const byNumber = canSortLocally(query.sort)
		? await readByNumber(withNeededColumns(query), reader)
		: undefined;
	if (byNumber && 'unfit' in byNumber && byNumber.failure)
		return { answers: new Map(), failure: byNumber.failure };
	const isByNumber = byNumber !== undefined && !('unfit' in byNumber);
	const result = isByNumber ? byNumber : await readInTotalOrder(query, { offset: 0 }, reader);
	if (result.failure) return { answers: new Map(), failure: result.failure };
	const answers = new Map<Question, readonly Ticket[]>();
	const rows = uniqBy([...result.rows], identityOf);
	for (const [question, tickets] of handOut(lookup, rows) ?? []) {
		const { sort } = question.query;
		const newestFirst = isByNumber && sort.length === 0 ? [...tickets].reverse() : tickets;
		const isOpen = isByNumber && sort.length > 0;
		const sorted = isOpen ? await sortHere(tickets, query, reader) : newestFirst;
		if (sorted) answers.set(question, sorted);
	}
	return { answers };
}

/** Reads newest first until each member has as many as it wants; those without as many pages as members are asked alone. */
async function readFirst(lookup: Lookup, reader: PageReader): Promise<Answered> {
	const query = lookupQuery(lookup, valuesOf(lookup));
	const before = reader.requests;
	const settled = (rows: readonly Ticket[]): Question[] =>
		[...(handOut(lookup, rows) ?? [])].flatMap(([question, tickets]) =>
			tickets.length > (question.limit ?? Infinity) - Number(query.sort.length === 0)
				? [question]
				: [],
		);
	const isEnough = (rows: readonly Ticket[]): boolean =>
		reader.requests - before >= lookup.members.length ||
		settled(rows).length === lookup.members.length;
	const { rows, failure, isPartial } = await readInTotalOrder(
		query,
		{ offset: 0, isEnough },
		reader,
	);
	const isWhole = isPartial !== true && failure === undefined;
	const open = isWhole ? undefined : new Set(settled(rows));
	const answers = new Map<Question, readonly Ticket[]>();
	for (const [question, tickets] of handOut(lookup, rows) ?? [])
		if ((open === undefined || open.has(question)) && !ties(tickets, question))
			answers.set(question, tickets.slice(0, question.limit));
	return { answers, ...(failure && { failure }) };
}

/** Whether the service might have ordered the tickets that a question wants in another way, were it asked alone. */
const ties = (tickets: readonly Ticket[], { query, limit = 0 }: Question): boolean =>
	query.sort.length > 0 &&
	tickets.slice(0, limit + 1).some((ticket, i) => {
		const before = tickets[i - 1];
		return before && query.sort.every(({ column }) => isEqual(before[column], ticket[column]));
	});

/**
 * Whether the service heeded all of a list, which is ours: the last value that found something shows it. The values behind
 * it are asked for once more, with one at the end that has tickets, unless an earlier list was shown to be heeded that far.
 */
async function proofOf(
	lookup: Lookup,
	answers: LookupResult['answers'],
	{ reader, proven }: { readonly reader: PageReader; readonly proven: number },
): Promise<Pick<LookupResult, 'heeded' | 'isHeeded'>> {
	const { kind } = columns[lookup.column];
	const values = valuesOf(lookup);
	const keyIn = (row: Ticket): string => keyOf(row[lookup.column], kind);
	const found = new Set([...answers.values()].flat().map(keyIn));
	const heeded = values.findLastIndex((value) => found.has(keyOf(value, kind))) + 1;
	if (values.length <= Math.max(heeded, proven)) return { heeded, isHeeded: true };
	const span = { limit: reader.pageSize, offset: 0 };
	let control = values[heeded - 1];
	if (heeded === 0) {
		// Any ticket that another value would find; where there is none, nothing was missed.
		const any = withNeededColumns(lookupQuery(lookup, []));
		const filters = { ...any.filters, [lookup.column]: { isNotNull: true } };
		const page = await fetchPage({ ...any, filters }, span, { ...reader, filters });
		const [row] = page.ok ? page.value.data : [];
		if (row === undefined) return { heeded, isHeeded: page.ok && !page.value.metadata.hasNextPage };
		control = row[lookup.column];
	}
	const query = withNeededColumns(lookupQuery(lookup, [...values.slice(heeded), control]));
	const page = await fetchPage(query, span, { ...reader, filters: query.filters });
	const rows = page.ok ? page.value.data : [];
	return {
		heeded,
		isHeeded: rows.length > 0 && rows.every((row) => keyIn(row) === keyOf(control, kind)),
	};
}
