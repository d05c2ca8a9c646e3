import groupBy from 'lodash/groupBy';
import omit from 'lodash/omit';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import { escapedColumns } from './escapes';
import type { Ticket } from '../ticket';
import type { Query, SortRule } from './query';
import { numberIn } from './rowOrder';

/** One search of a run: what is asked, and how many tickets are wanted (all without a limit). */
export interface Question {
	readonly query: Query;
	readonly limit?: number;
}

/** A question and its values of the column in which it differs from others. */
export interface LookupMember {
	readonly question: Question;
	readonly operator: 'eq' | 'in';
	readonly values: readonly unknown[];
}

/** Questions that differ only in the values of one column, so one request can ask all of them. */
export interface Lookup {
	readonly column: Column;
	readonly members: readonly LookupMember[];
}

/** The most values of one list. */
export const MAX_VALUES = 100;

/** Columns whose returned value shows which questions it answers. */
const SHARED_KINDS: readonly Kind[] = ['identifier', 'number', 'priority', 'source', 'text'];

/** Finds out which questions can share requests; the others are asked alone. */
export function planLookups(questions: readonly Question[]): {
	readonly lookups: readonly Lookup[];
	readonly alone: readonly Question[];
} {
	const candidates = questions.map(candidatesOf);
	const groups = groupBy(candidates.flat(), ({ key }) => key);
	const chosen = questions.map((question, i) => {
		const keys = (candidates[i] ?? []).map(({ key }) => key);
		const size = (key: string): number => groups[key]?.length ?? 0;
		const [best] = keys.sort((a, b) => size(b) - size(a));
		return { question, key: best !== undefined && size(best) > 1 ? best : undefined };
	});
	const alone = chosen.flatMap(({ question, key }) => (key === undefined ? [question] : []));
	const shared = chosen.flatMap(({ question, key }) =>
		key === undefined ? [] : [{ question, key }],
	);
	const lookups: Lookup[] = [];
	for (const [key, members] of Object.entries(groupBy(shared, ({ key }) => key))) {
		const asked = new Set(members.map(({ question }) => question));
		const group = (groups[key] ?? []).filter(({ question }) => asked.has(question));
		const packed = pack(group);
		lookups.push(...packed.lookups);
		alone.push(...packed.alone);
	}
	return { lookups, alone };
}

interface Candidate extends LookupMember {
	readonly column: Column;
	/** Equal for questions that differ in the values of the column only. */
	readonly key: string;
}

function candidatesOf(question: Question): Candidate[] {
	const { filters, sort } = question.query;
	if (question.limit !== undefined && sort.length > 0 && sort.every(hasFewValues)) return [];
	// Whether the service knows an escape shows by what each search finds.
	if (escapedColumns(filters).length > 0) return [];
	return columnNames.flatMap((column) => {
		const { eq, in: list, ...others } = filters[column] ?? {};
		if (!SHARED_KINDS.includes(columns[column].kind)) return [];
		if ((eq === undefined) === (list === undefined)) return [];
		const values = Array.isArray(list) ? (list as readonly unknown[]) : [eq];
		if (values.length > MAX_VALUES) return [];
		const rest = Object.entries({ ...filters, [column]: others }).sort(([a], [b]) =>
			a < b ? -1 : 1,
		);
		const key = JSON.stringify([column, rest, sort, question.limit === undefined]);
		return [{ question, column, values, key, operator: eq === undefined ? 'in' : 'eq' }];
	});
}

/** Most tickets tie in such an order, and which of them come first only the service knows. */
const hasFewValues = ({ column }: SortRule): boolean =>
	['boolean', 'priority', 'source'].includes(columns[column].kind);

/** Fills lists one after another; a value that a service might take for another one of its list is asked alone. */
function pack(group: readonly Candidate[]): { lookups: Lookup[]; alone: Question[] } {
	const lookups: Lookup[] = [];
	const alone: Question[] = [];
	let members: LookupMember[] = [];
	let spellings = new Map<string, unknown>();
	const close = (column: Column): void => {
		if (members.length > 1) lookups.push({ column, members });
		else alone.push(...members.map(({ question }) => question));
		members = [];
		spellings = new Map();
	};
	for (const { column, ...member } of group) {
		const { kind } = columns[column];
		const folded = member.values.map((value) => [foldOf(value, kind), value] as const);
		if (new Set([...spellings.keys(), ...folded.map(([fold]) => fold)]).size > MAX_VALUES)
			close(column);
		const own = new Map(folded);
		const isMixed = folded.some(
			([fold, value]) => own.get(fold) !== value || (spellings.get(fold) ?? value) !== value,
		);
		if (isMixed) {
			alone.push(member.question);
			continue;
		}
		for (const [fold, value] of folded) spellings.set(fold, value);
		members.push(member);
	}
	const [any] = group;
	if (any) close(any.column);
	return { lookups, alone };
}

/** What even the loosest comparison of a service takes for the same. */
const foldOf = (value: unknown, kind: Kind): string =>
	kind === 'text' ? foldText(String(value)) : keyOf(value, kind);

/** Text without what collations may pass over: case, accents, width, and white space. */
export const foldText = (text: string): string =>
	text
		.normalize('NFKD')
		.replace(/\s+/g, ' ')
		.replace(/[\p{M}\p{C}]/gu, '')
		.replace(/ +/g, ' ')
		.trim()
		.toLowerCase();

/** By what a returned value is matched with those that were asked for. */
export function keyOf(value: unknown, kind: Kind): string {
	if (kind === 'number') return String(numberIn(value));
	return kind === 'text' ? String(value) : String(value).toLowerCase();
}

/** The query that asks for all members at once. */
export function lookupQuery({ column, members }: Lookup): Query {
	const values = [...new Set(members.flatMap(({ values: own }) => own))];
	const { filters, ...others } = members[0]?.question.query ?? {
		filters: {},
		sort: [],
		select: [],
	};
	const operands = omit(filters[column], 'eq');
	return { ...others, filters: { ...filters, [column]: { ...operands, in: values } } };
}

/** The tickets of each member, in their order, or undefined if the service returned a ticket that no one asked for. */
export function handOut(
	{ column, members }: Lookup,
	tickets: readonly Ticket[],
): ReadonlyMap<Question, readonly Ticket[]> | undefined {
	const { kind } = columns[column];
	const asking = new Map<string, Ticket[][]>();
	const answers = new Map<Question, Ticket[]>();
	for (const member of members) {
		const own: Ticket[] = [];
		answers.set(member.question, own);
		for (const key of new Set(member.values.map((value) => keyOf(value, kind))))
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

/** Says of a ticket whether a member asked for it. */
export function isAskedBy({ column, members }: Lookup): (ticket: Ticket) => boolean {
	const { kind } = columns[column];
	const keys = new Set(members.flatMap(({ values }) => values.map((value) => keyOf(value, kind))));
	return (ticket) => keys.has(keyOf(ticket[column], kind));
}
