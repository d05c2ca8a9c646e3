import isEqual from 'lodash/isEqual';
import type { CallError, Client } from '../../core/client';
import type { AdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { Request } from '../../core/http';
import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { ApiError, ContractError } from '../../core/failures';
import type { Column } from '../columns';
import { columns } from '../columns';
import type { Filters } from '../filters/schema';
import type { Query } from './query';
import { ENDLESS, MAX_PAGES_WITHOUT_NEW, searchContractError, searchRequest } from './query';
import type { Member } from './checkRows';
import { ignoredMembers, unmatchedColumn } from './checkRows';
import { hasEscape } from './escapes';
import type { Page, Ticket } from '../ticket';
import { pageSchema } from '../ticket';
import { issueText } from '../../core/describeFailure';

/** What reading needs: the client, its concurrency, and the page size; it counts requests and learns the dialect. */
export interface PageReader {
	readonly client: Client;
	readonly concurrency: AdaptiveConcurrency;
	readonly pageSize: number;
	/** Whether to try another dialect when the service rejects the first. */
	readonly findDialect: boolean;
	readonly timeoutMs: number;
	/** When (ms) reading has to come to its end: nothing is waited for or sent again beyond it. */
	readonly deadlineMs?: number;
	dialect: Dialect;
	requests: number;
	/** What was found out about the service, for all readers of a run. */
	known?: KnownService;
	/** Whether a page was taken in one order before another one showed that the service sorts otherwise. */
	isMixed?: boolean;
	/** The most rows that a page had. */
	pageRows?: number;
	/** The filters that each page is checked against. */
	readonly filters?: Filters;
	/** The column by which a page shows that the service ignores a filter; nothing is read after it. */
	unmatched?: Column;
	/** Why the service refused to let tickets be read by number. */
	refusal?: CallError | undefined;
}

/** A service about which nothing is known yet. */
export const unknownService = (): KnownService => ({
	taken: new Set(),
	ignored: new Set(),
	ignoredSorts: new Set(),
	nullsFirst: {},
	comparesExactly: {},
});

/** The members of a search that the service took in one dialect, and those that it ignores in each. */
export interface KnownService {
	readonly taken: Set<Member>;
	readonly ignored: Set<Member>;
	/** The spellings of a sort that a page showed to be ignored; other pages may be in order by chance. */
	readonly ignoredSorts: Set<Dialect['sort']>;
	/** Whether empty values come first, by the direction of a sort. */
	readonly nullsFirst: Partial<Record<'asc' | 'desc', boolean>>;
	/** The most rules of a sort that it takes, where it takes few. */
	maxRules?: number;
	/** Whether it compares the text of a column letter by letter. */
	readonly comparesExactly: Partial<Record<Column, boolean>>;
	/** How it writes sort and select, by the last page that came. */
	dialect?: Dialect;
	/** Told of each page that came. */
	onPage?: () => void;
}

/** The fewest rows that a page was cut to, of so many asked for: what came before, since some may be hidden now. */
export const pageStep = ({ pageRows = 0 }: PageReader, size: number): number =>
	Math.max(1, Math.min(size, pageRows > 0 ? pageRows : DEFAULT_PAGE_SIZE));

/** The rows of a page where none are asked for (interface: Limits). */
const DEFAULT_PAGE_SIZE = 25;

/** Requests pages from the start on until one has rows, or none follows; rows may be hidden after a page was cut. */
export async function fetchFirstRows(
	query: Query,
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	let offset = 0;
	for (let pages = 0; pages <= MAX_PAGES_WITHOUT_NEW; pages++) {
		const page = await fetchPage(query, { limit: reader.pageSize, offset }, reader);
		if (!page.ok || page.value.data.length > 0 || !page.value.metadata.hasNextPage) return page;
		offset += pageStep(reader, reader.pageSize);
	}
	return fail(ENDLESS);
}

/** One way in which a page was asked for: the reply, and the members that the service ignored. */
interface Attempt {
	readonly dialect: Dialect;
	readonly reply: Result<Page, CallError>;
	readonly ignored: readonly Member[];
}

/** Requests one page; where the service rejects or ignores sort or select, tries the other dialects of it. */
export async function fetchPage(
	query: Query,
	page: { limit: number; offset: number },
	reader: PageReader,
): Promise<Result<Page, CallError>> {
	const known = (reader.known ??= unknownService());
	const attempts: Attempt[] = [];
	let dialect = reader.dialect;
	for (;;) {
		const reply = await send(searchRequest(query, page, dialect), reader);
		const ignored = reply.ok ? ignoredMembers(query, reply.value.data) : [];
		if (ignored.includes('sort')) known.ignoredSorts.add(dialect.sort);
		const attempt = { dialect, reply, ignored };
		attempts.push(attempt);
		const wrong = reply.ok ? wrongMembers(attempt, query, known) : [];
		if (reply.ok && wrong.every((member) => known.ignored.has(member)))
			return take(reply.value, attempt, { query, limit: page.limit, reader, known });
		const wrongOnes = reply.ok ? wrong : rejectedMembers(reply.failure, query, known);
		const isDialect = wrongOnes.length > 0 || (!reply.ok && isRefusal(reply.failure));
		// Another search may have found the right one meanwhile.
		const found = isDialect && known.dialect ? [known.dialect] : [];
		const next = reader.findDialect ? [...found, ...otherDialects(dialect, wrongOnes)] : [];
		const untried = next.find((one) => !attempts.some((before) => isEqual(before.dialect, one)));
		if (untried) {
			dialect = untried;
			continue;
		}
		const kept = attempts.find((one) => one.reply.ok) ?? attempts[0];
		if (!kept?.reply.ok) return kept?.reply ?? reply;
		return take(kept.reply.value, kept, { query, limit: page.limit, reader, known });
	}
}

/** The members that are not written in the way of the service, by this page or an earlier one: rows may be in order by chance. */
function wrongMembers(
	{ dialect, ignored }: Attempt,
	{ sort }: Query,
	{ ignoredSorts }: KnownService,
): readonly Member[] {
	const isWrongWay = sort.length > 0 && ignoredSorts.has(dialect.sort);
	return isWrongWay ? [...new Set([...ignored, 'sort' as const])] : ignored;
}

interface Asked {
	readonly query: Query;
	readonly limit: number;
	readonly reader: PageReader;
	readonly known: KnownService;
}

/** Takes a page, and notes what it shows of the service. */
function take(
	page: Page,
	{ dialect, ignored }: Attempt,
	{ query, limit, reader, known }: Asked,
): Result<Page, CallError> {
	const news = ignored.filter((member) => !known.ignored.has(member));
	const isOtherWay = reader.pageRows !== undefined && dialect.sort !== reader.dialect.sort;
	// An earlier page was in another order, and looked right.
	if (known.taken.has('sort') && (isOtherWay || news.includes('sort'))) reader.isMixed = true;
	for (const member of membersOf(query))
		(news.includes(member) ? known.ignored : known.taken).add(member);
	reader.dialect = dialect;
	known.dialect = dialect;
	known.onPage?.();
	const { data } = page;
	// A small page that is full does not show where the service cuts its pages.
	const isTelling = data.length < limit || limit >= reader.pageSize;
	reader.pageRows = Math.max(reader.pageRows ?? 0, isTelling ? data.length : 0);
	const unmatched = reader.filters && unmatchedColumn(reader.filters, data);
	if (unmatched === undefined) return ok(page);
	reader.unmatched = unmatched;
	return fail(ignoredFilter(unmatched, reader.filters));
}

/** The error of rows that do not match what was asked for. */
export const ignoredFilter = (column: Column, filters: Filters = {}): ContractError =>
	hasEscape(filters[column] ?? {})
		? unknownEscape(column)
		: searchContractError(
				`The service ignores the filter on ${columns[column].label}: it returned a ticket that does not match. Remove the filter, and use a Filter node instead`,
			);

const unknownEscape = (column: Column): ContractError =>
	searchContractError(
		`The service ignores the filter on ${columns[column].label}, or a backslash before % or _ in it. Use Matches Pattern with _ in place of the character`,
	);

async function send(request: Request, reader: PageReader): Promise<Result<Page, CallError>> {
	reader.requests += 1;
	const { timeoutMs, deadlineMs, client, concurrency } = reader;
	const timed = {
		...request,
		isPaced: true,
		timeoutMs,
		...(deadlineMs !== undefined && { deadlineMs }),
	};
	return await client.call(timed, pageSchema, concurrency);
}

/** The tickets that were read, and where reading stopped if it did not reach the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Where to go on after a failure, as facts for the details of the error. */
	readonly position?: Readonly<Record<string, number>>;
	/** Shifts of the pages that were noticed and repaired. */
	readonly shifts?: number;
	/** Rows that came a second time because others were put before them. */
	readonly repeated?: number;
	/** Whether reading stopped because what came was enough. */
	readonly isPartial?: boolean;
	/** The column of a filter that the service ignores. */
	readonly unmatched?: Column;
}

/** How sort and select are written; the interface shows two ways and leaves open which one the service accepts. */
export interface Dialect {
	readonly sort: 'field' | 'column';
	readonly select: 'object' | 'list';
}

/** As the formal schema writes them. */
export const formal: Dialect = { sort: 'field', select: 'object' };

/** As the narrative writes them. */
export const narrative: Dialect = { sort: 'column', select: 'list' };

const membersOf = ({ sort, select }: Query): Member[] => [
	...(sort.length > 0 ? (['sort'] as const) : []),
	...(select.length > 0 ? (['select'] as const) : []),
];

/** Whether the service does not take a request as it is. */
export const isRefusal = (failure: CallError | undefined): failure is ApiError =>
	failure?.kind === 'api' && (failure.status === 400 || failure.status === 422);

/** The members whose rejection may be about the dialect: those it names, or all that were not taken before. */
function rejectedMembers(failure: CallError, query: Query, known: KnownService): Member[] {
	if (!isRefusal(failure)) return [];
	const named = [...failure.issues.map(issueText), failure.message].join(' ');
	const all = membersOf(query);
	const found = all.filter((member) => new RegExp(`\\b${member}\\b`, 'i').test(named));
	if (found.length > 0) return found;
	const isOther = /\b(filters?|pagination)\b/i.test(named);
	return isOther ? [] : all.filter((member) => !known.taken.has(member));
}

/** The dialects in which these members are written the other way: all of them, then each alone. */
function otherDialects(dialect: Dialect, members: readonly Member[]): Dialect[] {
	const changes = members.length > 1 ? [members, ...members.map((one) => [one])] : [members];
	return changes.filter((change) => change.length > 0).map((change) => flipped(dialect, change));
}

const flipped = ({ sort, select }: Dialect, members: readonly Member[]): Dialect => ({
	sort: members.includes('sort') ? (sort === 'field' ? 'column' : 'field') : sort,
	select: members.includes('select') ? (select === 'object' ? 'list' : 'object') : select,
});
