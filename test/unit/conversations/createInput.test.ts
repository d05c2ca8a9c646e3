import { AGENT, phoneOf } from '../../support/samples';
import { fieldsRow, start } from '../../support/startConversations';

describe('rows that are marked', () => {
	it('are left out with what can be read of them', async () => {
		const options = { doNotCall: 'yes' };
		const { rows, summary } = await start([
			fieldsRow({ options, toPhoneNumber: ' not a number ' }),
			fieldsRow({ options, toPhoneNumber: undefined }),
			{ parameters: { inputMode: 'fields', options } },
		]);
		expect(rows.map(({ details }) => details?.['toPhoneNumber'])).toEqual(['not a number', '', '']);
		expect(summary).toBe('3 rows, 0 requests: 3 marked Do Not Call');
	});

	it('are left out with all conversations of their JSON', async () => {
		const conversationsJson = [phoneOf(1), phoneOf(2)].map((toPhoneNumber) => ({
			agentId: AGENT,
			toPhoneNumber,
		}));
		const { summary, sent } = await start([
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: true } } },
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: false } } },
		]);
		expect(summary).toBe('2 rows, 0 requests: 4 marked Do Not Call');
		expect(sent).toEqual([]);
		const fields = await start([fieldsRow({ conversationsJson, options: { doNotCall: 'x' } })]);
		expect(fields.summary).toBe('1 row, 0 requests: 1 marked Do Not Call');
	});

	it('are told of where the mark is not used', async () => {
		const marked = (dnc: unknown) => fieldsRow({ inputRow: { DNC: dnc } });
		expect((await start([marked('yes'), marked('no')])).summary).toContain(
			'1 row marked in the column DNC is not left out, because Do Not Call is not set under Safeguards',
		);
		expect(
			(
				await start([
					marked('yes'),
					fieldsRow({ toPhoneNumber: phoneOf(3), inputRow: { DNC: 'x' } }),
				])
			).summary,
		).toContain('2 rows marked in the column DNC are not left out');
		expect(
			(await start([marked('no'), fieldsRow({ inputRow: { Other: 'yes' } })])).summary,
		).not.toContain('marked in');
	});

	it('stop the run where a mark cannot be read, or no row has one', async () => {
		const long = await start([fieldsRow({ options: { doNotCall: 'x'.repeat(50) } })]);
		expect(long.problems).toEqual([
			[
				[
					'safeguards.doNotCall',
					`"${'x'.repeat(40)}" is neither yes nor no. Use yes or no, or true or false`,
				],
			],
		]);
		const columns = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`c${n}`, n]));
		const missing = await start([
			fieldsRow({ inputRow: columns, options: { doNotCall: undefined } }),
		]);
		expect(missing.problems).toEqual([
			[
				[
					'safeguards.doNotCall',
					`is empty in every row. Check the column name in its expression. Columns found: ${Array.from({ length: 30 }, (_, n) => `c${n}`).join(', ')}`,
				],
			],
		]);
		const none = await start([fieldsRow({ options: { doNotCall: undefined } })]);
		expect(none.problems[0]).toEqual([
			['safeguards.doNotCall', expect.stringContaining('Columns found: none') as string],
		]);
	});
});
