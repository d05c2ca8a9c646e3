import get from 'lodash/get';
import isArray from 'lodash/isArray';
import isEmpty from 'lodash/isEmpty';
import isEqual from 'lodash/isEqual';
import isObject from 'lodash/isObject';
import { z } from 'zod/v4';
import type { AdaptiveConcurrency } from '../../core/pacing';
import type { CallError, Client } from '../../core/client';
import type { ContractError } from '../../core/failures';
import type { Request } from '../../core/http';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import { isOutage, MAX_FAILURES } from '../../core/retry';
import { isBlank, shorten, textOf } from '../../core/text';
import type { Column } from '../columns';
import { columns } from '../columns';
import type { Filters } from '../filters/schema';
import type { Dialect, Query } from '../search/query';
import { ENDLESS, formal, searchContractError, searchRequest } from '../search/query';
import type { Ticket } from '../ticket';
import type { Member } from './dialect';
import {
	isOrderOpen,
	isOutOfOrder,
	isRefusal,
	members,
	otherDialects,
	rejectedMembers,
	showUnselected,
} from './dialect';
import { unmatchedColumn } from './disproofs';
import { escapedColumns } from './patterns';
import { identityOf } from './values';

/** What the pages of a run have shown of the service; each assumption of `assumptions.md` that can be measured is here. */
export interface Knowledge {
	/** How it writes sort and select, by the last page that came. */
	dialect: Dialect;
	/** The members of a search that it took in one dialect, and those that it ignores in each. */
	readonly taken: Set<Member>;
	readonly ignored: Set<Member>;
	/** The spellings of a sort that a page showed to be ignored; other pages may be in order by chance. */
	readonly ignoredSorts: Set<Dialect['sort']>;
	/** Whether a page was the same with its sort turned round, by the spelling of the sort. */
	readonly sameTurned: Map<Dialect['sort'], Promise<boolean>>;
	/** A search whose sort could not be turned round: it ends there, since a service that fails is left alone. */
	unproven?: { readonly query: Query; readonly failure: CallError };
	/** The most rules of a sort that it takes, where it takes few. */
	maxRules?: number;
	/** So many rules were taken, so no refusal is about them. */
	rulesTaken: number;
	/** The most tickets of a page that it was measured to give, where it gives fewer than were asked for. */
	pageSize?: number;
	/** Whether it hides tickets after it cut a page, so a page shows only some of its places. */
	hides?: boolean;
	/** Whether pages were found to have no end, so no other search looks for it. */
	isEndless?: Promise<boolean>;
	/** Whether one plain search may show that all are rejected alike; a single search shows that by itself. */
	mayProbe: boolean;
	/** Whether any page came. */
	isUp: boolean;
	/** Told of the first page that came. */
	onPage?: () => void;
	/** Why nothing more is sent. */
	down?: CallError;
	/** Requests in a row that ended without a response that could be used. */
	failures: number;
}

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

/** A service about which nothing is known yet. */
export const unknownService = (): Knowledge => ({
	...{ dialect: formal, taken: new Set(), ignored: new Set(), ignoredSorts: new Set() },
	sameTurned: new Map(),
	...{ mayProbe: false, isUp: false, rulesTaken: 0, failures: 0 },
});

/** A response that says no, as an error of the service does with another status: 'no tickets' would be wrong, and a part of them. */
function refuseNo(body: unknown, context: z.RefinementCtx): void {
	const { data, status, success, error, errors, message } = Object(body) as Record<string, unknown>;
	const isNo =
		/^(err|fail|denied|unauth|forbid|[45]\d\d$)/i.test(textOf(status)) || success === false;
	const wrong = [error, get(errors, 0, errors)].find((one) =>
		isObject(one) ? !isEmpty(one) : Boolean(one),
	);
	if (!isNo && wrong === undefined && (isArray(data) || !isEmpty(data))) return;
	const said = { error: wrong, message, success: success === false && 'is false', status };
	for (const [name, one] of Object.entries(said)) {
		const words = get(one, 'message', one);
		if (words && !isBlank(words))
			return context.addIssue({ code: 'custom', path: [name], message: shorten(textOf(words)) });
	}
}

/** The response of a ticket search; rows are objects and are passed on as they are (interface: POST /tickets/search). */
export const pageSchema = z
	.unknown()
	.superRefine(refuseNo)
	.pipe(
		z.looseObject({
			data: z.array(
				z.custom<Ticket>((row) => isObject(row) && !isArray(row), 'a row is not an object'),
			),
			metadata: z.looseObject({ hasNextPage: z.boolean() }),
		}),
	);

/** One page of tickets. */
export type Page = z.infer<typeof pageSchema>;

/** Where a page begins, and how many tickets are wanted. */
export interface PageSpan {
	readonly limit: number;
	readonly offset: number;
}

/** One way in which a page was asked for: the response, and the members that are not written in the way of the service. */
interface Attempt {
	readonly dialect: Dialect;
	readonly reply: Result<Page, CallError>;
	readonly wrong: readonly Member[];
}

/** Requests one page; where the service rejects or ignores sort or select, tries the other dialects of it. */
export async function fetchPage(
	query: Query,
	span: PageSpan,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const { known } = reader;
	if (known.unproven?.query === query) return fail(known.unproven.failure);
	const attempts: Attempt[] = [];
	let next: Dialect | undefined = known.dialect;
	while (next !== undefined) {
		const dialect: Dialect = next;
		const reply = await send(searchRequest(query, span, dialect), reader);
		if (reply.ok && (await isSameTurned(reply.value, { query, span, dialect }, reader)))
			known.ignoredSorts.add(dialect.sort);
		const attempt = { dialect, reply, wrong: wrongMembers(reply, dialect, { query, known }) };
		const { wrong } = attempt;
		// What failed otherwise says nothing of how it was written.
		if (attempts.length > 0 && !reply.ok && !isRefusal(reply.failure)) return reply;
		attempts.push(attempt);
		if (reply.ok && wrong.every((member) => known.ignored.has(member)))
			return take(reply.value, attempt, { query, reader });
		const isDialect = wrong.length > 0 || (!reply.ok && isRefusal(reply.failure));
		// Another search may have found the right one meanwhile.
		const others =
			isDialect && !known.down ? [known.dialect, ...otherDialects(dialect, wrong)] : [];
		next = others.find((one) => !attempts.some((before) => isEqual(before.dialect, one)));
	}
	const kept = attempts.find(({ reply }) => reply.ok) ?? attempts[0];
	if (kept?.reply.ok) return take(kept.reply.value, kept, { query, reader });
	await probe(attempts.at(-1)?.reply, query, reader);
	return kept?.reply ?? fail(ENDLESS);
}

/** Whether a page is the same with its sort turned round, in an order that only the service knows; asked once for each spelling. */
async function isSameTurned(
	{ data }: Page,
	{ query, span, dialect }: { query: Query; span: PageSpan; dialect: Dialect },
	reader: PageReader,
): Promise<boolean> {
	if (!isOrderOpen(data, query.sort)) return false;
	const ask = async (): Promise<boolean> => {
		const sort = query.sort.map((rule) => ({ ...rule, direction: turned[rule.direction] }));
		const reply = await send(searchRequest({ ...query, sort }, span, dialect), reader);
		if (reply.ok) return isEqual(reply.value.data.map(identityOf), data.map(identityOf));
		reader.known.unproven = { query, failure: reply.failure };
		return false;
	};
	const { sameTurned } = reader.known;
	const asked = sameTurned.get(dialect.sort) ?? ask();
	sameTurned.set(dialect.sort, asked);
	return await asked;
}

const turned = { asc: 'desc', desc: 'asc' } as const;

/** The members that are not written in the way of the service, by this page or an earlier one: rows may be in order by chance. */
function wrongMembers(
	reply: Attempt['reply'],
	dialect: Dialect,
	{ query, known }: { query: Query; known: Knowledge },
): readonly Member[] {
	if (!reply.ok) return rejectedMembers(reply.failure, query, known.taken);
	const { sort, select } = query;
	const { data } = reply.value;
	if (isOutOfOrder(data, sort)) known.ignoredSorts.add(dialect.sort);
	const isIgnored = {
		sort: sort.length > 0 && known.ignoredSorts.has(dialect.sort),
		select: select.length > 0 && showUnselected(data, select),
	};
	return members.filter((member) => isIgnored[member]);
}

/** Takes a page, notes what it shows of the service, and checks each row of it against the filters. */
function take(
	page: Page,
	{ dialect, wrong }: Attempt,
	{ query, reader }: { query: Query; reader: PageReader },
): Result<Page, CallError> {
	const { known, filters } = reader;
	const news = wrong.filter((member) => !known.ignored.has(member));
	// An earlier page was in another order, and looked right.
	const isOtherWay = dialect.sort !== known.dialect.sort;
	if (known.taken.has('sort') && (isOtherWay || news.includes('sort'))) reader.isMixed = true;
	for (const member of members)
		if (query[member].length > 0) (news.includes(member) ? known.ignored : known.taken).add(member);
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
	const unnamed = rows.filter(({ id }) => isBlank(id));
	// Of one number, what is the same in all is one ticket that comes twice.
	const distinct = new Set(
		unnamed.map((row, i) => (isBlank(row['ticketNumber']) ? i : JSON.stringify(row))),
	);
	return new Set(unnamed.map(identityOf)).size < distinct.size;
}

const TWINS = searchContractError(
	'The service returned tickets without an ID, and some have the same number or none, so the node cannot tell them apart',
);

/** Finds out once per run whether the service rejects any search at all, as it does without a slug that it needs, or only these filters. */
async function probe(
	reply: Attempt['reply'] | undefined,
	query: Query,
	reader: PageReader,
): Promise<void> {
	const { known } = reader;
	if (!reply || reply.ok || !isRefusal(reply.failure) || reader.isList === true) return;
	if (!known.mayProbe || known.isUp) return;
	known.mayProbe = false;
	// The first shows how sort and columns are written, too.
	for (const plain of [query, { sort: [], select: [] }]) {
		const unfiltered = { ...plain, filters: {} };
		const page = await fetchPage(unfiltered, { limit: 1, offset: 0 }, { ...reader, filters: {} });
		if (page.ok) return;
		if (plain !== query) known.down ??= page.failure;
	}
}

async function send(request: Request, reader: PageReader): Promise<Attempt['reply']> {
	const { timeoutMs, client, concurrency, known } = reader;
	if (known.down) return fail(known.down);
	reader.requests += 1;
	const reply = await client.call({ ...request, timeoutMs }, pageSchema, concurrency);
	if (reply.ok) known.failures = 0;
	else noteFailure(reply.failure, known, reader.isList === true);
	return reply;
}

/** Statuses that no other search would change: the key, the path or the method is wrong. */
const NO_WAY_IN: readonly number[] = [401, 404, 405];

/** Notes a failure, and whether the service is to be left alone; a list of ours may itself be what it cannot take. */
function noteFailure(failure: CallError, known: Knowledge, isList: boolean): void {
	const status = failure.kind === 'api' ? failure.status : 0;
	if (isOutage(failure) && !(isList && known.isUp)) known.failures += 1;
	const isDenied = NO_WAY_IN.includes(status) || (status === 403 && !isList);
	if (isDenied || known.failures >= MAX_FAILURES) known.down ??= failure;
}

/** The error of rows that do not match what was asked for. */
export const ignoredFilter = (column: Column, filters: Filters = {}): ContractError =>
	searchContractError(
		`The service ignores the filter on ${columns[column].label}: it returned a ticket that does not match`,
		escapedColumns(filters).includes(column)
			? 'If it does not know a backslash before % or _, use Matches Pattern with _ in place of the character'
			: 'Search without this filter, and use a Filter node',
	);
