import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import type { PageReader, PageSpan } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import type { Page } from '../ticket';
import type { Query } from './query';

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

	const ask = (span: PageSpan): AskedPage => {
		const page = fetchPage(query, span, reader).then((came) => {
			underWay.delete(page);
			// A short page shows that the places of the next ones are not known.
			isEnd ||= !came.ok || !came.value.metadata.hasNextPage;
			return came;
		});
		underWay.add(page);
		const one = { ...span, page };
		asked.set(span.offset, one);
		return one;
	};

	const askAhead = (current: PageSpan, overlap: number): void => {
		const max = Math.min(reader.concurrency.limit(), 2 * taken - 1);
		let last = [...asked.values()].reduce<PageSpan>(
			(one, other) => (other.offset > one.offset ? other : one),
			current,
		);
		while (asked.size + 1 < max && !isEnd) {
			const offset = last.offset + last.limit - overlap;
			const limit = Math.min(Math.max(current.limit, overlap + 1), end - offset);
			if (offset <= last.offset || limit <= overlap) return;
			last = ask({ offset, limit });
		}
	};

	return {
		take: async (position, fresh) => {
			taken += 1;
			for (const { offset, limit } of asked.values())
				if (offset + limit <= position) asked.delete(offset);
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
