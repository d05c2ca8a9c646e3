import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import isEqual from 'lodash/isEqual';
import maxBy from 'lodash/maxBy';
import sortBy from 'lodash/sortBy';
import type { CallError } from '../../core/client';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { Operands } from '../filters/combine';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { numberIn } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query, SortRule } from './query';
import { withNeededColumns } from './query';
import { readTickets } from './readTickets';

/** One search of a run: what is asked, and how many tickets are wanted (all without a limit). */
export interface Question {
	readonly query: Query;
	readonly limit?: number;
}

/** A question and its values of the column in which it differs from others. */
export interface LookupMember {
	readonly question: Question;
	readonly values: readonly unknown[];
}

/** Questions that differ only in the values of one column, so one request can ask all of them. */
export interface Lookup {
	readonly column: Column;
	/** What they all ask, without the values. */
	readonly query: Query;
	readonly members: readonly LookupMember[];
}

/** The most values of one list. */
export const MAX_VALUES = 100;

/** Columns whose returned value shows which questions it answers; what is the same text, only the service knows. */
const SHARED_KINDS: readonly Kind[] = ['identifier', 'number', 'priority', 'source'];

interface Candidate extends LookupMember, Pick<Lookup, 'column' | 'query'> {
	/** Equal for questions that differ in the values of the column only. */
	readonly key: string;
}

/** Finds out which questions can share requests; the others are asked alone. */
export function planLookups(questions: readonly Question[]): {
	readonly lookups: readonly Lookup[];
	readonly alone: readonly Question[];
} {
	const candidates = questions.map(candidatesOf);
	const sizes = groupBy(candidates.flat(), ({ key }) => key);
	const sizeOf = ({ key }: Candidate): number => sizes[key]?.length ?? 0;
	const best = compact(candidates.map((own) => maxBy(own, sizeOf)));
	const lookups = Object.values(groupBy(best, ({ key }) => key)).flatMap(fillLists);
	const shared = new Set(lookups.flatMap(({ members }) => members.map((one) => one.question)));
	return { lookups, alone: questions.filter((question) => !shared.has(question)) };
}

function candidatesOf(question: Question): Candidate[] {
	const { filters, sort } = question.query;
	// Where most tickets tie, which of them come first only the service knows.
	if (question.limit !== undefined && !sort.every(hasManyValues)) return [];
	return columnNames.flatMap((column) => {
		const { eq, in: list, ...others } = filters[column] ?? {};
		if (!SHARED_KINDS.includes(columns[column].kind)) return [];
		if ((eq === undefined) === (list === undefined)) return [];
		const values = Array.isArray(list) ? (list as readonly unknown[]) : [eq];
		if (values.length > MAX_VALUES) return [];
		const query = { ...question.query, filters: { ...filters, [column]: others } };
		const rest = sortBy(Object.entries(query.filters), ([name]) => name);
		const key = JSON.stringify([column, rest, sort, question.limit === undefined]);
		return [{ question, column, query, values, key }];
	});
}

const hasManyValues = ({ column }: SortRule): boolean =>
	['number', 'timestamp'].includes(columns[column].kind);

/** Fills lists one after another. */
function fillLists(group: readonly Candidate[]): Lookup[] {
	const lookups: Array<Lookup & { readonly members: LookupMember[] }> = [];
	let listed = new Set<string>();
	for (const { column, query, question, values } of group) {
		const keys = values.map((value) => keyOf(value, columns[column].kind));
		const both = new Set([...listed, ...keys]);
		const last = lookups.at(-1);
		if (last && both.size <= MAX_VALUES) {
			last.members.push({ question, values });
			listed = both;
		} else {
			lookups.push({ column, query, members: [{ question, values }] });
			listed = new Set(keys);
		}
	}
	return lookups.filter(({ members }) => members.length > 1);
}

/** By what a returned value is matched with those that were asked for. */
const keyOf = (value: unknown, kind: Kind): string =>
	kind === 'number' ? String(numberIn(value)) : String(value).toLowerCase();

/** The values that a lookup asks for, each once. */
export const valuesOf = ({ members }: Lookup): unknown[] => [
	...new Set(members.flatMap(({ values }) => values)),
];

/** The query of a lookup with these operators on its column. */
export const lookupQuery = ({ column, query }: Lookup, operands: Operands): Query =>
	withNeededColumns({
		...query,
		filters: { ...query.filters, [column]: { ...query.filters[column], ...operands } },
	});

/** What came for the questions of a lookup; those without an answer have to be asked in another way. */
export interface LookupResult {
	readonly answers: ReadonlyMap<Question, readonly Ticket[]>;
	readonly failure?: CallError;
	readonly unmatched?: Column;
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
	const query = lookupQuery(lookup, { in: valuesOf(lookup) });
	const isLimited = members.some(({ question }) => question.limit !== undefined);
	const before = reader.requests;
	/** Where there are limits, the newest are enough; as many pages as members cost no less than to ask each alone. */
	const isEnough = (rows: readonly Ticket[]): boolean =>
		reader.requests - before >= members.length ||
		[...(handOut(lookup, rows) ?? [])].every(([question, own]) => isSettled(own, question));
	const wanted = { offset: 0, ...(isLimited && { isEnough }) };
	const { rows, failure, isPartial, unmatched } = await readTickets(query, wanted, reader);
	const isWhole = isPartial !== true && failure === undefined;
	const answers = new Map<Question, readonly Ticket[]>();
	for (const [question, own] of isWhole || isLimited ? (handOut(lookup, rows) ?? []) : [])
		if ((isWhole || isSettled(own, question)) && !ties(own, question))
			answers.set(question, own.slice(0, question.limit));
	const proof =
		failure || answers.size === 0
			? { heeded: 0, isHeeded: false }
			: await proofOf(lookup, answers, { reader, proven });
	return { answers, ...(failure && { failure }), ...(unmatched && { unmatched }), ...proof };
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
		const any = lookupQuery(lookup, { isNotNull: true });
		const page = await fetchPage(any, span, { ...reader, filters: any.filters });
		const [row] = page.ok ? page.value.data : [];
		if (row === undefined) return { heeded, isHeeded: page.ok && !page.value.metadata.hasNextPage };
		control = row[lookup.column];
	}
	const query = lookupQuery(lookup, { in: [...values.slice(heeded), control] });
	const page = await fetchPage(query, span, { ...reader, filters: query.filters });
	const rows = page.ok ? page.value.data : [];
	return {
		heeded,
		isHeeded: rows.length > 0 && rows.every((row) => keyIn(row) === keyOf(control, kind)),
	};
}
