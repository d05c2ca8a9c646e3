import compact from 'lodash/compact';
import mapValues from 'lodash/mapValues';
import pickBy from 'lodash/pickBy';
import uniq from 'lodash/uniq';
import type { Sources } from '../../bulk/plan';
import { customerFields } from '../customer';
import type { Mapping } from './mapping';
import type { Column, Level } from './table';
import { allColumns, formatColumns, nameOf } from './table';

/** Under this name stand the columns that are there and empty in all rows: what was read from them is not lost. */
export const EMPTY = 'emptyColumns';

/** Which columns a mapping reads for which field. */
export const sourcesOf = (mapping: Mapping): Sources => ({
	// A status is a mark only as long as it says so of someone.
	...sourcesWith(mapping, ({ mark }) => mark !== 'status'),
	[EMPTY]: allColumns(mapping.root)
		.filter(({ filled }) => filled === 0)
		.map(nameOf),
});

function sourcesWith({ ways, marks }: Mapping, isSource: (mark: Column) => boolean): Sources {
	const sources = {
		...mapValues(ways, (each) => uniq(compact(each.map(({ name }) => name)))),
		isDoNotDisturbEnabled: marks.filter((mark) => mark.filled > 0 && isSource(mark)).map(nameOf),
	};
	return pickBy(sources, ({ length }) => length > 0);
}

const ACCEPT = "If that is right, turn off 'Skip Unchanged Customers' for one run";

/**
 * Says what has changed for the worse since the last run: a field has no column any more, or the identifier comes from another one,
 * so customers would be sent without it or once more under another ID. Undefined where nothing has.
 */
export function compareSources(
	before: Sources | undefined,
	now: Sources | undefined,
): string | undefined {
	if (!before || !now) return undefined;
	const [from, to] = [before['identifier']?.[0], now['identifier']?.[0]];
	if (from !== undefined && to !== undefined && from !== to)
		return `Not sent, because Identifier was read from '${from}' until now and would be read from '${to}'. Each customer would be created again. Set Identifier Column to '${from}'. ${ACCEPT}`;
	const isEmpty = (way: string): boolean =>
		way.split(' + ').some((name) => now[EMPTY]?.includes(name));
	const lost = Object.entries(customerFields).flatMap(([field, { label }]) =>
		before[field]?.length && !now[field]?.length && !before[field].some(isEmpty)
			? [`${label} ('${before[field].join("', '")}')`]
			: [],
	);
	return lost.length === 0
		? undefined
		: `Not sent, because the rows have no column any more for ${lost.join(', ')}. Check whether it was renamed. ${ACCEPT}`;
}

/** What a mapping reads and does not read, in words: "Mapped: Vorname + Name to Name. Not used: Ort." */
export function describeMapping(mapping: Mapping): string | undefined {
	const sources = sourcesWith(mapping, () => true);
	const mapped = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const ways = sources[field];
		return ways ? [`${eitherOf(ways)} to ${label}`] : [];
	});
	const unused = unusedColumns(mapping.root, mapping.used);
	const parts = [
		...(mapped.length > 0 ? [`Mapped: ${mapped.join(', ')}.`] : []),
		...(unused.length > 0 ? [`Not used: ${formatColumns(unused)}.`] : []),
	];
	return parts.length > 0 ? parts.join(' ') : undefined;
}

const MAX_WAYS = 3;

function eitherOf(ways: readonly string[]): string {
	const more = ways.length - MAX_WAYS;
	return [...ways.slice(0, MAX_WAYS), ...(more > 0 ? [`${more} more`] : [])].join(' or ');
}

/** The filled columns that are no field, of the row and of the objects that are opened. */
function unusedColumns({ columns, levels }: Level, used: ReadonlySet<Column>): Column[] {
	const unused = [...columns.values()].filter((each) => each.filled > 0 && !used.has(each));
	const isOpened = (level: Level | undefined): level is Level =>
		level !== undefined && level.kind !== 'other' && level.columns.size > 0;
	const inner = unused.map(({ key }) => levels.get(key)).filter(isOpened);
	return [
		...unused.filter(({ key }) => !isOpened(levels.get(key))),
		...inner.flatMap((level) => unusedColumns(level, used)),
	];
}

/** Says which columns are named like a mark, or say yes or no of calls, but those that are used, or stand in one that is. */
export const unusedMarks = (root: Level, used: ReadonlySet<Column> = new Set()): string[] =>
	allColumns(root)
		.filter((column) => column.filled > 0 && !used.has(column) && !isWithin(column.level, used))
		.flatMap((column) =>
			column.mark === 'mark'
				? [`'${nameOf(column)}' looks like a do-not-call mark and is not used`]
				: column.answersOfCalls
					? [`'${nameOf(column)}' says yes or no about calls and is not used`]
					: [],
		);

const isWithin = ({ parent, key }: Level, used: ReadonlySet<Column>): boolean => {
	const column = parent?.columns.get(key);
	return column !== undefined && used.has(column);
};
