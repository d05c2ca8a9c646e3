import type { Result } from '../../core/result';
import { fail, ok } from '../../core/result';
import type { Column } from '../columns';
import type { Query } from '../query';
import type { Ticket } from '../ticket';
import { changeOf } from './change';
import type { EventColumn } from './events';
import { askNewest } from './newest';
import { readChanges } from './readChanges';
import type { Post, Watch } from './startWatch';
import { startWatch } from './startWatch';
import type { Watermark } from './watermark';
import { isKnown, settlePoll, watermarkSchema } from './watermark';

/** What a poll needs from its host; `save` keeps what `load` gives back at the next poll, as JSON. */
export interface PollPost extends Post {
	/** Ms that a poll may take. */
	readonly budget: number;
	readonly load: () => unknown;
	readonly save: (state: Watermark) => void;
}

/**
 * Gives the tickets that the event happened to since the last poll, each change once; the first poll only notes where
 * to begin (interface: POST /tickets/search; there are no webhooks).
 */
export async function poll(
	parameters: unknown,
	post: PollPost,
): Promise<Result<readonly Ticket[]>> {
	const started = startWatch(parameters, post);
	if (!started.ok) return started;
	const { means } = started.value;
	// A request that is begun at the last moment still has its time.
	const until = post.now() + Math.max(0, post.budget - means.timeout);
	const watch = { ...started.value, means: { ...means, until } };
	const before = stateOf(post, watch.column);
	return before === undefined ? await begin(watch, post) : await goOn(watch, before, post);
}

/** What the last poll left behind; that of another event is of no use. */
function stateOf({ load }: PollPost, column: EventColumn): Watermark | undefined {
	const state = watermarkSchema.safeParse(load()).data;
	return state?.column === column ? state : undefined;
}

/**
 * Begins at the newest change of all tickets, by the clock of the service: what matches there already is noted as seen,
 * so that nothing old comes out, and tickets that become visible late still do.
 */
async function begin(
	{ column, query, means, overlap }: Watch,
	post: PollPost,
): Promise<Result<readonly Ticket[]>> {
	const now = post.now();
	const all: Query = { filters: {}, sort: [], select: ['id', column] };
	const newest = await askNewest(all, { column, limit: 1 }, means);
	if (!newest.ok) return newest;
	const [row] = newest.value;
	const cursor = Math.min(now, (row && changeOf(row, column)?.at) ?? 0);
	const floor = Math.max(0, cursor - overlap);
	const few = { ...query, select: ['id', 'ticketNumber', column] satisfies Column[] };
	const read = await readChanges(few, { column, from: floor, isEnough: () => false }, means);
	if (read.failure) return fail(read.failure);
	const start: Watermark = { column, cursor, floor, seen: {} };
	const { after } = settlePoll(start, read.changes, { now, overlap, most: Infinity });
	post.save({ ...after, spelling: means.spelling });
	return ok([]);
}

async function goOn(
	{ column, query, means, overlap, most, show }: Watch,
	before: Watermark,
	post: PollPost,
): Promise<Result<readonly Ticket[]>> {
	if (means.findSpelling) means.spelling = before.spelling ?? means.spelling;
	// What becomes visible while this poll reads may be behind its pages, so that it must not count as dealt with.
	const now = post.now();
	const read = await readChanges(
		query,
		{
			column,
			from: Math.max(before.floor, before.cursor - overlap),
			isEnough: (changes) => {
				const unknown = changes.filter((one) => !isKnown(before, one)).length;
				// A poll that stopped among what is known would hold up all others at the same place.
				const isLate = unknown > 0 && post.now() >= (means.until ?? Infinity);
				return isLate || unknown >= most;
			},
		},
		means,
	);
	// Another poll may have come to its end meanwhile: what counts is the state now.
	const current = stateOf(post, column) ?? before;
	const { fresh, after } = settlePoll(current, read.changes, { now, overlap, most });
	if (fresh.length === 0 && read.failure) return fail(read.failure);
	post.save({ ...after, spelling: means.spelling });
	return ok(fresh.map(({ ticket }) => show(ticket)));
}
