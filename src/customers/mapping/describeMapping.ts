import type { Sources } from '../../bulk/plan';
import { customerFields } from '../customer';
import type { Column, Level, Path } from './columns';
import { pathOf } from './columns';
import type { Mapping } from './createMapping';
import { allColumns } from './createMapping';
import { formatColumns, nameOf } from './formatColumns';
import { usedColumns } from './mapCustomer';

const MAX_WAYS = 3;

/** Which columns a mapping reads for which field. */
export function sourcesOf(mapping: Mapping): Sources {
	const { identifier, numbers, emails, priorities, marks, metadata } = mapping;
	const ways: Record<string, readonly string[]> = {
		identifier: identifier ? [identifier].map(wayOf) : [],
		name: namesOf(mapping),
		phoneNumber: numbers.map(({ column }) => wayOf(column)),
		email: emails.map(wayOf),
		priority: priorities.map(wayOf),
		isDoNotDisturbEnabled: marks
			.filter(({ filled, mark }) => filled > 0 && mark !== 'status')
			.map(wayOf),
		metadata: metadata.map(wayOf),
	};
	return Object.fromEntries(Object.entries(ways).filter(([, columns]) => columns.length > 0));
}

const wayOf = (column: Column): string => nameOf(pathOf(column));

function namesOf({ names }: Mapping): string[] {
	const ways = names.flatMap(({ first, last, full, short, display }) => {
		const whole = full.map(wayOf);
		const [one, other] = [first[0], last[0] ?? short[0]];
		if (one && other) return [`${wayOf(one)} + ${wayOf(other)}`, ...whole];
		if (last[0] && short[0]) return [`${wayOf(short[0])} + ${wayOf(last[0])}`, ...whole];
		const parts = [...whole, ...[...first, ...last, ...short].map(wayOf)];
		return parts.length > 0 ? parts : display.map(wayOf);
	});
	return [...new Set(ways)];
}

/** What a mapping reads and does not read, in words: "Mapped: Vorname + Name to Name. Not used: Ort." */
export function describeMapping(mapping: Mapping): string | undefined {
	const marks = mapping.marks.filter(({ filled }) => filled > 0).map(wayOf);
	const sources: Sources = {
		...sourcesOf(mapping),
		...(marks.length > 0 && { isDoNotDisturbEnabled: marks }),
	};
	const mapped = Object.entries(customerFields).flatMap(([field, { label }]) => {
		const ways = sources[field];
		return ways ? [`${eitherOf(ways)} to ${label}`] : [];
	});
	const unused = unusedColumns(mapping).map(pathOf);
	const parts = [
		...(mapped.length > 0 ? [`Mapped: ${mapped.join(', ')}.`] : []),
		...(unused.length > 0 ? [`Not used: ${formatColumns(unused)}.`] : []),
	];
	return parts.length > 0 ? parts.join(' ') : undefined;
}

/** The filled columns that are no field, of the row and of the objects that are opened. */
function unusedColumns(mapping: Mapping): Column[] {
	const used = usedColumns(mapping);
	const within = ({ columns, levels }: Level): Column[] => {
		const unused = [...columns.values()].filter((each) => each.filled > 0 && !used.has(each));
		const inner = unused.map(({ key }) => levels.get(key)).filter(isOpened);
		return [...unused.filter(({ key }) => !isOpened(levels.get(key))), ...inner.flatMap(within)];
	};
	return within(mapping.root);
}

const isOpened = (level: Level | undefined): level is Level =>
	level !== undefined && level.kind !== 'other' && level.columns.size > 0;

/** The columns that are named like a mark and are not read, because they are not the person's. */
export function unusedMarks(mapping: Mapping): readonly Path[] {
	const used = usedColumns(mapping);
	return allColumns(mapping.root)
		.filter((column) => isMark(column) && !used.has(column))
		.map(pathOf);
}

/** The columns of rows that are named like a mark. */
export const markColumns = (root: Level): readonly Path[] =>
	allColumns(root).filter(isMark).map(pathOf);

const isMark = ({ mark, filled }: Column): boolean => mark === 'mark' && filled > 0;

function eitherOf(ways: readonly string[]): string {
	const shown = ways.slice(0, MAX_WAYS);
	const more = ways.length - shown.length;
	return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(' or ');
}
