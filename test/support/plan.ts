import type { Outcome } from '../../src/bulk/outcomes';
import type { Plan, Value } from '../../src/bulk/plan';
import type { Problem } from '../../src/core/failures';

/** A row of a plan: what it wants to send, with the outcomes that are known, or its problems. */
export interface RowOfPlan<T> {
	readonly values?: readonly T[];
	readonly outcomes?: ReadonlyArray<Outcome | undefined>;
	readonly problems?: readonly Problem[];
}

/** The plan of a run with these rows; values with the same text are the same, unless a test says otherwise. */
export function planOf<T>(
	entered: ReadonlyArray<RowOfPlan<T>>,
	identityOf: (content: T) => string = String,
): Plan<T> {
	const rows = entered.map(({ values = [], outcomes = [], problems }, row) => ({
		values: values.map((content, i): Value<T> => ({
			content,
			row,
			identity: identityOf(content),
			outcome: outcomes[i],
		})),
		problems,
	}));
	return {
		rows,
		values: rows.flatMap(({ values }) => values),
		stop: undefined,
		notes: [],
		facts: {},
	};
}

/** The plan of a run with one value in each row. */
export const planOfValues = <T>(
	contents: readonly T[],
	identityOf?: (content: T) => string,
): Plan<T> =>
	planOf(
		contents.map((content) => ({ values: [content] })),
		identityOf,
	);
