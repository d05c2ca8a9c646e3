import type { Outcome } from '../../src/bulk/outcomes';
import type { Entry, Plan } from '../../src/bulk/plan';

/** The plan of a run with one entry per row; equal texts are one identity, unless a test says otherwise. */
export function planOfContents<T>(
	contents: readonly T[],
	identityOf: (content: T) => string = String,
	outcomes: ReadonlyArray<Outcome | undefined> = [],
): Plan<T> {
	const entries = contents.map((content, row): Entry<T> => ({
		row,
		identity: identityOf(content),
		content,
		outcome: outcomes[row],
	}));
	const rows = entries.map((entry) => ({ entries: [entry] }));
	return { rows, entries, stop: undefined, notes: [], facts: {}, sources: undefined };
}
