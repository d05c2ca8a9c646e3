import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';

/** What to do where the service rejects a request of a credential without a slug. */
export const ENTER_SLUG =
	'Enter Workspace Slug in the credential. Ticket search and customer batches need it';

/** Adds this advice to a rejection that names no field: the service may need the slug, though not all of its requests do. */
export const adviseSlug = <F extends Failure>(failure: F): F =>
	failure.kind === 'api' && [400, 403].includes(failure.status) && failure.issues.length === 0
		? { ...failure, help: { ...failure.help, rejectedAdvice: ENTER_SLUG } }
		: failure;

/** Adds it to all rows of a run. */
export const adviseSlugInRows = (run: Run): Run => ({
	...run,
	rows: run.rows.map((row) => (row.failure ? { ...row, failure: adviseSlug(row.failure) } : row)),
});
