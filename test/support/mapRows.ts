import type { Ledger } from '../../src/core/operation';
import { batchSettings } from '../../src/customers/batchSettings';
import { describeMapping } from '../../src/customers/mapping/describeMapping';
import { createMapping, mapCustomer, remainingIn } from '../../src/customers/mapping/mapping';
import type { Columns } from '../../src/customers/mapping/table';
import { finish } from './finish';
import { readCustomers } from '../../src/customers/readCustomers';
import { jsonLedger } from './fakeRuntime';

/** Maps the rows of one run, and says what became of each. */
export function mapRows(rows: readonly Columns[], identifierColumn = '') {
	const mapping = finish(createMapping(rows, identifierColumn));
	return {
		mapping,
		problem: mapping.problem,
		fields: rows.map((row) => mapCustomer(row, mapping).fields),
		remaining: rows.map((row) => remainingIn(row, mapping)),
		description: describeMapping(mapping),
	};
}

/** The fields of a row that is alone in its run. */
export const fieldsOf = (row: Columns) => mapRows([row]).fields[0] ?? {};

/** Plans rows as a run with automatic mapping does. */
export function planCustomerRows(
	rows: readonly object[],
	options: object = {},
	panel: object = {},
	ledger: Ledger = jsonLedger(),
) {
	const settings = batchSettings.parse({
		inputMode: 'fields',
		customerMapping: 'autoMapInputData',
		options,
		...panel,
	});
	const input = rows.map((customer) => ({ parameters: { customer, inputRow: customer } }));
	const {
		rows: read,
		problems = [],
		notes = [],
		stop,
		sources,
	} = finish(readCustomers(input, settings, { ledger, account: '' }));
	return {
		rows: read.map(({ entries, ...row }) => ({
			...row,
			values: entries.map(({ content }) => content),
		})),
		findings: { problems, notes, reasonNotToSend: stop, sources },
	};
}
