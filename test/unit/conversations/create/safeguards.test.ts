import { createSettings } from '../../../../src/conversations/create/settings';
import { AGENT, PHONE } from '../../../support/samples';
import { callOf, fieldsRow, start } from '../../../support/startConversations';

const everyone = { inputMode: 'fields', whoMayBeCalled: 'everyone' };

it.each([
	[{}, true],
	[{ dryRun: false }, false],
	[{ dryRun: true, asTool: true }, true],
	[{ asTool: true }, false],
])('with %j it is a dry run: %j', (more, dryRun) => {
	expect(createSettings.parse({ ...everyone, ...more })).toMatchObject({ dryRun });
});

it('attempts without a campaign stop the run', () => {
	const safeguards = { attempts: { limit: { campaignKey: ' ', maximum: 3 } } };
	expect(createSettings.safeParse({ ...everyone, safeguards }).success).toBe(false);
});

it.each<[object, object, string]>([
	[{ campaignKey: ' ' }, {}, 'safeguards.attempts.limit.campaignKey'],
	[{ campaignKey: 'a' }, { conversationType: 'chat', toPhoneNumber: '' }, 'safeguards.personId'],
])(
	'attempts of no campaign, or of no person, are a fault of the row: %j %j',
	async (options, more, path) => {
		const { sent, problems } = await start([callOf(1, { maximumAttempts: 2, ...options }, more)]);
		expect([sent, problems]).toEqual([[], [[[path, expect.any(String)]]]]);
	},
);

it('a column of people that is empty in every row stops the run', async () => {
	const { sent, problems } = await start([1, 2].map((n) => callOf(n, { personId: null })));
	expect([sent, problems[1]]).toEqual([
		[],
		expect.stringMatching(/'Person ID' is empty in every row/),
	]);
});

describe('allowed countries', () => {
	const readCountries = (allowedCountries: unknown) =>
		createSettings.safeParse({ ...everyone, safeguards: { allowedCountries } }).data
			?.allowedCountries;

	it('are read from text and lists', () => {
		expect(readCountries('US, de;fr\n\n gb')).toEqual(['US', 'DE', 'FR', 'GB']);
		expect(readCountries(['US', ' ', ' de '])).toEqual(['US', 'DE']);
		expect(readCountries('US, Narnia')).toBeUndefined();
	});

	it.each([' , ', null, []])('are refused where they are %j', (entered) => {
		expect(readCountries(entered)).toBeUndefined();
	});

	it('keep out every other number, and those of no country, also in JSON', async () => {
		const options = { allowedCountries: 'DE, FR' };
		const numbers = [PHONE, '+80012345678', '+493012345678'];
		const { problems, sent } = await start(
			numbers.map((toPhoneNumber) => {
				const conversationJson = { agentId: AGENT, toPhoneNumber };
				return { parameters: { inputMode: 'json', conversationJson, options } };
			}),
		);
		expect(sent).toEqual([]);
		expect(problems.slice(0, 2)).toEqual(
			['US', 'no country'].map((country, n) => [
				[
					'conversationJson.toPhoneNumber',
					expect.stringContaining(`"${numbers[n]}" is in ${country}, not in Allowed`),
				],
			]),
		);
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
