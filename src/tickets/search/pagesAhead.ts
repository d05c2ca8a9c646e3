import maxBy from 'lodash/maxBy';
import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import type { Page, PageReader, PageSpan } from '../service/fetchPage';
import { fetchPage } from '../service/fetchPage';
import type { Query } from './query';

interface AskedPage extends PageSpan {
	readonly page: Promise<Result<Page, CallError>>;
}

/**
 * Pages by offset. Asks ahead for those that follow if nothing shifts, more of them the longer that goes well. They are as
 * good as pages that come one after another, whenever each of them was made: what overlaps proves that they belong together.
 */
export function createPagesAhead(query: Query, reader: PageReader, end: number) {
	const asked = new Map<number, AskedPage>();
	const inProgress = new Set<Promise<unknown>>();
	let taken = 0;
	let isEnd = false;

	const ask = (span: PageSpan): AskedPage => {
		const page = fetchPage(query, span, reader).then((came) => {
			inProgress.delete(page);
			// A short page shows that the places of the next ones are not known.
			isEnd ||= !came.ok || !came.value.metadata.hasNextPage;
			return came;
		});
		inProgress.add(page);
		const one = { ...span, page };
		asked.set(span.offset, one);
		return one;
	};

	const askAhead = (current: PageSpan, overlap: number): void => {
		const max = Math.min(reader.concurrency.limit(), 2 * taken - 1);
		let last = maxBy<PageSpan>([current, ...asked.values()], ({ offset }) => offset) ?? current;
		while (asked.size + 1 < max && !isEnd) {
			const offset = last.offset + last.limit - overlap;
			const limit = Math.min(Math.max(current.limit, overlap + 1), end - offset);
			if (offset <= last.offset || limit <= overlap) return;
			last = ask({ offset, limit });
		}
	};

	return {
		/** The page that holds the row before `position` and those behind it, or else `fresh`. */
		take: async (position: number, fresh: PageSpan) => {
			taken += 1;
			for (const { offset, limit } of asked.values())
				if (offset + limit <= position) asked.delete(offset);
			const behind = [...asked.values()].filter(({ offset }) => offset < position);
			const one = maxBy(behind, ({ offset }) => offset) ?? ask(fresh);
			asked.delete(one.offset);
			if (fresh.offset < position) askAhead(one, position - fresh.offset);
			return { ...one, page: await one.page };
		},
		/** Asks for no more than one page at a time until that goes well again. */
		slowDown: (): void => {
			taken = 0;
		},
		/** Waits until nothing is in progress any more. */
		close: async (): Promise<void> => void (await Promise.all(inProgress)),
	};
}
