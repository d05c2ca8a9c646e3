import omit from 'lodash/omit';
import type { Ledger } from '../../src/core/operation';
import { toSentence } from '../../src/core/problems';
import { batchSettings } from '../../src/customers/batchSettings';
import { readCustomers } from '../../src/customers/readCustomers';
import { fakeRuntime, jsonLedger, reply } from './fakeRuntime';

type Columns = Readonly<Record<string, unknown>>;

/** What the panel has besides the rows; `doNotDisturbColumnName` is the answer to the question of marks. */
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
		customerMapping: 'autoMapInputData',
		doNotDisturb: panel['doNotDisturbColumnName'] === undefined ? 'none' : 'marked',
		options,
		...panel,
	});
	const input = rows.map((row) => ({
		parameters: {
			...(settings.inputMode === 'json' ? { customersJson: row } : { customer: row }),
			...(settings.doNotDisturb === 'marked' && {
				doNotDisturbColumn: row[settings.doNotDisturbColumnName] ?? '',
			}),
			...(country !== undefined && { options: { defaultCountry: country } }),
		},
	}));
	const context = { ...fakeRuntime(() => reply(200, '')).context(), ledger, account: '' };
	const read = await readCustomers(input, settings, context);
	return {
		...read,
		question: read.stop,
		/** The customers without the source that all have. */
		sent: read.rows.map(({ contents }) => contents.map((each) => omit(each, 'source'))),
		reasons: read.rows.map(({ problems }) => problems?.map(toSentence).join()),
	};
}
