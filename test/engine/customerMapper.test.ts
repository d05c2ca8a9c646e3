import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { getCustomerFields } from '../../nodes/ConversationDesk/lists';
import { createBatch, mapped } from '../support/panel';
import { runNode } from '../support/runNode';
import { listOf } from '../support/samples';
import { forget, serve } from '../support/service';

afterEach(forget);

const fields = async () => (await getCustomerFields.call({} as ILoadOptionsFunctions)).fields;

/** What the editor writes into a mapping that was just made: false for a boolean, null for all others. */
const untouched = async (): Promise<Record<string, false | null>> =>
	Object.fromEntries(
		(await fields()).map(({ id, type }) => [id, type === 'boolean' ? false : null]),
	);

async function sent(value: Parameters<typeof mapped>[0]): Promise<unknown> {
	const received = serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const parameters = { ...createBatch, customer: mapped(value) };
	await runNode({ rows: [{ mark: true }], parameters });
	return listOf(received[0]?.body, 'customers')[0];
}

const source = { method: 'api' };

it('a mapping with only an identifier sends only an identifier', async () => {
	expect(await sent({ ...(await untouched()), identifier: 'C-1' })).toEqual({
		source,
		identifier: 'C-1',
	});
});

it('Do Not Disturb is chosen from Yes and No', async () => {
	const mark = (await fields()).find(({ id }) => id === 'isDoNotDisturbEnabled');
	expect(mark).toMatchObject({
		type: 'options',
		options: [
			{ name: 'Yes', value: 'yes' },
			{ name: 'No', value: 'no' },
		],
	});
});

it.each([
	['yes', true],
	['true', true],
	[true, true],
	['={{ $json.mark }}', true],
	['no', false],
	['false', false],
	[false, false],
	['', undefined],
	[null, undefined],
])('reads the mark %j as %j', async (entered, expected) => {
	const customer = await sent({ identifier: 'C-1', isDoNotDisturbEnabled: entered });
	expect(customer).toEqual({
		source,
		identifier: 'C-1',
		...(expected !== undefined && { isDoNotDisturbEnabled: expected }),
	});
});

it('stops where the column of a field is gone from all rows, and says which', async () => {
	const received = serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const customer = mapped({
		identifier: '={{ $json.id }}',
		isDoNotDisturbEnabled: '={{ $json["Do Not Call"] }}',
	});
	const parameters = { ...createBatch, customer };
	const rows = [
		{ id: 1, 'Do Not Call (new)': 'yes' },
		{ id: 2, 'Do Not Call (new)': 'no' },
	];
	const { error } = await runNode({ rows, parameters });
	expect(error?.message).toContain("'Do Not Disturb' is mapped to a column that no row has");
	expect(received).toEqual([]);
});
