import { createBatch } from '../../../src/customers/createBatch';
import { fromColumns } from '../../../src/customers/headers';
import { fakeWorld, inTurn, reply } from '../../support/fakeWorld';
import { listOf } from '../../support/samples';

describe('columns mapped automatically', () => {
	it('recognises the columns of a CRM export', () => {
		const row = {
			'Record ID': '100001',
			'First Name': 'Samir',
			'Last Name': 'Weber',
			Email: 's@example.com',
			'Phone Number': '+14155550178',
			Priority: '7',
			'Do Not Call': 'true',
			City: 'Lagos',
			Notes: '',
		};
		const { fields, remaining } = fromColumns(row);
		expect({ fields, remaining: remaining() }).toEqual({
			fields: {
				identifier: '100001',
				name: 'Samir Weber',
				email: 's@example.com',
				phoneNumber: '+14155550178',
				priority: '7',
				isDoNotDisturbEnabled: 'true',
			},
			remaining: { City: 'Lagos' },
		});
	});

	it.each([
		[
			{ customer_id: 'a', 'E-Mail': 'b', MOBILE: 'c' },
			{ identifier: 'a', email: 'b', phoneNumber: 'c' },
		],
		[{ identifier: 'a', 'Record ID': 'b' }, { identifier: 'a' }],
		[{ 'Full Name': 'A B', 'First Name': 'C' }, { name: 'A B' }],
		[{ Surname: 'B' }, { name: 'B' }],
		[{ 'Phone Number': ' ', Mobile: 'c' }, { phoneNumber: 'c' }],
		[{ Email: 'a', 'E-Mail': 'b' }, { email: 'a' }],
		[{ identifier: 'a', Email: ' ' }, { identifier: 'a' }],
		[{ Name: ' ', 'First Name': 'A', 'Last Name': 'B' }, { name: 'A B' }],
		[{ constructor: 'x', __proto__: { name: 'y' } }, {}],
	])('takes %j for %j', (row, fields) => {
		expect(fromColumns(row).fields).toEqual(fields);
	});

	it('looks at the columns of each row, though most rows have those of the row before', () => {
		const rows = [
			{ 'Record ID': 'a', Email: 'b' },
			{ 'Record ID': 'c', Mobile: 'd' },
			{ 'Record ID': 'e' },
			{ 'Record ID': 'f', Mobile: 'g', City: 'h' },
			{ City: 'i', 'Record ID': 'j' },
			{ City: 'k', 'Record ID': 'l' },
		];
		const read = rows.map(fromColumns);
		expect(read.map(({ fields, remaining }) => ({ fields, remaining: remaining() }))).toEqual([
			{ fields: { identifier: 'a', email: 'b' }, remaining: {} },
			{ fields: { identifier: 'c', phoneNumber: 'd' }, remaining: {} },
			{ fields: { identifier: 'e' }, remaining: {} },
			{ fields: { identifier: 'f', phoneNumber: 'g' }, remaining: { City: 'h' } },
			{ fields: { identifier: 'j' }, remaining: { City: 'i' } },
			{ fields: { identifier: 'l' }, remaining: { City: 'k' } },
		]);
	});

	const send = async (customer: object, options: object) => {
		const world = fakeWorld(inTurn(reply(200, { jobId: 'j' })));
		const parameters = {
			inputMode: 'fields',
			customer,
			customerMapping: 'autoMapInputData',
			options,
		};
		await createBatch.run([{ parameters }], world.desk());
		return listOf(world.sent[0]?.body, 'customers')[0];
	};

	it('puts the remaining columns into the metadata only when asked to', async () => {
		const row = { 'Record ID': 'a', City: 'Lagos', Stage: 'lead', Notes: null };
		expect(await send(row, {})).toEqual({ source: { method: 'api' }, identifier: 'a' });
		expect(await send(row, { remainingColumns: 'metadata' })).toEqual({
			source: { method: 'api' },
			identifier: 'a',
			metadata: { City: 'Lagos', Stage: 'lead' },
		});
	});

	it('sends no metadata where no columns remain', async () => {
		expect(await send({ 'Record ID': 'a' }, { remainingColumns: 'metadata' })).toEqual({
			source: { method: 'api' },
			identifier: 'a',
		});
	});

	it('leaves metadata that is there as it is', async () => {
		const row = { id: undefined, identifier: 'a', metadata: { x: 1 }, City: 'Lagos' };
		expect(await send(row, { remainingColumns: 'metadata' })).toMatchObject({ metadata: { x: 1 } });
	});
});
