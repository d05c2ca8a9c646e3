import isEqual from 'lodash/isEqual';
import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import { ENOUGH_TO_SHOW, isRejection } from '../service/dialect';
import type { Page, PageReader, PageSpan } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import { isEnd, isEndless, measurePageSize } from '../service/pageSize';
import { identityOf } from '../service/values';
import type { Ticket } from '../ticket';
import type { Query, SortRule } from './query';
import { ENDLESS, MAX_WITHOUT_NEW, withNeededColumns } from './query';

/** The tickets that were read, and where reading stopped if it did not reach the end. */
export interface ReadResult {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Where to go on after a failure, as facts for the details of the error. */
	readonly position?: Readonly<Record<string, number>>;
	/** Whether reading stopped though more may follow. */
	readonly isPartial?: boolean;
}

/** What to read: at most `limit` rows (all where undefined), from `offset` on. */
export interface OffsetRange {
	readonly limit?: number;
	readonly offset: number;
	/** Whether these rows are enough, so reading may stop. */
	readonly isEnough?: (rows: readonly Ticket[]) => boolean;
}

/** The rules of an order in which no two tickets tie; without a sort, the newest tickets come first. */
function totalOrder(sort: readonly SortRule[]): readonly SortRule[] {
	const direction = sort.length > 0 ? 'asc' : 'desc';
	const rest = (['ticketNumber', 'id'] as const).map((column) => ({ column, direction }) as const);
	return [...sort, ...rest.filter(({ column }) => !sort.some((rule) => rule.column === column))];
}

/** Reads by offset in an order in which no two tickets tie; a service that takes few rules gets fewer. */
export async function readInTotalOrder(
	query: Query,
	range: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const { known } = reader;
	const rules = totalOrder(query.sort);
	const max = Math.max(query.sort.length, known.maxRules ?? Infinity);
	for (let sort = rules.slice(0, max); ; sort = sort.slice(0, -1)) {
		const result = await readByOffset(withNeededColumns({ ...query, sort }), range, reader);
		const mayBeTooMany = sort.length > query.sort.length && result.rows.length === 0;
		const isOpen = sort.length > known.rulesTaken && known.down === undefined;
		if (isRejection(result.failure) && mayBeTooMany && isOpen) continue;
		if (sort.length < rules.length && !result.failure) known.maxRules = sort.length;
		return result;
	}
}

/** Where a service hides tickets, a page overlaps the one before by more places, so one that is shown is among them. */
const OVERLAP_OF_HIDDEN = 10;

interface AskedPage extends PageSpan {
	readonly page: Promise<Result<Page, CallError>>;
}

/** Reads pages by offset (interface: metadata.hasNextPage), each overlapping the one before: it goes on behind its last row that is known and kept its place in the sort, or pages further back are read until one has it. So rows are in order, and nothing that stayed was missed. */
export async function readByOffset(
	query: Query,
	{ offset: start, limit = Infinity, isEnough }: OffsetRange,
	reader: PageReader,
): Promise<ReadResult> {
	const { known, pageSize } = reader;
	const rows: Ticket[] = [];
	/** Where each row stands in `rows`. */
	const places = new Map<string, number>();
	/** The offset of the next row, and whether it is certain. */
	let [position, isCertain] = [start, true];
	/** By how many places a page overlaps the one before; twice as many after each page that could not be shown to follow it. */
	let overlap = 1;
	/** The most rows that there were, and the requests since then: the one measure of progress. */
	let [longest, withoutNew] = [0, 0];
	/** The pages that were asked for ahead, and those in progress. */
	let ahead: AskedPage[] = [];
	const inProgress = new Set<Promise<unknown>>();
	let hasEnded = false;
	/** What a page showed that began behind all others: some services say until it is empty that more follow. */
	let behind: { readonly offset: number; readonly isEnd: boolean } | undefined;
	/** From where on pages had none, and whether a later one has some there: a service may take no far offset. */
	let [emptyFrom, isCapped] = [Infinity, false];

	/** How many places a page has: fewer could not lead on, or not keep up where tickets come and go. */
	const sizeOfPage = (): number =>
		Math.min(Math.max(overlap > 1 ? 5 : 2, pageSize), known.pageSize ?? Infinity);

	const nextSpan = (): PageSpan => {
		const most = sizeOfPage();
		const back = Math.max(overlap, known.hides === true ? OVERLAP_OF_HIDDEN : 1);
		const offset = Math.max(start, position - Math.min(back, Math.floor(most / 2)));
		// Where rows move or are hidden, a short page may bring nothing new.
		const isFull =
			withoutNew > 0 || overlap > 1 || known.hides === true || (rows.length > 0 && limit <= most);
		// A single ticket would not show that the service does not sort.
		const rest = Math.max(limit - rows.length, rows.length > 0 ? 0 : ENOUGH_TO_SHOW);
		return { offset, limit: isFull ? most : Math.min(most, rest + position - offset) };
	};

	const ask = (span: PageSpan): AskedPage => {
		const page = fetchPage(query, span, reader).then((came) => {
			inProgress.delete(page);
			hasEnded ||= !came.ok || !came.value.metadata.hasNextPage;
			return came;
		});
		inProgress.add(page);
		return { ...span, page };
	};

	/** The page that holds the row before the next one; asks ahead for those that follow if nothing shifts. */
	const takePage = async () => {
		const fresh = nextSpan();
		ahead = ahead.filter(({ offset: at, limit: size }) => at + size > position);
		const current = ahead[0] && ahead[0].offset < position ? ahead.shift() : undefined;
		const one = current ?? ask(fresh);
		const shared = position - fresh.offset;
		// More of them the longer that goes well, and soon where each page had all that was asked for.
		const growth = known.pageSize === undefined ? 4 : 2;
		const pages = withoutNew > 0 ? 0 : (growth * (position - start)) / sizeOfPage();
		const most = Math.min(reader.concurrency.limit() - 1, pages);
		while (shared > 0 && ahead.length < most && !hasEnded) {
			const last = ahead.at(-1) ?? one;
			const offset = last.offset + last.limit - shared;
			const size = Math.min(one.limit, start + limit - offset);
			if (offset <= last.offset || size <= shared) break;
			ahead.push(ask({ offset, limit: size }));
		}
		return { ...one, page: await one.page };
	};

	/** Where a row stands that is known and has kept its place in the sort. */
	const placeOf = (row: Ticket): number | undefined => {
		const place = places.get(identityOf(row)) ?? NaN;
		const before = rows[place];
		return before && query.sort.every(({ column }) => isEqual(before[column], row[column]))
			? place
			: undefined;
	};

	/** Goes on with other rows behind the first ones. */
	const replaceFrom = (place: number, others: readonly Ticket[]): void => {
		for (const row of rows.splice(place)) places.delete(identityOf(row));
		for (const row of others) {
			const identity = identityOf(row);
			if (places.has(identity)) continue;
			places.set(identity, rows.length);
			rows.push(row);
		}
	};

	/** Notes whether nothing followed there; only what comes after it shows whether rows have moved meanwhile. */
	const noteBehind = (offset: number, page: Result<Page, CallError>): void => {
		behind = { offset, isEnd: page.ok && isEnd(page.value) };
		if (behind.isEnd) ahead = [];
	};
	const isEndAt = (at: number): boolean =>
		!isCapped && behind?.isEnd === true && behind.offset === at;

	/** What came before an error, where it is certain which row is the next one. */
	const stopped = (failure: CallError): ReadResult =>
		isCertain
			? { rows, position: { offset: position }, failure }
			: { rows: [], position: { offset: start }, failure };

	const read = async (): Promise<ReadResult> => {
		// What is known may have to be read once more, in pages half of which are new.
		while (withoutNew < MAX_WITHOUT_NEW + (isCertain ? 0 : (2 * rows.length) / sizeOfPage())) {
			if (withoutNew > 0 && isCertain && !isEndAt(position)) {
				const isOpen = known.pageSize === undefined || known.hides === true;
				const span = { limit: sizeOfPage(), offset: position };
				if (!isOpen && !behind) noteBehind(position, await fetchPage(query, span, reader));
				if (!isEndAt(position) && (await isEndless(query, reader))) break;
			}
			const taken = await takePage();
			if (!taken.page.ok) return stopped(taken.page.failure);
			const { data, metadata } = taken.page.value;
			const last = data.findLastIndex((row) => placeOf(row) !== undefined);
			// Where tickets are hidden or come one by one, there may be none that both pages show.
			const isOpen = known.hides === true || known.pageSize === 1;
			const isProven = last >= 0 || taken.offset === start || (isOpen && withoutNew > 0);
			if (!isProven) {
				withoutNew += 1;
				overlap *= 2;
				behind = undefined;
				if (isEnd(taken.page.value)) emptyFrom = Math.min(emptyFrom, taken.offset);
				if (isOpen) continue;
				[position, isCertain] = [Math.max(start, taken.offset - overlap), false];
				continue;
			}
			const next = taken.offset + data.length;
			isCapped ||= next > emptyFrom;
			const isShort = metadata.hasNextPage && data.length < taken.limit;
			if (isShort && known.pageSize === undefined && !isEndAt(next)) {
				const page = await measurePageSize(query, taken, data, reader);
				if (!page.ok) return stopped(page.failure);
				noteBehind(next, page);
			}
			const [row] = last < 0 ? [] : data.slice(last);
			const isAnew = last < 0 && taken.offset === start && data.length > 0;
			const place = (row && placeOf(row)) ?? (isAnew ? -1 : rows.length - 1);
			const isNew = (one: Ticket): boolean => (places.get(identityOf(one)) ?? Infinity) > place;
			const news = data.slice(last + 1).filter(isNew);
			if (news.length > 0) {
				replaceFrom(place + 1, news);
				if (behind?.offset !== next) behind = undefined;
			}
			const isCut = known.hides === true && metadata.hasNextPage;
			position = taken.offset + (isCut ? Math.min(taken.limit, sizeOfPage()) : data.length);
			// What is known behind the page has places of its own.
			isCertain = news.length > 0 || place === rows.length - 1;
			overlap = Math.min(overlap, Math.ceil(sizeOfPage() / 2));
			withoutNew = rows.length > longest ? 0 : withoutNew + 1;
			longest = Math.max(longest, rows.length);
			if (rows.length >= limit)
				return {
					rows: rows.slice(0, limit),
					isPartial: rows.length > limit || metadata.hasNextPage,
				};
			if (!metadata.hasNextPage || (news.length === 0 && isEndAt(position))) return { rows };
			if (isEnough?.(rows)) return { rows, isPartial: true };
		}
		known.isEndless = Promise.resolve(true);
		return stopped(ENDLESS);
	};

	const result = await read();
	await Promise.all(inProgress);
	return result;
}
