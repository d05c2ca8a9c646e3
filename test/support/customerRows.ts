import omit from 'lodash/omit';
import type { Ledger, Row } from '../../src/core/operation';
import { toSentence } from '../../src/core/problems';
import { batchSettings } from '../../src/customers/batchSettings';
import { readCustomers } from '../../src/customers/readCustomers';
import { fakeRuntime, jsonLedger, reply } from './fakeRuntime';

type Columns = Readonly<Record<string, unknown>>;

/** A row whose customer is entered in fields, and has a name. */
export const customerRow = (identifier: string, options: object = {}, name = 'Ana'): Row => ({
	parameters: { inputMode: 'fields', customer: { identifier, name }, options },
});

/** The settings besides the rows; with a `doNotDisturbColumn`, marks are read from it. */
interface Panel {
	readonly options?: object;
	readonly panel?: Readonly<Record<string, unknown>>;
	readonly ledger?: Ledger;
	readonly country?: unknown;
}

/** Reads rows as a run with automatic mapping does, unless the panel says otherwise. */
export async function readCustomerRows(
	rows: readonly Columns[],
	{ options = {}, panel = {}, ledger = jsonLedger(), country }: Panel = {},
) {
	const settings = batchSettings.parse({
		inputMode: 'fields',
		customer: { mappingMode: 'autoMapInputData' },
		doNotDisturb: panel['doNotDisturbColumn'] === undefined ? 'none' : 'marked',
		options,
		...panel,
	});
	const input = rows.map((row) => ({
		parameters: {
			...(settings.inputMode === 'json' ? { customerJson: row } : { customer: row }),
			...(country !== undefined && { options: { defaultCountry: country } }),
		},
	}));
	const context = { ...fakeRuntime(() => reply(200, '')).context(), ledger, account: '' };
	const read = await readCustomers(input, settings, context);
	return {
		...read,
		question: read.stop,
		/** The customers without the source that all have. */
		sent: read.rows.map(({ content }) => content && omit(content, 'source')),
		reasons: read.rows.map(({ problems }) => problems?.map(toSentence).join()),
	};
}
