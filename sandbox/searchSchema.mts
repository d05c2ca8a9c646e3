import { z } from 'zod/v4';
import { columns, mapColumns } from './columns.mts';
import type { Column } from './columns.mts';
import { filters } from './filterSchema.mts';
import type { Filters } from './filterSchema.mts';
import type { Spelling } from './options.mts';

const direction = z.enum(['asc', 'desc']);
const column = z.enum(columns);

const formalSort = z.strictObject({ field: column, direction });
const narrativeSort = z.strictObject({ column, direction });
const formalSelect = z.strictObject(mapColumns(() => z.boolean().optional()));
const narrativeSelect = z.array(column);

const pagination = z.strictObject({
	limit: z.int().min(1).max(100).default(25),
	offset: z.int().min(0).default(0),
});

function searchBody<Sort extends z.ZodType, Select extends z.ZodType>(sort: Sort, select: Select) {
	return z.strictObject({
		filters: filters.optional(),
		pagination: pagination.prefault({}),
		sort: z.array(sort).optional(),
		select: select.optional(),
	});
}

const bodies = {
	formal: searchBody(formalSort, formalSelect),
	narrative: searchBody(narrativeSort, narrativeSelect),
	both: searchBody(z.union([formalSort, narrativeSort]), z.union([formalSelect, narrativeSelect])),
};

/** A search as the database sees it, whatever its spelling was. */
export interface TicketQuery {
	filters: Filters;
	limit: number;
	offset: number;
	sort: ReadonlyArray<{ column: Column; direction: 'asc' | 'desc' }>;
	columns: readonly Column[] | undefined;
}

type Selection = Column[] | Partial<Record<Column, boolean>>;

function selectedColumns(select: Selection | undefined): readonly Column[] | undefined {
	if (select === undefined || Array.isArray(select)) return select;
	return columns.filter((name) => select[name] === true);
}

/** Checks the body of POST /tickets/search in the spelling that the sandbox is set to accept. */
export function readTicketQuery(
	body: unknown,
	spelling: Spelling,
): TicketQuery | z.core.$ZodIssue[] {
	const parsed = bodies[spelling].safeParse(body);
	if (!parsed.success) return parsed.error.issues;
	const { pagination: page, sort = [], select } = parsed.data;
	return {
		filters: (parsed.data.filters ?? {}) as Filters,
		...page,
		sort: sort.map((rule) => ({
			column: 'field' in rule ? rule.field : rule.column,
			direction: rule.direction,
		})),
		columns: selectedColumns(select),
	};
}
