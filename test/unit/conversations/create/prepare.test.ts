import { create } from '../../../../src/conversations/create/create';
import { fakeRuntime, inTurn, reply } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf } from '../../../support/samples';

describe('a default country', () => {
	const row = (toPhoneNumber: unknown, options: object, more: object = {}) => ({
		parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber, options, ...more },
	});

	it('completes the numbers of a campaign without a country code', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		await runRows(create, [row('212-555-0196', { defaultCountry: 'US' })], runtime.context());
		expect(listOf(runtime.sent[0]?.body, 'conversations')).toMatchObject([
			{ toPhoneNumber: '+12125550196' },
		]);
	});

	it.each([{}, { defaultCountry: '' }])('is not guessed with %j', async (options) => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const { rows } = await runRows(create, [row('2125550196', options)], runtime.context());
		expect(runtime.sent).toEqual([]);
		expect(rows[0]?.failure).toMatchObject({
			problems: [{ message: expect.stringContaining('has no country code') as string }],
		});
	});

	it.each(['x', '+1', '12345', 'XX'])('is refused when it is %j', async (defaultCountry) => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const { rows } = await runRows(
			create,
			[row('2125550196', { defaultCountry })],
			runtime.context(),
		);
		expect(runtime.sent).toEqual([]);
		expect(rows[0]?.failure?.kind).toBe('input');
	});

	it('is told with the number that is not valid in it', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const options = { defaultCountry: 'DE' };
		const { rows } = await runRows(create, [row('447911123456', options)], runtime.context());
		expect(rows[0]?.failure).toMatchObject({
			problems: [
				{ message: expect.stringContaining('can be read as two different numbers') as string },
			],
		});
	});

	it('is not needed for columns as variables, which leave out the number', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const other = { Office: '+14155550199', Number: '415' };
		const inputRow = { ...other, City: 'Lagos', Name: 'Ana', Notes: '', More: ' ', Last: null };
		await runRows(
			create,
			[
				row(
					'+14155550178',
					{},
					{
						variablesMode: 'columns',
						inputRow: { ...inputRow, Phone: '+1 (415) 555-0178' },
					},
				),
			],
			runtime.context(),
		);
		expect(listOf(runtime.sent[0]?.body, 'conversations')).toMatchObject([
			{ dynamicVariables: { ...other, City: 'Lagos', Name: 'Ana' } },
		]);
		expect(JSON.stringify(runtime.sent[0]?.body)).not.toMatch(/"(Phone|Notes|More|Last)"/);
	});
});
