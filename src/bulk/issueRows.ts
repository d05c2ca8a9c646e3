import type { ApiError } from '../core/failures';
import { textOf } from '../core/text';

/** What the service said about single values of a request: the issues by the position of the value. */
export function issuesByRow(error: ApiError, count: number): Map<number, unknown[]> {
	const named = new Map<number, unknown[]>();
	for (const issue of error.issues) {
		const row = rowOf(issue);
		if (row === undefined || row >= count) continue;
		named.set(row, [...(named.get(row) ?? []), issue]);
	}
	return named;
}

/** The position in a path such as ['customers', 3, 'email'], 'customers.3.email' or 'customers[3].email'. */
function rowOf(issue: unknown): number | undefined {
	if (typeof issue !== 'object' || issue === null || !('path' in issue)) return undefined;
	const { path } = issue;
	const text = Array.isArray(path)
		? path.map(textOf).join('.')
		: typeof path === 'string'
			? path
			: '';
	const position = /^[^.[\]]+[.[](\d{1,9})(?=[.\]]|$)/.exec(text)?.[1];
	return position === undefined ? undefined : Number(position);
}
