import type { CallError } from '../../core/client';
import type { Query } from '../query';
import type { Means } from './askPage';
import { askPage } from './askPage';
import type { Range } from './ranges';
import { rowsLeft, splitRange, takePage } from './ranges';
import { sliceOf } from './slice';

/** A range is split for another reader while it holds more than this many pages. */
const WORTH_SPLITTING = 2;

/** What became of a range that was read in parts: the parts from low to high, and the failure that stopped them. */
export interface Parts {
	readonly parts: readonly Range[];
	/** Whether the service kept to the bounds that it was given. */
	readonly keptToBounds: boolean;
	readonly failure?: CallError;
	/** The lowest ticket number from which on rows may be missing after a failure. */
	readonly unreadFrom?: number;
}

/** Reads a range with as many readers as the pace allows; an idle reader takes half of the largest rest. */
export async function readRanges(
	whole: Range,
	density: number,
	{ query, means }: { query: Query; means: Means },
): Promise<Parts> {
	const parts = [whole];
	const waiting: Range[] = [whole];
	const active = new Map<Range, Promise<void>>();
	const unread = new Set<Range>(parts);
	const failures: CallError[] = [];
	const bounds = { kept: true };

	const next = (): Range | undefined => {
		const queued = waiting.shift();
		if (queued) return queued;
		const [largest] = [...active.keys()].sort(
			(a, b) => rowsLeft(b, density) - rowsLeft(a, density),
		);
		if (!largest || largest.to <= largest.cursor) return undefined;
		if (rowsLeft(largest, density) <= WORTH_SPLITTING * means.pageSize) return undefined;
		const upper = splitRange(largest);
		parts.push(upper);
		unread.add(upper);
		return upper;
	};

	const read = async (range: Range): Promise<void> => {
		while (failures.length === 0 && bounds.kept) {
			const { cursor: gte, to: lte, stuck, here, end } = range;
			const without = stuck ? [...here, ...(gte === lte ? end : [])] : [];
			const slice = sliceOf(query, { gte, lte, without });
			const page = await askPage(slice, { limit: means.pageSize, offset: 0 }, means);
			if (!page.ok) {
				failures.push(page.failure);
				return;
			}
			const taken = takePage(range, page.value);
			if (taken === 'read') unread.delete(range);
			if (taken === 'unbound') bounds.kept = false;
			if (taken !== 'more') return;
			if (active.size > means.pace.limit()) {
				waiting.push(range);
				return;
			}
			fill();
		}
	};

	const fill = (): void => {
		while (failures.length === 0 && bounds.kept && active.size < means.pace.limit()) {
			const range = next();
			if (!range) return;
			const work = read(range).then(() => {
				active.delete(range);
				fill();
			});
			active.set(range, work);
		}
	};

	fill();
	while (active.size > 0) await Promise.race(active.values());
	parts.sort((a, b) => a.from - b.from);
	const [failure] = failures;
	return failure
		? {
				parts,
				keptToBounds: bounds.kept,
				failure,
				unreadFrom: Math.min(...[...unread].map(({ cursor }) => cursor)),
			}
		: { parts, keptToBounds: bounds.kept };
}
