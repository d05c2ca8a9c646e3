import omit from 'lodash/omit';
import type { CallError } from '../../core/client';
import { columns } from '../columns';
import type { Ticket } from '../ticket';
import type { PageReader, ReadResult } from './fetchPage';
import { fetchPage } from './fetchPage';
import { sortHere } from './localOrder';
import { withNeededColumns } from './neededColumns';
import type { Lookup, Question } from './planLookups';
import { foldText, handOut, isAskedBy, lookupQuery } from './planLookups';
import type { SortRule } from './query';
import { readByNumber } from './readByNumber';
import { readInOneDialect } from './readTickets';
import { canSortLocally } from './sortTickets';
import { totalRules, readInTotalOrder } from './totalOrder';

/** What came for the questions of a lookup; those without an answer failed, or have to be asked alone where nothing did. */
export interface LookupResult {
	readonly answers: ReadonlyMap<Question, readonly Ticket[]>;
	readonly failure?: CallError;
}

/** Reads a lookup; only what a search of its own would certainly have given counts as an answer. */
export async function readLookup(lookup: Lookup, reader: PageReader): Promise<LookupResult> {
	const isLimited = lookup.members[0]?.question.limit !== undefined;
	const result = await readInOneDialect(reader, async () =>
		isLimited ? await readFirst(lookup, reader) : await readAll(lookup, reader),
	);
	const isUnclear = reader.unmatched !== undefined || reader.known?.ignored.has('sort') === true;
	if (isUnclear) return NOTHING;
	if (result.answers.size === 0 || (await isExact(lookup, result, reader))) return result;
	return { ...result, answers: NOTHING.answers };
}

const NOTHING: LookupResult = { answers: new Map() };

/** Reads all tickets of all members, as Return All does. */
async function readAll(lookup: Lookup, reader: PageReader): Promise<LookupResult> {
	const query = lookupQuery(lookup);
	const byNumber = canSortLocally(query.sort)
		? await readByNumber(withNeededColumns(query), reader)
		: undefined;
	if (byNumber && 'unfit' in byNumber && reader.refusal)
		return { ...NOTHING, failure: reader.refusal };
	const isByNumber = byNumber !== undefined && !('unfit' in byNumber);
	const result: ReadResult = isByNumber
		? byNumber
		: await readInTotalOrder(query, { offset: 0 }, reader);
	if (result.failure) return { ...NOTHING, failure: result.failure };
	const rules = isByNumber ? BY_NUMBER : totalRules(query.sort, reader.known?.maxRules);
	const answers = new Map<Question, readonly Ticket[]>();
	for (const [question, tickets] of handOut(lookup, result.rows) ?? []) {
		if (hasTies(tickets, rules)) continue;
		const sorted = isByNumber ? await sortHere(tickets, query, reader) : tickets;
		if (sorted) answers.set(question, sorted);
	}
	return { answers };
}

const BY_NUMBER: readonly SortRule[] = [{ column: 'ticketNumber', direction: 'asc' }];

/** Reads in the order that is asked for, until each member has as many tickets as it wants; who has enough leaves the list. */
async function readFirst(lookup: Lookup, reader: PageReader): Promise<LookupResult> {
	const answers = new Map<Question, readonly Ticket[]>();
	let open = lookup;
	let before: readonly Ticket[] = [];
	for (;;) {
		const asked = open;
		const isEnough = (rows: readonly Ticket[]) => settledIn(asked, rows, reader).length > 0;
		const range = { offset: 0, before, isEnough };
		const { rows, failure, isPartial } = await readInTotalOrder(lookupQuery(asked), range, reader);
		const read = handOut(asked, rows);
		if (!read) return NOTHING;
		const done = new Set(
			failure || isPartial === true ? settledIn(asked, rows, reader) : read.keys(),
		);
		for (const question of done) {
			const { limit } = question;
			const tickets = read.get(question) ?? [];
			const first = tickets.slice(0, limit);
			const isSure = !hasTies(tickets.slice(0, (limit ?? 0) + 1), ownRules(question, reader));
			if (isSure) answers.set(question, first);
		}
		if (failure) return { answers, failure };
		const members = asked.members.filter(({ question }) => !done.has(question));
		if (members.length === 0) return { answers };
		open = { ...asked, members };
		const isLeft = isAskedBy(open);
		before = rows.filter(isLeft);
	}
}

/** The questions that have all the tickets they want, whatever comes. */
function settledIn(lookup: Lookup, rows: readonly Ticket[], reader: PageReader): Question[] {
	const read = handOut(lookup, rows);
	// A ticket that no one asked for ends the lookup.
	if (!read) return lookup.members.map(({ question }) => question);
	const last = rows.at(-1);
	return [...read].flatMap(([question, tickets]) => {
		const { limit = Infinity } = question;
		if (tickets.length !== limit) return tickets.length > limit ? [question] : [];
		const rules = ownRules(question, reader);
		const cut = tickets.at(-1);
		const isUnique = rules.some(({ column }) => column === 'id');
		const isCut = cut === last ? isUnique : !hasTies([cut ?? {}, last ?? {}], rules);
		return isCut ? [question] : [];
	});
}

/** What orders the tickets of a search of its own: one page has the sort of the user alone. */
const ownRules = (
	{ query, limit = Infinity }: Question,
	reader: PageReader,
): readonly SortRule[] =>
	query.sort.length > 0 && limit <= reader.pageSize
		? query.sort
		: totalRules(query.sort, reader.known?.maxRules);

/** Whether the service might order two of these tickets either way. */
const hasTies = (tickets: readonly Ticket[], rules: readonly SortRule[]): boolean =>
	tickets.some((ticket, i) => {
		const before = tickets[i - 1];
		return before && rules.every(({ column }) => shown(before[column]) === shown(ticket[column]));
	});

const shown = (value: unknown): string => foldText(JSON.stringify(value ?? null));

/** Whether the service compares text letter by letter, where that matters: `eq` and `in` may differ in that. */
async function isExact(
	{ column, members }: Lookup,
	{ answers }: LookupResult,
	reader: PageReader,
): Promise<boolean> {
	const known = reader.known;
	if (columns[column].kind !== 'text' || members.every(({ operator }) => operator === 'in'))
		return true;
	const isKnown = known?.comparesExactly[column];
	if (isKnown !== undefined) return isKnown;
	const sample = [...answers.values()].flat().find((row) => /[a-z]/i.test(String(row[column])));
	const [query] = members.map(({ question }) => question.query);
	if (!sample || !query || !known) return false;
	const swapped = String(sample[column]).replace(/[a-z]/gi, swapCase);
	// Its own values say nothing about this one.
	const operands = { ...omit(query.filters[column], 'in'), eq: swapped };
	const filters = { ...query.filters, [column]: operands };
	const asked = withNeededColumns({ ...query, filters });
	const page = await fetchPage(asked, { limit: reader.pageSize, offset: 0 }, reader);
	if (!page.ok) return false;
	const { data, metadata } = page.value;
	const isOne = !metadata.hasNextPage && data.every((row) => row[column] === swapped);
	known.comparesExactly[column] = isOne;
	return isOne;
}

const swapCase = (letter: string): string =>
	letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
