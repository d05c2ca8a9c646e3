import { allowedCountries, createSettings } from '../../../../src/conversations/create/settings';
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

	it.each([' , ', null, []])('are refused where they are %j', (entered) => {
		expect(allowedCountries.safeParse(entered).success).toBe(false);
	});

	it('keep out every other number, and those of no country, also in JSON', async () => {
		const options = { allowedCountries: 'DE, FR' };
		const numbers = [PHONE, '+80012345678', '+493012345678'];
		const conversationsJson = numbers.map((toPhoneNumber) => ({ agentId: AGENT, toPhoneNumber }));
		const { problems, sent } = await start([
			{ parameters: { inputMode: 'json', conversationsJson, options } },
		]);
		expect(sent).toEqual([]);
		expect(problems).toEqual([
			['US', 'no country'].map((country, n) => [
				`conversationsJson.${n}.toPhoneNumber`,
				expect.stringContaining(`"${numbers[n]}" is in ${country}, which is not in Allowed`),
			]),
		]);
		const chat = await start([fieldsRow({ options, conversationType: 'chat', toPhoneNumber: '' })]);
		expect(chat.sent).toEqual([{ agentId: AGENT, conversationType: 'chat', dynamicVariables: {} }]);
	});
});

it.each([
	['+19002345678', 'premium rate'],
	['+491801234567', 'shared cost'],
	['+447012345678', 'personal number'],
])('%s is rejected as %s, unless that is allowed', async (toPhoneNumber, kind) => {
	const { sent, problems } = await start([fieldsRow({ toPhoneNumber })]);
	expect(sent).toEqual([]);
	expect(JSON.stringify(problems)).toContain(
		`may cost more, because its type is ${kind}. Remove the row`,
	);
	const options = { allowPremiumRate: true };
	expect((await start([fieldsRow({ toPhoneNumber, options })])).sent).toHaveLength(1);
});

describe('numbers that are never called', () => {
	it.each<[unknown, readonly string[] | undefined]>([
		[
			['+1 415 555 0178', ' ', null, '+14155550179'],
			['+14155550178', '+14155550179'],
		],
		['+14155550178;;\r\n +14155550179 ,', ['+14155550178', '+14155550179']],
		[' ,;', undefined],
		['415 555 0178', undefined],
	])('are read with their country code, blanks left out: %j', (entered, numbers) => {
		const settings = { inputMode: 'fields', safeguards: { numbersNeverCalled: entered } };
		const { data } = createSettings.safeParse(settings);
		expect(data && [...data.numbersNeverCalled]).toEqual(numbers);
	});

	it('stop the run where one cannot be read, before anyone is called', async () => {
		const options = { numbersNeverCalled: `${phoneOf(2)}, 12`, invalidRows: 'sendValid' };
		const { problems, sent } = await start([fieldsRow({ options })]);
		expect(problems).toMatchObject([[['safeguards.numbersNeverCalled', expect.anything()]]]);
		expect(sent).toEqual([]);
	});

	it('keep out the number that is listed, and no other of its row', async () => {
		const conversationsJson = [phoneOf(1), phoneOf(2)].map((toPhoneNumber) => ({
			agentId: AGENT,
			toPhoneNumber,
		}));
		const options = { numbersNeverCalled: phoneOf(2) };
		const { sent, summary } = await start([
			{ parameters: { inputMode: 'json', conversationsJson, options } },
		]);
		expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual([phoneOf(1)]);
		expect(summary).toContain("1 accepted, 1 listed under 'Numbers Never Called'");
	});
});
