import { allowedCountries, createSettings } from '../../../../src/conversations/create/settings';
import { AGENT, PHONE } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

it.each([
	[{}, true, 'sendAll'],
	[{ dryRun: false }, false, 'sendAll'],
	[{ dryRun: true, asTool: true }, true, 'keepFirst'],
	[{ asTool: true }, false, 'keepFirst'],
	[{ safeguards: { maximumPerDay: 5 } }, true, 'keepFirst'],
	[{ safeguards: { attempts: { limit: { campaignKey: 'a' } } } }, true, 'keepFirst'],
])('with %j it is a dry run: %j, and duplicates are %s', (more, dryRun, duplicates) => {
	const entered = { inputMode: 'fields', options: { duplicates: 'sendAll' }, ...more };
	expect(createSettings.parse(entered)).toMatchObject({ dryRun, duplicates });
});

it('attempts without a campaign stop the run', () => {
	const safeguards = { attempts: { limit: { campaignKey: ' ', maximum: 3 } } };
	expect(createSettings.safeParse({ inputMode: 'fields', safeguards }).success).toBe(false);
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
				expect.stringContaining(`"${numbers[n]}" is in ${country}, not in Allowed`),
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

it.each<[unknown, readonly string[] | undefined]>([
	[
		['+1 415 555 0178', ' ', null, 'P-1'],
		['+14155550178', 'P-1'],
	],
	['+14155550178;;\r\n +14155550179 ,', ['+14155550178', '+14155550179']],
	[' ,;', undefined],
])('people under Not Called are read without blanks: %j', (notCalled, people) => {
	const { data } = createSettings.safeParse({ inputMode: 'fields', safeguards: { notCalled } });
	expect(data && [...(data.notCalled ?? [])]).toEqual(people);
});
