import { z } from 'zod/v4';
import { columns, mapColumns } from './columns.mts';
import type { Column } from './columns.mts';
import { filters } from './filterSchema.mts';
import type { Filters } from './filterSchema.mts';
import type { Spelling } from './options.mts';
import { json, refusal } from './reply.mts';
import type { Issue, Reply } from './reply.mts';
import type { World } from './world.mts';

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
};

/** A search without its spelling. */
export interface TicketQuery {
	filters: Filters;
	limit: number;
	offset: number;
	sort: ReadonlyArray<{ column: Column; direction: 'asc' | 'desc' }>;
	columns: readonly Column[] | undefined;
}

/** Checks the body of a search in the spelling that the sandbox accepts. */
function readTicketQuery(body: unknown, spelling: Spelling): TicketQuery | z.core.$ZodIssue[] {
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
		columns:
			select === undefined || Array.isArray(select)
				? select
				: columns.filter((name) => select[name] === true),
	};
}

/** Returns a page of tickets, and whether there are more (POST /tickets/search). */
export function searchTickets(world: World, body: unknown): Reply {
	const query = readTicketQuery(body, world.options.spelling);
	if (Array.isArray(query)) return refusal(400, query as Issue[]);
	const { rows, hasNextPage } = world.tickets.search(query);
	world.ticketsReturned += rows.length;
	return json(200, { data: rows, metadata: { hasNextPage } });
}
