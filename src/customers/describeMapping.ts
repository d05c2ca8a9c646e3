import { customerFields } from './customer';
import type { Columns } from './columnPlan';
import type { FromColumns } from './mapColumns';
import { createColumnMapper } from './mapColumns';

const MAX_COLUMNS = 12;
const MAX_WAYS = 3;
const MAX_NAME = 40;
/** Rows may bring columns of their own without end. */
const MAX_KNOWN = 1_000;

type Path = readonly string[];

const nameOf = (path: Path): string => {
	const name = path.join('.');
	return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
};

/** The names of columns, the first of them where there are many. */
export function formatColumns(paths: readonly Path[]): string {
	const names = paths.slice(0, MAX_COLUMNS).map(nameOf);
	const more = paths.length - names.length;
	return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What the columns of the rows of a run became, row by row. */
export interface MappingSummary {
	readonly add: (mapped: Pick<FromColumns, 'sources' | 'unused'>) => void;
	/** "Mapped: Vorname + Name to Name. Not used: Ort."; undefined where there were no columns. */
	readonly describe: () => string | undefined;
}

/** Makes a summary that holds no more than the names of columns, however many rows there are. */
export function createMappingSummary(): MappingSummary {
	const ways = new Map<string, Set<string>>();
	const used = new Set<string>();
	const unused = new Map<string, Path>();
	return {
		add: ({ sources, unused: left }) => {
			for (const [field, columns] of Object.entries(sources)) {
				const known = ways.get(field) ?? new Set();
				ways.set(field, known);
				if (known.size < MAX_KNOWN) known.add(columns.map(({ path }) => nameOf(path)).join(' + '));
				for (const { path } of columns) used.add(keyOf(path));
			}
			if (unused.size < MAX_KNOWN) for (const path of left()) unused.set(keyOf(path), path);
		},
		describe: () => {
			const left = Array.from(unused).flatMap(([key, path]) => (used.has(key) ? [] : [path]));
			return sentences(ways, left);
		},
	};
}

/** What the columns of rows would become, in words. */
export function describeMapping(rows: Iterable<Columns>): string | undefined {
	const map = createColumnMapper();
	const summary = createMappingSummary();
	for (const row of rows) summary.add(map(row));
	return summary.describe();
}

const keyOf = (path: Path): string => path.join('\n');

function sentences(
	ways: ReadonlyMap<string, ReadonlySet<string>>,
	unused: readonly Path[],
): string | undefined {
	const mapped = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const known = ways.get(field);
		return known ? [`${eitherOf([...known])} to ${label}`] : [];
	});
	const parts = [
		...(mapped.length > 0 ? [`Mapped: ${mapped.join(', ')}.`] : []),
		...(unused.length > 0 ? [`Not used: ${formatColumns(unused)}.`] : []),
	];
	return parts.length > 0 ? parts.join(' ') : undefined;
}

function eitherOf(ways: readonly string[]): string {
	const shown = ways.slice(0, MAX_WAYS);
	const more = ways.length - shown.length;
	return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' or ');
}
