import { hash } from 'crypto';
import type { RowPlan } from '../bulk/plan';
import type { Steps } from '../core/concurrency';
import { mapInSteps } from '../core/concurrency';
import type { Problem } from '../core/failures';
import type { OperationContext } from '../core/operation';
import type { Customer } from './customer';
import { MARK } from './customer';
import type { CustomerRead } from './readRow';
import { toMark } from './readRow';

/** What the marks of an execution are remembered by. */
export type HoldContext = Pick<OperationContext, 'ledger' | 'account'>;

/** The customers of a row, and what is wrong with the row as a whole. */
export interface RowRead {
	readonly all: readonly CustomerRead[];
	readonly problems: readonly Problem[];
}

/** Under this key the ledger keeps the marked customers of the execution, as hashes. */
const MARKED = '!';

/** Gives the mark of one row to all rows of its customer, also in later rounds; an invalid row still sends its mark. */
export function* holdMarks(
	rows: readonly RowRead[],
	prefix: string,
	{ ledger, account }: HoldContext,
): Steps<Array<RowPlan<Customer>>> {
	const keyFor = ({ identifier }: Customer): string =>
		hash('sha256', `${account}\n${prefix}${identifier}`, 'base64url').slice(0, 16);
	const people = rows.flatMap(({ all }) => all.flatMap(({ person }) => person ?? []));
	const marked = new Set((ledger.recall(MARKED) ?? []) as readonly string[]);
	for (const person of people) if (person[MARK]) marked.add(keyFor(person));
	if (marked.size > 0) ledger.record(MARKED, [...marked]);
	const isMarked = (customer: Customer): boolean => marked.size > 0 && marked.has(keyFor(customer));
	const toEntry = (customer: Customer) => ({
		content: {
			...customer,
			...(isMarked(customer) && { [MARK]: true }),
			identifier: `${prefix}${customer.identifier}`,
		},
	});
	return yield* mapInSteps(rows, ({ all, problems }): RowPlan<Customer> => {
		const invalid = [...problems, ...all.flatMap((each) => each.problems)];
		if (invalid.length === 0)
			return { entries: all.flatMap(({ value }) => (value ? [toEntry(value)] : [])) };
		const marks = all.flatMap(({ person }) => (person?.[MARK] ? [toMark(person)] : []));
		const [first] = all.flatMap(({ person }) => person ?? []);
		return {
			entries: [],
			urgent: marks.map(toEntry),
			problems: invalid,
			entered: { identifier: first?.identifier ?? '' },
		};
	});
}
