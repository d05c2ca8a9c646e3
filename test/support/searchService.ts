import pick from 'lodash/pick';
import type { HttpResponse } from '../../src/core/http';
import { reply } from './fakeRuntime';
import { listOf, members } from './samples';
import type { TicketRow } from './tickets';
import { findTickets, page } from './tickets';

/** The differences between services that the document of the interface allows. */
export interface Habits {
	readonly spelling: 'formal' | 'narrative';
	readonly refusal: 400 | 422;
}

/** Answers a search as the interface describes it. */
export function answerSearch(
	tickets: readonly TicketRow[],
	body: unknown,
	{ spelling, refusal }: Habits,
): HttpResponse {
	const { filters, select } = members(body);
	const key = spelling === 'formal' ? 'field' : 'column';
	const rules = listOf(body, 'sort').map(members);
	const isRight =
		rules.every((rule) => key in rule) &&
		(select === undefined || Array.isArray(select) === (spelling === 'narrative'));
	if (!isRight) return reply(refusal, { code: 'BAD_REQUEST', message: 'Invalid input data' });
	const [data, hasNextPage] = findTickets(tickets, body, members(filters));
	const columns = Array.isArray(select) ? (select as string[]) : Object.keys(members(select));
	return page(columns.length > 0 ? data.map((row) => pick(row, columns)) : data, hasNextPage);
}
