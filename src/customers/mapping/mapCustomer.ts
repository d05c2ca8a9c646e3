import { readCountry } from '../../core/phoneCountry';
import type { CountryCode } from '../../core/phoneNumber';
import { readRefusal, readYesNo, saysNoCalls } from '../../core/yesNo';
import { isNothing } from '../nothing';
import type { Cells, Column, Columns, Level } from './columns';
import { cellsOf, kindOf, recordAt } from './columns';
import type { Mapping, NameColumns, NumberColumn } from './createMapping';
import type { CellKind, Scalar } from './readCell';
import { isNever, readCell } from './readCell';

/** The cells of a row as fields of a customer. */
export interface MappedRow {
	readonly fields: Readonly<Record<string, unknown>>;
	/** The country that stands beside the number; text where it is none that is known. */
	readonly country?: CountryCode | { readonly unknown: string } | undefined;
}

interface Read {
	readonly value: Scalar;
	readonly column: Column;
}

/** Reads a row by the mapping of its run. */
export function mapCustomer(row: Columns, mapping: Mapping): MappedRow {
	const cells = cellsOf(row);
	const first = (columns: readonly Column[], kind: CellKind) =>
		firstIn(cells, columns, kind)?.value;
	const { identifier } = mapping;
	const number = numberIn(cells, mapping.numbers);
	const fields = {
		identifier: identifier && readCell(cells(identifier), kindOf(identifier)),
		name: nameIn(cells, mapping.names),
		phoneNumber: number?.value,
		email: first(mapping.emails, 'email'),
		priority: first(mapping.priorities, 'number'),
		isDoNotDisturbEnabled: markIn(cells, mapping.marks),
		metadata: metadataIn(cells, mapping.metadata),
	};
	const filled = Object.entries(fields).filter(([, value]) => value !== undefined);
	return { fields: Object.fromEntries(filled), country: number?.country };
}

function firstIn(cells: Cells, columns: readonly Column[], kind: CellKind): Read | undefined {
	for (const column of columns) {
		const value = readCell(cells(column), kind);
		if (value !== undefined) return { value, column };
	}
	return undefined;
}

type Numbered = { readonly value: Scalar } & Pick<MappedRow, 'country'>;

function numberIn(cells: Cells, numbers: readonly NumberColumn[]): Numbered | undefined {
	for (const { column, countries } of numbers) {
		const value = readCell(cells(column), 'phone');
		if (value === undefined || isNever(labelBeside(cells, column))) continue;
		const country = firstIn(cells, countries, 'country')?.value;
		return {
			value,
			country:
				country === undefined ? undefined : (readCountry(country) ?? { unknown: String(country) }),
		};
	}
	return undefined;
}

/** What Google's export says of a number: "Phone 1 - Label" beside "Phone 1 - Value". */
const labelBeside = (cells: Cells, { level, key }: Column): unknown =>
	/ value$/i.test(key)
		? ['Label', 'Type']
				.map((name) => cells({ level, key: key.replace(/value$/i, name) }))
				.find((label) => label)
		: undefined;

/** First and last name come before any name that is shown: that may be a company's. */
function nameIn(cells: Cells, groups: readonly NameColumns[]): Scalar | undefined {
	for (const group of groups) {
		const read = (columns: readonly Column[]) => firstIn(cells, columns, 'name');
		const [first, last] = [read(group.first), read(group.last)];
		const particle = read(group.particle);
		if (first && last) return particle ? join(first, particle, last) : join(first, last);
		const full = read(group.full);
		if (full) return full.value;
		const name = composeName(first, last, read(group.short)) ?? read(group.display)?.value;
		if (name !== undefined) return name;
	}
	return undefined;
}

/** "Nome, Cognome" and "Vorname, Name" are the two parts of a name, "First Name, Name" a part and the whole. */
function composeName(
	first: Read | undefined,
	last: Read | undefined,
	short: Read | undefined,
): Scalar | undefined {
	const part = first ?? last;
	if (!part || !short) return (part ?? short)?.value;
	const isPart = last !== undefined || (part.column.rank ?? 0) > 1;
	if (!isPart || holdsWords(short.value, part.value)) return short.value;
	return first ? join(first, short) : join(short, part);
}

const join = (...parts: readonly Read[]): string =>
	parts.map(({ value }) => String(value).trim()).join(' ');

const holdsWords = (whole: Scalar, part: Scalar): boolean =>
	` ${String(whole).trim().toLowerCase()} `.includes(` ${String(part).trim().toLowerCase()} `);

/** Of several marks any yes wins, then a word that has to be corrected: a no must not hide either. */
function markIn(cells: Cells, marks: readonly Column[]): unknown {
	let said: unknown;
	for (const column of marks) {
		const cell = cells(column);
		if (isNothing(cell) || (Array.isArray(cell) && cell.length === 0)) continue;
		if (column.mark === 'status') {
			if (saysNoCalls(cell)) return true;
			continue;
		}
		const isConsent = column.mark === 'consent';
		const read = isConsent ? readRefusal(cell) : readYesNo(cell);
		if (read === true) return true;
		// A consent that was given is no reason to call someone who is marked in the service.
		if (isConsent) continue;
		if (read === undefined) said = cell;
		else said ??= false;
	}
	return said;
}

const metadataIn = (cells: Cells, columns: readonly Column[]): unknown =>
	columns
		.map((column) => cells(column))
		.find((value) => !isNothing(value) && !Array.isArray(value));

/** The columns that a mapping reads. */
export function usedColumns(mapping: Mapping): ReadonlySet<Column> {
	const names = mapping.names.flatMap((group) =>
		Object.values<readonly Column[]>({ ...group }).flat(),
	);
	const { identifier, numbers, emails, priorities, metadata, marks } = mapping;
	const one = identifier ? [identifier] : [];
	const phones = numbers.flatMap(({ column, countries }) => [column, ...countries]);
	return new Set([...one, ...names, ...phones, ...emails, ...priorities, ...metadata, ...marks]);
}

/** The filled columns that are no field, as they stand in the row; Google Sheets adds the number of the row. */
export function remainingIn(row: Columns, mapping: Mapping, used = usedColumns(mapping)): Columns {
	return restOf(row, mapping.root, used);
}

function restOf(row: Columns, level: Level, used: ReadonlySet<Column>): Columns {
	const record = recordAt(row, level) ?? {};
	const rest = Object.keys(record).flatMap((key): Array<[string, unknown]> => {
		const value = record[key];
		const inner = level.levels.get(key);
		const column = level.columns.get(key);
		const isUsed = column !== undefined && used.has(column);
		if (isUsed || isNothing(value) || (!level.parent && key === 'row_number')) return [];
		if (inner && inner.kind !== 'other' && recordAt(row, inner)) {
			const within = restOf(row, inner, used);
			return Object.keys(within).length > 0 ? [[key, within]] : [];
		}
		return [[key, value]];
	});
	return Object.fromEntries(rest);
}
