import type { Result } from '../../core/result';
import { ok } from '../../core/result';
import type { Query } from '../query';
import { askPage } from '../readers/askPage';
import type { Means } from '../readers/askPage';
import type { Ticket } from '../ticket';
import type { EventColumn } from './events';
import type { Post } from './startWatch';
import { startWatch } from './startWatch';

/** How many tickets a manual test shows. */
const SAMPLE = 10;

/** The newest tickets by a column, of those that have a time there. */
export async function askNewest(
	query: Query,
	{ column, limit }: { column: EventColumn; limit: number },
	means: Means,
): Promise<Result<readonly Ticket[]>> {
	const filters = { ...query.filters, [column]: { isNotNull: true, ...query.filters[column] } };
	const sort = [{ column, direction: 'desc' as const }];
	const page = await askPage({ ...query, filters, sort }, { limit, offset: 0 }, means);
	return page.ok ? ok(page.value.data) : page;
}

/** Gives the newest tickets that the event happened to, and changes nothing. */
export async function sample(parameters: unknown, post: Post): Promise<Result<readonly Ticket[]>> {
	const watch = startWatch(parameters, post);
	if (!watch.ok) return watch;
	const { query, column, means, show } = watch.value;
	const newest = await askNewest(query, { column, limit: SAMPLE }, means);
	return newest.ok ? ok(newest.value.map(show)) : newest;
}
