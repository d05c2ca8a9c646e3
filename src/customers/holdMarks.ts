import { hash } from 'crypto';
import type { Guard, RowPlan } from '../bulk/plan';
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

/** Under this key the ledger keeps the marked customers that the execution sent, as hashes. */
const MARKED = '!';

const markedBefore = ({ ledger }: HoldContext): Set<string> =>
	new Set((ledger.recall(MARKED) ?? []) as readonly string[]);

const keyFor = (account: string, identifier: string): string =>
	hash('sha256', `${account}\n${identifier}`, 'base64url').slice(0, 16);

/** Remembers the marked customers of a request for later rounds of the execution. */
export const rememberMarks = (context: HoldContext): Guard<Customer> => ({
	before: (batch) => {
		const marked = batch.filter(({ content }) => content[MARK]);
		const keys = marked.map(({ identity }) => keyFor(context.account, identity));
		if (keys.length > 0) context.ledger.record(MARKED, [...markedBefore(context), ...keys]);
	},
});

/** Gives the mark of one row to all rows of its customer, also in later rounds. An invalid row still sends its mark. */
export function holdMarks(
	rows: readonly RowRead[],
	prefix: string,
	context: HoldContext,
): Array<RowPlan<Customer>> {
	const people = rows.flatMap(({ all }) => all.flatMap(({ person }) => person ?? []));
	const marked = new Set(people.filter((each) => each[MARK]).map(({ identifier }) => identifier));
	const before = markedBefore(context);
	const toEntry = (customer: Customer) => {
		const identifier = `${prefix}${customer.identifier}`;
		const isMarked =
			marked.has(customer.identifier) ||
			(before.size > 0 && before.has(keyFor(context.account, identifier)));
		return { content: { ...customer, ...(isMarked && { [MARK]: true }), identifier } };
	};
	return rows.map(({ all, problems }): RowPlan<Customer> => {
		const invalid = [...problems, ...all.flatMap((each) => each.problems)];
		if (invalid.length === 0)
			return { entries: all.flatMap(({ value }) => (value ? [toEntry(value)] : [])) };
		const [first] = all.flatMap(({ person }) => person ?? []);
		return {
			entries: [],
			urgent: all.flatMap(({ person }) => (person?.[MARK] ? [toEntry(toMark(person))] : [])),
			problems: invalid,
			entered: { identifier: first ? `${prefix}${first.identifier}` : '' },
		};
	});
}
