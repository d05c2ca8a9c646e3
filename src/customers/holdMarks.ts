import { hash } from 'crypto';
import type { Guard, RowRead } from '../bulk/plan';
import type { Problem } from '../core/failures';
import type { OperationContext } from '../core/operation';
import type { Customer } from './customer';
import { MARK } from './customer';
import type { CustomerRead } from './readRow';
import { toMark } from './readRow';

/** The place where the marks of an execution are kept. */
export type MarksContext = Pick<OperationContext, 'ledger' | 'account'>;

/** The customers of a row, and the problems of the row as a whole. */
export interface CustomersRead {
	readonly all: readonly CustomerRead[];
	readonly problems: readonly Problem[];
}

/** The key of the ledger for the marked customers that the execution sent, as hashes. */
const MARKED_CUSTOMERS = '!';

const recallMarked = ({ ledger }: MarksContext): Set<string> =>
	new Set((ledger.recall(MARKED_CUSTOMERS) ?? []) as readonly string[]);

const hashIdentifier = (account: string, identifier: string): string =>
	hash('sha256', `${account}\n${identifier}`, 'base64url').slice(0, 16);

/** Remembers the marked customers of a request for later rounds of the execution. */
export const rememberMarksGuard = (context: MarksContext): Guard<Customer> => ({
	before: (batch) => {
		const marked = batch.filter(({ content }) => content[MARK]);
		const keys = marked.map(({ identity }) => hashIdentifier(context.account, identity));
		if (keys.length > 0)
			context.ledger.record(MARKED_CUSTOMERS, [...recallMarked(context), ...keys]);
		return {};
	},
});

/**
 * Gives the mark of one row to all rows of its customer, also in later rounds. The mark of an invalid row is sent alone, unless a
 * valid row of the same customer carries it.
 */
export function holdMarks(
	rows: readonly CustomersRead[],
	prefix: string,
	context: MarksContext,
): Array<RowRead<Customer>> {
	const all = rows.flatMap((row) => row.all);
	const marked = new Set(
		all.flatMap(({ person }) => (person?.[MARK] === true ? [person.identifier] : [])),
	);
	const sent = new Set(
		rows.flatMap((row) =>
			listProblems(row).length > 0 ? [] : row.all.map(({ value }) => value?.identifier),
		),
	);
	const markedBefore = recallMarked(context);

	function toContent(customer: Customer): Customer {
		const identifier = `${prefix}${customer.identifier}`;
		const isMarked =
			marked.has(customer.identifier) ||
			(markedBefore.size > 0 && markedBefore.has(hashIdentifier(context.account, identifier)));
		return { ...customer, ...(isMarked && { [MARK]: true }), identifier };
	}

	return rows.map((row): RowRead<Customer> => {
		const problems = listProblems(row);
		if (problems.length === 0) {
			const [why] = row.all.flatMap(({ reducedBy }) => reducedBy ?? []);
			return {
				contents: row.all.flatMap(({ value }) => (value ? [toContent(value)] : [])),
				...(why !== undefined && { reason: `Only the mark is sent: ${why}` }),
			};
		}
		const people = row.all.flatMap(({ person }) => person ?? []);
		const marks = people.filter((person) => person[MARK] && !sent.has(person.identifier));
		const [first] = people;
		return {
			contents: marks.map((person) => toContent(toMark(person))),
			problems,
			entered: { identifier: first ? `${prefix}${first.identifier}` : '' },
		};
	});
}

const listProblems = ({ all, problems }: CustomersRead): Problem[] => [
	...problems,
	...all.flatMap((each) => each.problems),
];
