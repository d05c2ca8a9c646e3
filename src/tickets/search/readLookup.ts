import isEqual from 'lodash/isEqual';
import type { CallError } from '../../core/client';
import { columns } from '../columns';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import type { Lookup, Question } from './planLookups';
import { keyOf, lookupQuery, valuesOf } from './planLookups';
import { withNeededColumns } from './query';
import { readTickets } from './readTickets';

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
	const { members } = lookup;
	const query = withNeededColumns(lookupQuery(lookup, valuesOf(lookup)));
	const isLimited = members[0]?.question.limit !== undefined;
	const before = reader.requests;
	/** Where there are limits, the newest are enough; as many pages as members cost no less than to ask each alone. */
	const isEnough = (rows: readonly Ticket[]): boolean =>
		reader.requests - before >= members.length ||
		[...(handOut(lookup, rows) ?? [])].every(([question, own]) => isSettled(own, question));
	const wanted = { offset: 0, ...(isLimited && { isEnough }) };
	const { rows, failure, isPartial } = await readTickets(query, wanted, reader);
	const isWhole = isPartial !== true && failure === undefined;
	const answers = new Map<Question, readonly Ticket[]>();
	for (const [question, own] of isWhole || isLimited ? (handOut(lookup, rows) ?? []) : [])
		if ((isWhole || isSettled(own, question)) && !ties(own, question))
			answers.set(question, own.slice(0, question.limit));
	if (failure || answers.size === 0)
		return { answers, ...(failure && { failure }), heeded: 0, isHeeded: false };
	return { answers, ...(await proofOf(lookup, answers, { reader, proven })) };
}

/** The tickets of each member, in their order, or undefined if the service returned a ticket that no one asked for. */
function handOut(
	{ column, members }: Lookup,
	tickets: readonly Ticket[],
): ReadonlyMap<Question, readonly Ticket[]> | undefined {
	const { kind } = columns[column];
	const asking = new Map<string, Ticket[][]>();
	const answers = new Map<Question, Ticket[]>();
	for (const { question, values } of members) {
		const own: Ticket[] = [];
		answers.set(question, own);
		for (const key of new Set(values.map((value) => keyOf(value, kind))))
			asking.set(key, [...(asking.get(key) ?? []), own]);
	}
	for (const ticket of tickets) {
		const takers =
			ticket[column] === undefined ? undefined : asking.get(keyOf(ticket[column], kind));
		if (!takers) return undefined;
		for (const own of takers) own.push(ticket);
	}
	return answers;
}

/** Whether a question has all that it wants; in an order with ties, one more shows whether the last one ties. */
const isSettled = (own: readonly Ticket[], { query, limit = Infinity }: Question): boolean =>
	own.length > limit - Number(query.sort.length === 0);

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
