import {
	allowedCountries,
	doNotCallNumbers,
	createSettings,
} from '../../../../src/conversations/create/settings';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

it.each([
	[{}, true, 'sendAll'],
	[{ dryRun: false }, false, 'sendAll'],
	[{ dryRun: true, asTool: true }, true, 'keepFirst'],
	[{ asTool: true }, false, 'keepFirst'],
	[{ safeguards: { maximumPerDay: 5 } }, true, 'keepFirst'],
	[{ safeguards: { attempts: { limit: {} } } }, true, 'keepFirst'],
])('with %j it is a dry run: %j, and duplicates are %s', (more, dryRun, duplicates) => {
	const entered = { inputMode: 'fields', options: { duplicates: 'sendAll' }, ...more };
	expect(createSettings.parse(entered)).toMatchObject({ dryRun, duplicates });
});

describe('allowed countries', () => {
	it('are read from text and lists', () => {
		expect(allowedCountries.parse('US, de;fr\n\n gb')).toEqual(['US', 'DE', 'FR', 'GB']);
		expect(allowedCountries.parse(['US', ' ', ' de '])).toEqual(['US', 'DE']);
		expect(allowedCountries.safeParse('US, Narnia').success).toBe(false);
	});

	it.each(['', ' , ', null, undefined, [], ['']])('are refused where they are %j', (entered) => {
		expect(allowedCountries.safeParse(entered).error?.issues[0]?.message).toBe(
			'is empty. Choose at least one country, or remove it to call all',
		);
	});

	it('keep out every other number, and those of no country', async () => {
		const options = { allowedCountries: 'DE, FR' };
		const { problems, sent } = await start([
			fieldsRow({ options }),
			fieldsRow({ options, toPhoneNumber: '+80012345678' }),
		]);
		expect(problems).toEqual([
			[
				[
					'toPhoneNumber',
					`${PHONE} is in US, which is not in Allowed Countries (DE, FR). Add it there, or remove the row`,
				],
			],
			[
				[
					'toPhoneNumber',
					'+80012345678 is in no country, which is not in Allowed Countries (DE, FR). Add it there, or remove the row',
				],
			],
		]);
		expect(sent).toEqual([]);
		const chat = await start([fieldsRow({ options, conversationType: 'chat', toPhoneNumber: '' })]);
		expect(chat.sent).toEqual([{ agentId: AGENT, conversationType: 'chat', dynamicVariables: {} }]);
	});

	it('hold for conversations in JSON, too', async () => {
		const conversationsJson = [
			{ agentId: AGENT, toPhoneNumber: PHONE },
			{ agentId: AGENT, toPhoneNumber: '+493012345678' },
		];
		const { problems, sent } = await start([
			{ parameters: { inputMode: 'json', conversationsJson, options: { allowedCountries: 'DE' } } },
		]);
		expect(problems).toEqual([
			[['conversationsJson.0.toPhoneNumber', expect.stringContaining('is in US') as string]],
		]);
		expect(sent).toEqual([]);
	});
});

describe('numbers listed under Do Not Call', () => {
	const settings = { defaultCountry: 'US' } as const;

	it('are read in any spelling, blanks left out', () => {
		expect(doNotCallNumbers(['415 555 0178', ' ', null, undefined, 4155550179], settings)).toEqual({
			numbers: new Set(['number:+14155550178', 'number:+14155550179']),
			problems: [],
		});
		expect(doNotCallNumbers('+14155550178;;\r\n +14155550179 ,', settings).numbers.size).toBe(2);
		expect(doNotCallNumbers(undefined, settings)).toEqual({ numbers: new Set(), problems: [] });
		expect(doNotCallNumbers(4155550178, settings).numbers.size).toBe(1);
	});

	it.each([' ,;', ['', ' '], ';'])('are refused where there are none: %j', (entered) => {
		expect(doNotCallNumbers(entered, settings).problems).toEqual([
			'contains no number. Enter at least one, or remove it',
		]);
	});

	it('are refused where one cannot be read, five at most', () => {
		const { problems } = doNotCallNumbers(['x1', 'x2', 'x3', 'x4', 'x5', 'x6'], settings);
		expect(problems).toHaveLength(5);
		expect(problems[0]).toBe(
			'contains a number that cannot be read: "x1" contains letters or other characters. Enter it like +14155550178',
		);
	});

	it('stop the run where one cannot be read, before anyone is called', async () => {
		const options = { doNotCallNumbers: `${phoneOf(2)}, 12`, invalidRows: 'sendValid' };
		const { problems, sent } = await start([fieldsRow({ options })]);
		expect(problems).toMatchObject([[['safeguards.doNotCall.people.numbers', expect.anything()]]]);
		expect(sent).toEqual([]);
	});

	it.each([
		['+5491123456789', '+541123456789'],
		['+541123456789', '+5491123456789'],
		['+5215512345678', '+525512345678'],
	])('keep out %s where %s is listed, the same person', async (toPhoneNumber, listed) => {
		const { sent } = await start([
			fieldsRow({ toPhoneNumber, options: { doNotCallNumbers: listed } }),
		]);
		expect(sent).toEqual([]);
	});

	it('keep out the number that is listed, and no other of its row', async () => {
		const conversationsJson = [phoneOf(1), phoneOf(2)].map((toPhoneNumber) => ({
			agentId: AGENT,
			toPhoneNumber,
		}));
		const { problems, sent, summary } = await start([
			{
				parameters: {
					inputMode: 'json',
					conversationsJson,
					options: { doNotCallNumbers: phoneOf(2) },
				},
			},
		]);
		expect(problems).toEqual(['Not called, because the number is listed under Do Not Call']);
		expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual([phoneOf(1)]);
		expect(summary).toContain('1 row, 1 request: 1 accepted, 1 listed under Do Not Call');
	});
});
