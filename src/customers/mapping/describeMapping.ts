import compact from 'lodash/compact';
import difference from 'lodash/difference';
import mapValues from 'lodash/mapValues';
import partition from 'lodash/partition';
import pickBy from 'lodash/pickBy';
import uniq from 'lodash/uniq';
import type { Sources } from '../../bulk/plan';
import { shorten, someOf } from '../../core/text';
import { isUnclearMark } from '../../core/yesNo';
import { customerFields, MARK } from '../customer';
import type { Mapping, Way } from './mapping';
import type { Column, Level } from './table';
import { allColumns, formatColumns, nameOf, pathOf } from './table';

/** Under these names stand the columns of the rows that have a value in none, and all that they have: no fields are read from them. */
const EMPTY = 'emptyColumns';
const ALL = 'allColumns';
export const OF_RUN = [EMPTY, ALL];
/** The prefix of a run, which counts without a mapping, too. */
const PREFIX = 'prefix';
/** Without one: the fields that have a value in any row, and the columns that the rows came with. */
const [FILLED, INPUT] = ['filledFields', 'inputColumns'];

/** What a run without a mapping has to remember. */
export const sourcesOfFields = (fields: string[], input: Level, prefix: string): Sources => ({
	[PREFIX]: [prefix],
	[FILLED]: fields,
	[INPUT]: allColumns(input).map(pathOf),
});

/** Which columns a mapping reads for which field, and with which prefix. */
export function sourcesOf(mapping: Mapping, prefix: string): Sources {
	const all = allColumns(mapping.root);
	return {
		...sourcesIn(mapping),
		[PREFIX]: [prefix],
		[EMPTY]: all.filter(({ filled }) => filled === 0).map(pathOf),
		[ALL]: all.map(pathOf),
	};
}

function sourcesIn({ ways, marks }: Mapping): Sources {
	const namesOf = (each: readonly Way[]) => uniq(compact(each.map(({ name }) => name)));
	const sources = {
		...mapValues(ways, namesOf),
		country: namesOf(ways.phoneNumber.flatMap(({ countries = [] }) => countries)),
		[MARK]: marks.filter(({ filled }) => filled > 0).map(pathOf),
	};
	return pickBy(sources, ({ length }) => length > 0);
}

const ACCEPT = "If that is right, turn off 'Skip Unchanged Customers' for one run";

/** Columns as they are shown: only here a name may be cut. */
const namesOf = (ways: readonly string[]): string => someOf(ways, "'");

const partsOf = (way: string): string[] => way.split(' + ');

/**
 * Says what has changed for the worse since the last run: a field has no column any more, or customers would be created once more
 * under another ID. Numbers would be read in another country, and marks taken back, so all that says one of these has to be there.
 */
export function compareSources(before: Sources = {}, now: Sources = {}): string | undefined {
	for (const [name, describe] of Object.entries(renaming)) {
		const [from, to] = [before[name]?.[0], now[name]?.[0]];
		if (from !== undefined && to !== undefined && from !== to)
			return `Not sent, because ${describe(from, to)}. ${ACCEPT}`;
	}
	const emptied = difference(now[FILLED] && before[FILLED], now[FILLED] ?? []);
	const gone = difference(before[INPUT], now[INPUT] ?? []);
	// A field may be empty in all rows that there are, but not as a column went.
	if (emptied.length > 0 && gone.length > 0)
		return `Not sent, because ${emptied.join(' and ')} had values in the last run and has none now, and the rows have no ${namesOf(gone)} any more. Check what it is mapped to. ${ACCEPT}`;
	const { [ALL]: all, [EMPTY]: empty = [] } = now;
	const isLost = (field: string, ways: readonly string[]): boolean =>
		field === MARK
			? ways.some((name) => !all?.includes(name))
			: !now[field] &&
				(field === 'country' || !ways.flatMap(partsOf).some((name) => empty.includes(name)));
	const labels = { ...mapValues(customerFields, 'label'), country: 'Country' };
	const lost = Object.entries(labels).flatMap(([field, label]) => {
		const ways = before[field];
		return ways && isLost(field, ways) ? [`${label} (${namesOf(ways)})`] : [];
	});
	return !all || lost.length === 0
		? undefined
		: `Not sent, because the rows have no column any more for ${lost.join(', ')}. Check whether it was renamed. ${ACCEPT}`;
}

/** What gives customers another ID, in words. */
const renaming = {
	identifier: (from: string, to: string): string =>
		`Identifier was read from '${from}' until now and would be read from '${to}'. Each customer would be created again. Set the option 'Identifier Column' to '${from}'`,
	[PREFIX]: (from: string, to: string): string =>
		`Identifier Prefix was '${from}' until now and is '${to}'. Each customer would be created again. Set it as before`,
};

/** Names the columns that were read in the last run and are not there any more, though others take their place. */
export function goneColumns(before: Sources = {}, now: Sources = {}): string[] {
	const ways = Object.keys(customerFields).flatMap((field) => (now[field] && before[field]) ?? []);
	const gone = uniq(ways.flatMap(partsOf)).filter((name) => !now[ALL]?.includes(name));
	return gone.length === 0 ? [] : [`Columns that the last run read are gone: ${namesOf(gone)}`];
}

const MAX_WAYS = 3;

/** What a mapping reads and does not read, in words: "Mapped: Vorname + Name to Name. Not used: Ort." */
export function describeMapping(mapping: Mapping): string | undefined {
	const sources = sourcesIn(mapping);
	const mapped = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const ways = sources[field] ?? [];
		const more = ways.length > MAX_WAYS ? [`${ways.length - MAX_WAYS} more`] : [];
		const shown = [...ways.slice(0, MAX_WAYS).map((way) => shorten(way, 80)), ...more].join(' or ');
		return shown === '' ? [] : [`${shown} to ${label}`];
	});
	const unused = unusedColumns(mapping.root, mapping.used);
	const parts = compact([
		mapped.length > 0 && `Mapped: ${mapped.join(', ')}.`,
		unused.length > 0 && `Not used: ${formatColumns(unused)}.`,
	]);
	return parts.join(' ') || undefined;
}

/** Says of what people have that no column gives it, though there are others: it may have a name that is not known. */
export function missingFields({ root, ways, used }: Mapping): string | undefined {
	const missing = (['name', 'phoneNumber'] as const).filter(
		(field) => !ways[field].some(({ name }) => name),
	);
	if (missing.length === 0 || unusedColumns(root, used).length === 0) return undefined;
	const labels = missing.map((field) => customerFields[field].label).join(' or ');
	return `No filled column is read as ${labels}. Rename the one that has it, or choose Map Each Column Manually`;
}

/** The filled columns that are no field, of the row and of the objects that are opened. */
function unusedColumns({ columns }: Level, used: ReadonlySet<string>): Column[] {
	const unused = [...columns.values()].filter((each) => each.filled > 0 && !used.has(pathOf(each)));
	const isOpened = ({ inner }: Column): boolean =>
		inner !== undefined && inner.kind !== 'other' && inner.columns.size > 0;
	const [opened, own] = partition(unused, isOpened);
	return [...own, ...opened.flatMap(({ inner }) => (inner ? unusedColumns(inner, used) : []))];
}

/** Says which numbers and addresses are not read, because their label may be that of someone else. */
export const otherLabels = (root: Level): string[] =>
	allColumns(root).flatMap((column) =>
		column.otherLabel === undefined
			? []
			: [
					`'${nameOf(column)}' has an entry '${shorten(column.otherLabel, 40)}', which may be someone else's and is not used`,
				],
	);

/** Says which columns are named like a mark, or say yes or no of calls, but those that are used, or stand in one that is. */
export function unusedMarks(root: Level, used: ReadonlySet<string> = new Set()): string[] {
	const all = allColumns(root).filter(({ filled }) => filled > 0);
	const hasMark = all.some(({ mark }) => mark === 'mark');
	return all
		.filter((each) => !used.has(pathOf(each)) && !used.has(pathOf(each.level.column ?? each)))
		.flatMap((column) =>
			column.mark === 'mark' || (!hasMark && (column.mark === 'date' || isUnclearMark(column.key)))
				? [`'${nameOf(column)}' looks like a do-not-call mark and is not used`]
				: column.mark === 'status'
					? [`'${nameOf(column)}' says of someone not to call and is not used`]
					: column.answersOfCalls
						? [`'${nameOf(column)}' may say yes or no to calls and is not used`]
						: [],
		);
}
