import groupBy from 'lodash/groupBy';
import omit from 'lodash/omit';
import type { Column, Kind } from '../columns';
import { columnNames, columns } from '../columns';
import { escapedColumns } from '../service/patterns';
import { numberIn } from '../service/values';
import type { Query, SortRule } from './query';

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
	readonly members: readonly LookupMember[];
}

/** The most values of one list. */
export const MAX_VALUES = 100;

/** Columns whose returned value shows which questions it answers; what is the same text, only the service knows. */
const SHARED_KINDS: readonly Kind[] = ['identifier', 'number', 'priority', 'source'];

interface Candidate extends LookupMember {
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
	const best = candidates.flatMap((own) => {
		const [first] = [...own].sort((a, b) => sizeOf(b) - sizeOf(a));
		return first && sizeOf(first) > 1 ? [first] : [];
	});
	function sizeOf({ key }: Candidate): number {
		return sizes[key]?.length ?? 0;
	}
	const lookups = Object.values(groupBy(best, ({ key }) => key)).flatMap(fillLists);
	const shared = new Set(lookups.flatMap(({ members }) => members.map((one) => one.question)));
	return { lookups, alone: questions.filter((question) => !shared.has(question)) };
}

function candidatesOf(question: Question): Candidate[] {
	const { filters, sort } = question.query;
	// Where most tickets tie, which of them come first only the service knows.
	if (question.limit !== undefined && !sort.every(hasManyValues)) return [];
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
		return [{ question, column, values, key }];
	});
}

const hasManyValues = ({ column }: SortRule): boolean =>
	['number', 'timestamp'].includes(columns[column].kind);

/** Fills lists one after another. */
function fillLists(group: readonly Candidate[]): Lookup[] {
	const lookups: Array<{ column: Column; members: LookupMember[] }> = [];
	let listed = new Set<string>();
	for (const { column, question, values } of group) {
		const keys = values.map((value) => keyOf(value, columns[column].kind));
		const both = new Set([...listed, ...keys]);
		const last = lookups.at(-1);
		if (last && both.size <= MAX_VALUES) {
			last.members.push({ question, values });
			listed = both;
		} else {
			lookups.push({ column, members: [{ question, values }] });
			listed = new Set(keys);
		}
	}
	return lookups.filter(({ members }) => members.length > 1);
}

/** By what a returned value is matched with those that were asked for. */
export const keyOf = (value: unknown, kind: Kind): string =>
	kind === 'number' ? String(numberIn(value)) : String(value).toLowerCase();

/** The values that a lookup asks for, each once. */
export const valuesOf = ({ members }: Lookup): unknown[] => [
	...new Set(members.flatMap(({ values }) => values)),
];

/** The query that asks for these values instead of those of a single question. */
export function lookupQuery({ column, members }: Lookup, values: readonly unknown[]): Query {
	const { filters, ...others } = members[0]?.question.query ?? {
		filters: {},
		sort: [],
		select: [],
	};
	const operands = omit(filters[column], 'eq');
	return { ...others, filters: { ...filters, [column]: { ...operands, in: values } } };
}
