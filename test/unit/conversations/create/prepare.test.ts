import { fieldsRow, start } from '../../../support/startConversations';

describe('a default country', () => {
	const startWith = async (toPhoneNumber: unknown, options: object, more: object = {}) =>
		await start([fieldsRow({ toPhoneNumber, options, ...more })]);

	it('completes the numbers of a campaign without a country code', async () => {
		const { sent } = await startWith('212-555-0196', { defaultCountry: 'US' });
		expect(sent).toMatchObject([{ toPhoneNumber: '+12125550196' }]);
	});

	it.each<[string, string, object]>([
		['has no country code', '2125550196', {}],
		['has no country code', '2125550196', { defaultCountry: '' }],
		['can be read as two different numbers', '447911123456', { defaultCountry: 'DE' }],
		...['x', '+1', '12345', 'XX'].map((defaultCountry): [string, string, object] => [
			'is not a known country code',
			'2125550196',
			{ defaultCountry },
		]),
	])('%s: %s with %j calls no one', async (reason, number, options) => {
		const { sent, problems } = await startWith(number, options);
		expect([sent, problems]).toEqual([
			[],
			[[[expect.any(String), expect.stringContaining(reason)]]],
		]);
	});

	it('is not needed for columns as variables, which leave out the number', async () => {
		const other = { Office: '+14155550199', Number: '415', City: 'Lagos', Name: 'Ana' };
		const inputRow = { ...other, Notes: '', More: ' ', Last: null, Phone: '+1 (415) 555-0178' };
		const more = { variablesMode: 'columns', inputRow };
		const { sent } = await startWith('+14155550178', {}, more);
		expect(sent).toMatchObject([{ dynamicVariables: other }]);
		expect(JSON.stringify(sent)).not.toMatch(/"(Phone|Notes|More|Last)"/);
	});
});
