import isEqual from 'lodash/isEqual';
import type { AdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { CallError, Client } from '../../core/client';
import type { ContractError } from '../../core/failures';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Column } from '../columns';
import { columns } from '../columns';
import type { Filters } from '../filters/schema';
import type { Dialect, Query } from '../search/query';
import { searchContractError, searchRequest } from '../search/query';
import type { Page, Ticket } from '../ticket';
import { pageSchema } from '../ticket';
import type { Member } from './dialect';
import { ignoredMembers, isRefusal, membersOf, otherDialects, rejectedMembers } from './dialect';
import { unmatchedColumn } from './disproofs';
import { escapedColumns } from './patterns';
import type { Knowledge } from './knowledge';
import { noteResult } from './knowledge';
import { identityOf } from './values';

/** What one search reads its pages with; what they show of the service is noted in `known`, for all searches of a run. */
export interface PageReader {
	readonly client: Client;
	readonly concurrency: AdaptiveConcurrency;
	readonly pageSize: number;
	readonly timeoutMs: number;
	readonly known: Knowledge;
	/** The filters that each page is checked against. */
	readonly filters: Filters;
	/** Whether the filters hold a list that several rows share. */
	readonly isList?: boolean;
	requests: number;
	/** Whether a page was taken in one order before another one showed that the service sorts otherwise. */
	isMixed?: boolean;
	/** The column by which a page shows that the service ignores a filter; nothing is read after it. */
	unmatched?: Column;
}

/** Where a page begins, and how many tickets are wanted. */
export interface PageSpan {
	readonly limit: number;
	readonly offset: number;
}

/** One way in which a page was asked for: the response, and the members that the service ignored. */
interface Attempt {
	readonly dialect: Dialect;
	readonly reply: Result<Page, CallError>;
	readonly ignored: readonly Member[];
}

/** Requests one page; where the service rejects or ignores sort or select, tries the other dialects of it. */
export async function fetchPage(
	query: Query,
	span: PageSpan,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { known } = reader;
	const attempts: Attempt[] = [];
	let { dialect } = known;
	for (;;) {
		const reply = await send({ query, span, dialect }, reader);
		const ignored = reply.ok ? ignoredMembers(query, reply.value.data) : [];
		if (ignored.includes('sort')) known.ignoredSorts.add(dialect.sort);
		const attempt = { dialect, reply, ignored };
		attempts.push(attempt);
		const wrong = reply.ok
			? wrongMembers(attempt, query, known)
			: rejectedMembers(reply.failure, query, known.taken);
		if (reply.ok && wrong.every((member) => known.ignored.has(member)))
			return take(reply.value, attempt, { query, reader });
		const isDialect = wrong.length > 0 || (!reply.ok && isRefusal(reply.failure));
		// Another search may have found the right one meanwhile.
		const others = isDialect ? [known.dialect, ...otherDialects(dialect, wrong)] : [];
		const next = others.find((one) => !attempts.some((before) => isEqual(before.dialect, one)));
		if (next !== undefined && known.down === undefined) {
			dialect = next;
			continue;
		}
		const kept = attempts.find((one) => one.reply.ok) ?? attempts[0];
		if (kept?.reply.ok) return take(kept.reply.value, kept, { query, reader });
		await probe(reply, query, reader);
		return kept?.reply ?? reply;
	}
}

/** The members that are not written in the way of the service, by this page or an earlier one: rows may be in order by chance. */
function wrongMembers(
	{ dialect, ignored }: Attempt,
	{ sort }: Query,
	{ ignoredSorts }: Knowledge,
): readonly Member[] {
	const isWrongWay = sort.length > 0 && ignoredSorts.has(dialect.sort);
	return isWrongWay ? [...new Set([...ignored, 'sort' as const])] : ignored;
}

/** Takes a page, notes what it shows of the service, and checks each row of it against the filters. */
function take(
	page: Page,
	{ dialect, ignored }: Attempt,
	{ query, reader }: { query: Query; reader: PageReader },
): Result<Page, CallError> {
	const { known, filters } = reader;
	const news = ignored.filter((member) => !known.ignored.has(member));
	// An earlier page was in another order, and looked right.
	const isOtherWay = dialect.sort !== known.dialect.sort;
	if (known.taken.has('sort') && (isOtherWay || news.includes('sort'))) reader.isMixed = true;
	for (const member of membersOf(query))
		(news.includes(member) ? known.ignored : known.taken).add(member);
	known.rulesTaken = Math.max(known.rulesTaken, query.sort.length);
	known.dialect = dialect;
	known.isUp = true;
	known.onPage?.();
	if (hasTwins(page.data)) return fail(TWINS);
	const unmatched = unmatchedColumn(filters, page.data);
	if (unmatched === undefined) return ok(page);
	reader.unmatched = unmatched;
	return fail(ignoredFilter(unmatched, filters));
}

/** Whether tickets without an ID cannot be told apart. */
function hasTwins(rows: readonly Ticket[]): boolean {
	const unnamed = rows.filter(({ id, ticketNumber }) => (id ?? null) === null && ticketNumber);
	const distinct = new Set(unnamed.map((row) => JSON.stringify(row)));
	return new Set(unnamed.map(identityOf)).size < distinct.size;
}

const TWINS = searchContractError(
	'The service returned tickets without an ID, and some have the same number, so the node cannot tell them apart',
);

/** Finds out once per run whether the service rejects any search at all, as it does without a slug that it needs, or only these filters. */
async function probe(
	reply: Result<Page, CallError>,
	query: Query,
	reader: PageReader,
): Promise<void> {
	const { known } = reader;
	if (reply.ok || !isRefusal(reply.failure) || reader.isList === true) return;
	if (!known.mayProbe || known.isUp) return;
	known.mayProbe = false;
	for (const plain of [
		{ ...query, filters: {} },
		{ filters: {}, sort: [], select: [] },
	]) {
		const asking = { ...reader, filters: {}, requests: 0 };
		const page = await fetchPage(plain, { limit: 1, offset: 0 }, asking);
		reader.requests += asking.requests;
		if (page.ok) return;
		if (plain.sort.length === 0) known.down ??= page.failure;
	}
}

async function send(
	asked: { query: Query; span: PageSpan; dialect: Dialect },
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { timeoutMs, client, concurrency, known } = reader;
	if (known.down) return fail(known.down);
	reader.requests += 1;
	const request = searchRequest(asked.query, asked.span, asked.dialect);
	const timed = { ...request, isPaced: true, timeoutMs };
	const result = await client.call(timed, pageSchema, concurrency);
	noteResult(known, result, reader.isList === true);
	return result;
}

/** The error of rows that do not match what was asked for. */
export const ignoredFilter = (column: Column, filters: Filters = {}): ContractError =>
	searchContractError(
		escapedColumns(filters).includes(column)
			? `The service ignores the filter on ${columns[column].label}, or a backslash before % or _ in it. Use Matches Pattern with _ in place of the character`
			: `The service ignores the filter on ${columns[column].label}: it returned a ticket that does not match. Remove the filter, and use a Filter node instead`,
	);
