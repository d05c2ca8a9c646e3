import { z } from 'zod/v4';
import { priorities } from './columns.mts';
import type { TicketQuery } from './searchSchema.mts';
import type { TicketPart } from './ticket.mts';

/**
 * How the sandbox fills what the interface leaves open about tickets, with defaults. Requests that it lets wait or turns
 * away, and tickets that change between two pages, are faults.
 */
export const personality = z.strictObject({
	/** The most rows of a page, whatever is asked for. */
	largestPage: z.int().min(1).max(100).default(100),
	/** How many in a hundred tickets are hidden after the page was cut. */
	hiddenPercent: z.int().min(0).max(100).default(0),
	withoutIds: z.boolean().default(false),
	numbersAsText: z.boolean().default(false),
	/** How it writes times. */
	times: z.enum(['utc', 'noZone', 'offset', 'wholeSeconds', 'epochMs']).default('utc'),
	/** The order without a sort. */
	defaultOrder: z.enum(['newest', 'number', 'stored']).default('newest'),
	nullsFirst: z.enum(['descending', 'ascending', 'always', 'never']).default('descending'),
	/** The order of priorities, which are text otherwise. */
	priorities: z.array(z.enum(priorities)).length(priorities.length).nullable().default(null),
	/** Whether text is sorted and compared regardless of case. */
	ignoresCase: z.boolean().default(false),
	/** Whether a backslash takes the meaning of `%` and `_` in a pattern away. */
	escapes: z.boolean().default(true),
	/** What becomes of a sort or a select in the spelling that it does not take. */
	otherSpelling: z.enum(['refused', 'ignored']).default('refused'),
	/** The status of a refusal, and whether it says why. */
	refusal: z.union([z.literal(400), z.literal(422)]).default(400),
	givesDetails: z.boolean().default(true),
	/** The most sort rules, and the most values of a list; more are refused. */
	largestSort: z.int().min(1).nullable().default(null),
	largestList: z.int().min(1).nullable().default(null),
	/** What it leaves aside with a 200. */
	ignores: z.enum(['nothing', 'sort', 'select', 'filters']).default('nothing'),
	/** Whether it says that a page follows where an empty one does, or that none does where a page was not full. */
	hasNextPage: z.enum(['exact', 'late', 'early']).default('exact'),
	/** How long a ticket takes from its creation until it can be found. */
	visibleAfterMs: z.number().min(0).default(0),
	/** How far its clock is ahead of ours. */
	clockAheadMs: z.number().default(0),
});

/** How the sandbox fills what the interface leaves open. */
export type Personality = z.output<typeof personality>;

/** What the personality makes of a query: nothing, where it refuses it. */
export function bentQuery(query: TicketQuery, is: Personality): TicketQuery | undefined {
	const lists = Object.values(query.filters).flatMap((conditions) => Object.values(conditions));
	const isLong = lists.some(
		(operand) => Array.isArray(operand) && operand.length > (is.largestList ?? Infinity),
	);
	if (isLong || query.sort.length > (is.largestSort ?? Infinity)) return undefined;
	return {
		...query,
		limit: Math.min(query.limit, is.largestPage),
		...(is.ignores === 'sort' && { sort: [] }),
		...(is.ignores === 'select' && { columns: undefined }),
		...(is.ignores === 'filters' && { filters: {} }),
	};
}

/** A row as the personality writes it. */
export function bentRow(row: TicketPart, is: Personality): object {
	if (is.times === 'utc' && !is.numbersAsText && !is.withoutIds) return row;
	const { id: _, ...rest } = row;
	return Object.fromEntries(
		Object.entries(is.withoutIds ? rest : row).map(([name, value]) => {
			if (name === 'ticketNumber' && is.numbersAsText) return [name, String(value)];
			const isTime = typeof value === 'string' && isTimeColumn(name);
			return [name, isTime ? writtenTime(value, is.times) : value];
		}),
	);
}

const isTimeColumn = (name: string): boolean => /(At|Until)$/.test(name);

const TWO_HOURS_MS = 7_200_000;

function writtenTime(iso: string, times: Personality['times']): unknown {
	const ms = Date.parse(iso);
	switch (times) {
		case 'utc':
			return iso;
		case 'noZone':
			return iso.slice(0, -1);
		case 'offset':
			return new Date(ms + TWO_HOURS_MS).toISOString().replace('Z', '+02:00');
		case 'wholeSeconds':
			return iso.replace(/\.\d+/, '');
		case 'epochMs':
			return ms;
	}
}
