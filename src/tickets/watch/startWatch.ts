import omit from 'lodash/omit';
import { z } from 'zod/v4';
import type { Client } from '../../core/client';
import { choice, listOf, timeout, wholeNumber } from '../../core/fields';
import { problemsOf } from '../../core/operation';
import { createPace } from '../../core/pace';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Column } from '../columns';
import { columnNames } from '../columns';
import type { Query } from '../query';
import { LARGEST_PAGE } from '../query';
import { filterParameters, readFilters } from '../readFilters';
import type { Means } from '../readers/askPage';
import { formal, narrative } from '../spelling';
import type { Ticket } from '../ticket';
import type { Event, EventColumn } from './events';
import { events } from './events';

const PARALLEL = 4;
const MINUTE = 60_000;

const input = z.looseObject({
	event: z.enum(Object.keys(events) as [Event, ...Event[]], {
		error: 'is not an event. Choose one from the list',
	}),
	...filterParameters,
	options: z
		.looseObject({
			columns: listOf(columnNames, 'ticket column').default([]),
			emptyValue: choice(['stop', 'skip', 'matchEmpty']).default('stop'),
			maximumTickets: wholeNumber(1).default(1_000),
			overlap: wholeNumber(0, 1_440).default(5),
			spelling: choice(['auto', 'formal', 'narrative']).default('auto'),
			timeout: timeout.prefault(60),
		})
		.prefault({}),
});

/** What a watch needs from its host. */
export interface Post {
	readonly client: Client;
	readonly zone: string;
	readonly now: () => number;
}

/** What to watch, as the parameters say. */
export interface Watch {
	readonly column: EventColumn;
	readonly query: Query;
	/** Ms by which each poll looks back behind the last one. */
	readonly overlap: number;
	/** The most tickets to hand out in one poll. */
	readonly most: number;
	readonly means: Means;
	/** A row as it is handed out, without the columns that only the watch needs. */
	readonly show: (row: Ticket) => Ticket;
}

/** Reads the parameters of a watch. */
export function startWatch(parameters: unknown, { client, zone, now }: Post): Result<Watch> {
	const parsed = input.safeParse(parameters);
	if (!parsed.success) return fail({ kind: 'input', problems: problemsOf(parsed.error) });
	const { event, options } = parsed.data;
	const compiled = readFilters(parsed.data, { zone, now: now(), emptyValue: options.emptyValue });
	if (!compiled.ok) return compiled;
	const column = events[event];
	const { columns } = options;
	const needed: readonly Column[] = ['id', 'ticketNumber', column];
	const extra = columns.length === 0 ? [] : needed.filter((name) => !columns.includes(name));
	return ok({
		column,
		query: { filters: compiled.value.filters, sort: [], select: [...columns, ...extra] },
		overlap: options.overlap * MINUTE,
		most: options.maximumTickets,
		means: {
			client,
			pace: createPace({ start: PARALLEL, most: PARALLEL }),
			pageSize: LARGEST_PAGE,
			findSpelling: options.spelling === 'auto',
			spelling: options.spelling === 'narrative' ? narrative : formal,
			timeout: options.timeout,
			requests: 0,
		},
		show: (row) => (extra.length === 0 ? row : omit(row, extra)),
	});
}
