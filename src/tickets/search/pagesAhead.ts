import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import type { Page } from '../ticket';
import type { PageReader } from './fetchPage';
import { fetchPage, pageStep } from './fetchPage';
import type { Query } from './query';
import { MAX_PAGE_SIZE } from './query';

/** Where a page by offset begins, and how many rows it may have. */
export interface PageSpan {
	readonly offset: number;
	readonly size: number;
}

/** A page that came, and where it was asked for. */
export interface TakenPage extends PageSpan {
	readonly page: Result<Page, CallError>;
}

/** Pages by offset, some requested before it is certain that they are needed. */
export interface PagesAhead {
	/** The page that holds the row before `position` and those behind it, or else `fresh`. */
	take(position: number, fresh: PageSpan): Promise<TakenPage>;
	/** Asks for no more than one page at a time until that goes well again. */
	slowDown(): void;
	/** Waits until nothing is in progress any more. */
	close(): Promise<void>;
}

interface AskedPage extends PageSpan {
	readonly page: Promise<Result<Page, CallError>>;
}

/**
 * Asks ahead for the pages that follow if nothing shifts, more of them the longer that goes well. They are as good as
 * pages that come one after another, whenever each of them was made: what overlaps proves that they belong together.
 */
export function createPagesAhead(query: Query, reader: PageReader, end: number): PagesAhead {
	const asked = new Map<number, AskedPage>();
	const underWay = new Set<Promise<unknown>>();
	let taken = 0;
	let isEnd = false;

	const ask = ({ offset, size }: PageSpan): AskedPage => {
		const page = fetchPage(query, { limit: size, offset }, reader).then((came) => {
			underWay.delete(page);
			isEnd ||= !came.ok || !came.value.metadata.hasNextPage;
			return came;
		});
		underWay.add(page);
		const one = { offset, size, page };
		asked.set(offset, one);
		return one;
	};

	const askAhead = (current: PageSpan, overlap: number): void => {
		const max = Math.min(reader.concurrency.limit(), 2 * taken - 1);
		let last = [...asked.values()].reduce<PageSpan>(
			(one, other) => (other.offset > one.offset ? other : one),
			current,
		);
		while (asked.size + 1 < max && !isEnd) {
			const offset = last.offset + pageStep(reader, last.size) - overlap;
			const size = Math.min(MAX_PAGE_SIZE, Math.max(reader.pageSize, overlap + 1), end - offset);
			if (offset <= last.offset || size <= overlap) return;
			last = ask({ offset, size });
		}
	};

	return {
		take: async (position, fresh) => {
			taken += 1;
			for (const { offset, size } of asked.values())
				if (offset + size <= position) asked.delete(offset);
			const behind = [...asked.values()].filter(({ offset }) => offset < position);
			const ready = behind.sort((a, b) => b.offset - a.offset)[0];
			const one = ready ?? ask(fresh);
			asked.delete(one.offset);
			if (fresh.offset < position) askAhead(one, position - fresh.offset);
			return { ...one, page: await one.page };
		},
		slowDown: () => {
			taken = 0;
		},
		close: async () => void (await Promise.all(underWay)),
	};
}
