import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import isEqual from 'lodash/isEqual';
import maxBy from 'lodash/maxBy';
import omit from 'lodash/omit';
import sortBy from 'lodash/sortBy';
import uniq from 'lodash/uniq';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import type { Operands } from '../filters/combine';
import type { PageReader } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { numberIn } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query } from './query';
import { withNeededColumns } from './query';
import type { SearchResult } from './readTickets';
import { readTickets } from './readTickets';

/** One search of a run: what is asked, and how many tickets are wanted (all without a limit). */
export interface Question {
	readonly query: Query;
	readonly limit?: number;
}

/** Questions that differ only in the values of one column, so one request can ask all of them. */
export interface Lookup {
	readonly column: Column;
	readonly questions: readonly Question[];
}

/** The most values of one list. */
export const MAX_VALUES = 100;

/** Columns whose returned value shows which questions it answers; what is the same text, only the service knows. */
const SHARED_KINDS: readonly Kind[] = ['identifier', 'number', 'priority', 'source'];

const MANY_VALUED: readonly Kind[] = ['number', 'timestamp'];

/** The values of a column that a question asks for, or none where it asks in another way. */
function valuesIn({ query }: Question, column: Column): readonly unknown[] {
	const { eq, in: list } = query.filters[column] ?? {};
	if (eq !== undefined && list !== undefined) return [];
	return Array.isArray(list) ? (list as readonly unknown[]) : eq === undefined ? [] : [eq];
}

interface Candidate {
	readonly question: Question;
	readonly column: Column;
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
	const best = compact(candidates.map((own) => maxBy(own, ({ key }) => sizes[key]?.length)));
	const lookups = Object.values(groupBy(best, ({ key }) => key)).flatMap(fillLists);
	const shared = new Set(lookups.flatMap((lookup) => lookup.questions));
	return { lookups, alone: questions.filter((question) => !shared.has(question)) };
}

function candidatesOf(question: Question): Candidate[] {
	const { filters, sort } = question.query;
	// Where most tickets tie, which of them come first only the service knows.
	const hasTies = sort.some(({ column }) => !MANY_VALUED.includes(columns[column].kind));
	if (question.limit !== undefined && hasTies) return [];
	return columnNames.flatMap((column) => {
		const { length } = valuesIn(question, column);
		if (!SHARED_KINDS.includes(columns[column].kind) || length < 1 || length > MAX_VALUES)
			return [];
		const others = { ...filters, [column]: omit(filters[column], 'eq', 'in') };
		const rest = sortBy(Object.entries(others), ([name]) => name);
		return [
			{ question, column, key: JSON.stringify([column, rest, sort, question.limit === undefined]) },
		];
	});
}

/** Fills lists one after another. */
function fillLists(group: readonly Candidate[]): Lookup[] {
	const lookups: Array<Lookup & { readonly questions: Question[] }> = [];
	let count = 0;
	for (const { column, question } of group) {
		const { length } = valuesIn(question, column);
		const last = lookups.at(-1);
		const isFull = last === undefined || count + length > MAX_VALUES;
		if (isFull) lookups.push({ column, questions: [question] });
		else last.questions.push(question);
		count = isFull ? length : count + length;
	}
	return lookups.filter(({ questions }) => questions.length > 1);
}

/** By what a returned value is matched with those that were asked for. */
const keyOf = (value: unknown, column: Column): string =>
	columns[column].kind === 'number' ? String(numberIn(value)) : String(value).toLowerCase();

/** The values that a lookup asks for, each once. */
export const valuesOf = ({ column, questions }: Lookup): unknown[] =>
	uniq(questions.flatMap((question) => valuesIn(question, column)));

/** The query of a lookup with these operators in place of the values. */
export function lookupQuery({ column, questions }: Lookup, operands: Operands): Query {
	const { query } = questions[0] ?? { query: { filters: {}, sort: [], select: [] } };
	const others = omit(query.filters[column], 'eq', 'in');
	return withNeededColumns({
		...query,
		filters: { ...query.filters, [column]: { ...others, ...operands } },
	});
}

/** What came for the questions of a lookup; those without an answer have to be asked in another way. */
export interface LookupResult extends Pick<SearchResult, 'failure' | 'unmatched'> {
	readonly answers: ReadonlyMap<Question, readonly Ticket[]>;
	/** How many of its values the service certainly heeded. */
	readonly heeded: number;
}

/** Reads a lookup; only what a search of its own would certainly have given counts as an answer. */
export async function readLookup(
	lookup: Lookup,
	reader: PageReader,
	proven: number,
): Promise<LookupResult> {
	const { questions } = lookup;
	const query = lookupQuery(lookup, { in: valuesOf(lookup) });
	const isLimited = questions.some(({ limit }) => limit !== undefined);
	/** Where there are limits, the newest are enough; as many pages as questions cost no less than to ask each alone. */
	const isEnough = (rows: readonly Ticket[]): boolean =>
		reader.requests >= questions.length ||
		[...handOut(lookup, rows)].every(([question, own]) => isSettled(own, question));
	const wanted = { offset: 0, ...(isLimited && { isEnough }) };
	const { rows, isPartial, ...result } = await readTickets(query, wanted, reader);
	const isWhole = isPartial !== true && result.failure === undefined;
	const answers = new Map<Question, readonly Ticket[]>();
	for (const [question, own] of handOut(lookup, rows))
		if ((isWhole || isSettled(own, question)) && !ties(own, question))
			answers.set(question, own.slice(0, question.limit));
	const isOpen = result.failure !== undefined || answers.size === 0;
	return {
		...result,
		answers,
		heeded: isOpen ? 0 : await heededOf(lookup, rows, { reader, proven }),
	};
}

/** The tickets of each question, in their order, or nothing if the service returned a ticket that no one asked for. */
function handOut(
	{ column, questions }: Lookup,
	tickets: readonly Ticket[],
): ReadonlyMap<Question, readonly Ticket[]> {
	const answers = new Map(questions.map((question) => [question, new Array<Ticket>()]));
	const asking = new Map<string, Set<Ticket[]>>();
	for (const [question, own] of answers)
		for (const key of valuesIn(question, column).map((value) => keyOf(value, column)))
			asking.set(key, (asking.get(key) ?? new Set()).add(own));
	for (const ticket of tickets) {
		const takers = asking.get(keyOf(ticket[column], column));
		if (!takers) return new Map();
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

/** How many values of a list the service certainly heeded: up to the last one that found something, or all if those behind it, asked for with one that has tickets, find that one alone. */
async function heededOf(
	lookup: Lookup,
	rows: readonly Ticket[],
	{ reader, proven }: { readonly reader: PageReader; readonly proven: number },
): Promise<number> {
	const { column } = lookup;
	const values = valuesOf(lookup);
	const keyIn = (row: Ticket): string => keyOf(row[column], column);
	const ask = async (operands: Operands) => {
		const query = lookupQuery(lookup, operands);
		const span = { limit: reader.pageSize, offset: 0 };
		return await fetchPage(query, span, { ...reader, filters: query.filters });
	};
	const found = new Set(rows.map(keyIn));
	const heeded = values.findLastIndex((value) => found.has(keyOf(value, column))) + 1;
	if (values.length <= Math.max(heeded, proven)) return values.length;
	let control = values[heeded - 1];
	if (heeded === 0) {
		// Any ticket that another value would find; where there is none, nothing was missed.
		const page = await ask({ isNotNull: true });
		const [row] = page.ok ? page.value.data : [];
		if (row === undefined) return page.ok && !page.value.metadata.hasNextPage ? values.length : 0;
		control = row[column];
	}
	const page = await ask({ in: [...values.slice(heeded), control] });
	const shown = page.ok ? page.value.data : [];
	const isHeeded = shown.length > 0 && shown.every((row) => keyIn(row) === keyOf(control, column));
	return isHeeded ? values.length : heeded;
}
