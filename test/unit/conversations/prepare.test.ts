import { create } from '../../../src/conversations/create';
import { withCountryCode } from '../../../src/core/phoneNumber';
import { fakeWorld, inTurn, reply } from '../../support/fakeWorld';
import { AGENT, listOf } from '../../support/samples';

describe('a default country code', () => {
	it.each([
		['212-555-0196', '+1', '+1212-555-0196'],
		['(212) 555 0196', '1', '+1(212) 555 0196'],
		["'2125550196", '+1', '+12125550196'],
		[2125550196, '+1', '+12125550196'],
		['0171 2345678', '+49', '+49171 2345678'],
		['(030) 123456', '49', '+49(30) 123456'],
		['06 1234 5678', '+39', '+3906 1234 5678'],
		['+14155550178', '+49', '+14155550178'],
		['0014155550178', '+49', '0014155550178'],
		['1.4155E+10', '+1', '1.4155E+10'],
		['', '+1', ''],
		[undefined, '+1', undefined],
	])('completes %j with %s', (value, code, completed) => {
		expect(withCountryCode(value, code)).toBe(completed);
	});

	const row = (toPhoneNumber: unknown, options: object, more: object = {}) => ({
		parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber, options, ...more },
	});

	it('is put before the numbers of a campaign that have none', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		await create.run([row('212-555-0196', { defaultCountryCode: '+1' })], world.desk());
		expect(listOf(world.sent[0]?.body, 'conversations')).toMatchObject([
			{ toPhoneNumber: '+12125550196' },
		]);
	});

	it.each([{}, { defaultCountryCode: '' }])('is not guessed with %j', async (options) => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const { rows } = await create.run([row('2125550196', options)], world.desk());
		expect(world.sent).toEqual([]);
		expect(rows[0]?.failure).toMatchObject({
			problems: [{ message: expect.stringContaining('has no country code') as string }],
		});
	});

	it.each(['x', '+0', '12345', '+1 2'])('is refused when it is %j', async (defaultCountryCode) => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const { rows } = await create.run([row('2125550196', { defaultCountryCode })], world.desk());
		expect(world.sent).toEqual([]);
		expect(rows[0]?.failure?.kind).toBe('input');
	});

	it('is not needed for columns as variables, which leave out the number, and yield to entered ones', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const other = { Office: '+14155550199', Number: '415' };
		const inputRow = { ...other, City: 'Lagos', Name: 'Ana', Notes: '', More: ' ', Last: null };
		const dynamicVariables = { variables: [{ name: 'Name', value: 'Anna' }] };
		await create.run(
			[
				row(
					'+14155550178',
					{ columnsAsVariables: true },
					{ inputRow: { ...inputRow, Phone: '+1 (415) 555-0178' }, dynamicVariables },
				),
			],
			world.desk(),
		);
		expect(listOf(world.sent[0]?.body, 'conversations')).toMatchObject([
			{ dynamicVariables: { ...other, City: 'Lagos', Name: 'Anna' } },
		]);
		expect(JSON.stringify(world.sent[0]?.body)).not.toMatch(/"(Phone|Notes|More|Last)"/);
	});
});
