import { createHash } from 'crypto';
import get from 'lodash/get';

/** A hash of the event, the filter as it was entered, and the service; another one starts the trigger anew. */
export function watchingHash(
	{ event, filterMode }: { readonly event: string; readonly filterMode: string },
	entered: unknown,
	service: readonly string[],
): string {
	const filter: unknown =
		filterMode === 'json' ? get(entered, 'filtersJson') : get(entered, 'filters.conditions', []);
	const watched = JSON.stringify([event, filter, ...service]);
	return createHash('sha256').update(watched).digest('base64url').slice(0, 22);
}
