import type { Guard, RowRead } from '../bulk/plan';
import { describeProblems } from '../bulk/results';
import type { Problem } from '../core/failures';
import type { OperationContext } from '../core/operation';
import type { Customer } from './customer';
import { MARK } from './customer';

/** The place where the marks of an execution are kept. */
export type MarksContext = Pick<OperationContext, 'ledger' | 'account'>;

/** One customer of a row, as much of it as is valid, and its problems. */
export interface CustomerRead {
	/** Undefined without a valid identifier. */
	readonly customer?: Customer;
	readonly problems: readonly Problem[];
	/** Whether the customer is sent without invalid fields. */
	readonly isCut?: boolean;
}

/** The customers of a row, and the problems of the row as a whole. */
export interface CustomersRead {
	readonly customers: readonly CustomerRead[];
	readonly problems: readonly Problem[];
}

/** The key of the ledger for the identifiers of the marked customers that the execution sent. */
const MARKED_CUSTOMERS = '!';

const recallMarked = ({ ledger, account }: MarksContext): readonly string[] =>
	(ledger[`${MARKED_CUSTOMERS}${account}`] ?? []) as readonly string[];

/** Remembers the marked customers of a request for later rounds of the execution. */
export const rememberMarksGuard = (context: MarksContext): Guard<Customer> => ({
	before: (batch) => {
		const marked = batch.flatMap(({ identity, content }) => (content[MARK] ? [identity] : []));
		if (marked.length > 0)
			context.ledger[`${MARKED_CUSTOMERS}${context.account}`] = [
				...recallMarked(context),
				...marked,
			];
		return {};
	},
});

/**
 * Gives the mark of one row to all rows of its customer, also in later rounds. A mark whose row is not sent whole is sent alone,
 * unless another row of the customer is.
 */
export function holdMarks(
	rows: readonly CustomersRead[],
	context: MarksContext,
): Array<RowRead<Customer>> {
	const marked = new Set(recallMarked(context));
	const whole = new Set<string>();
	for (const row of rows)
		for (const { customer, problems } of row.customers) {
			if (customer?.[MARK]) marked.add(customer.identifier);
			if (customer && problems.length === 0 && !isInvalid(row)) whole.add(customer.identifier);
		}
	return rows.map((row): RowRead<Customer> => {
		const invalid = isInvalid(row);
		const contents = row.customers.flatMap(({ customer, problems }): Customer[] => {
			if (!customer) return [];
			const { identifier, source } = customer;
			if (!invalid && problems.length === 0)
				return [marked.has(identifier) ? { ...customer, [MARK]: true } : customer];
			const isSent = !customer[MARK] || whole.has(identifier);
			return isSent ? [] : [{ ...(source && { source }), identifier, [MARK]: true }];
		});
		const problems = [...row.problems, ...row.customers.flatMap((each) => each.problems)];
		if (problems.length === 0) return { contents };
		if (!invalid && contents.length > 0)
			return { contents, reason: `Only the mark is sent: ${describeProblems(problems)}` };
		const entered = { identifier: row.customers[0]?.customer?.identifier ?? '' };
		return { contents, problems, entered };
	});
}

/** Whether a row is not sent: a problem is not of a marked customer, whose mark goes without the other cells. */
const isInvalid = ({ customers, problems }: CustomersRead): boolean =>
	problems.length > 0 ||
	customers.some((each) => each.problems.length > 0 && !each.customer?.[MARK]);
