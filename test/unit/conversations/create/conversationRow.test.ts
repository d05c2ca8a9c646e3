import omit from 'lodash/omit';
import { readRow } from '../../../../src/conversations/create/conversationRow';
import { createSettings } from '../../../../src/conversations/create/settings';
import { AGENT, PHONE } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

/** A conversation in JSON, unchanged, or its problems by path. */
function read(value: unknown) {
	const settings = createSettings.parse({ inputMode: 'json', whoMayBeCalled: 'everyone' });
	const row = readRow({ parameters: { conversationJson: value } }, settings);
	const problems = row.problems?.map(({ path, reason }) => [path.slice(1).join('.'), reason]);
	return problems ?? row.content?.conversation;
}

describe('a conversation to start', () => {
	const whole = {
		agentId: AGENT,
		conversationType: 'telephony',
		toPhoneNumber: PHONE,
		dynamicVariables: { firstName: 'Ana', visits: 3, vip: true },
	};

	it('has the fields of the interface, and keeps those that it does not list', () => {
		expect(read(whole)).toStrictEqual(whole);
		const more = { fromPhoneNumber: PHONE, note: { a: 1 } };
		expect(read({ agentId: ` ${AGENT} `, toPhoneNumber: ` ${PHONE}`, ...more })).toStrictEqual({
			...whole,
			dynamicVariables: {},
			...more,
		});
	});

	it.each([
		[' telephony ', 'telephony'],
		['Video', 'Video'],
	])('is of the type %j as %j, and only a call needs a number', (entered, conversationType) => {
		expect(read({ ...whole, conversationType: entered })).toMatchObject({ conversationType });
		expect(read({ ...whole, conversationType: entered, toPhoneNumber: ' ' })).toStrictEqual(
			conversationType === 'telephony'
				? [['toPhoneNumber', expect.stringContaining('is empty')]]
				: { ...omit(whole, 'toPhoneNumber'), conversationType },
		);
	});

	it.each<[unknown, string, string]>([
		[{ toPhoneNumber: PHONE }, 'agentId', 'is empty'],
		[{ agentId: 'x', toPhoneNumber: PHONE }, 'agentId', 'is not a UUID'],
		[{ ...whole, conversationType: ' ' }, 'conversationType', 'is empty'],
		[{ ...whole, conversationType: 5 }, 'conversationType', 'must be text'],
		[{ ...whole, conversationType: 'Telephony' }, 'conversationType', 'small letters'],
		[{ ...whole, dynamicVariables: { a: NaN } }, 'dynamicVariables', 'cannot be written as JSON'],
		[null, '', 'must be an object'],
	])('is not %j', (value, path, message) => {
		expect(read(value)).toContainEqual([path, expect.stringContaining(message)]);
	});
});

describe('fields that the interface does not list', () => {
	const conversation = { agentId: AGENT, toPhoneNumber: PHONE };
	const json = (conversationJson: object, more: object = {}) => ({
		parameters: { inputMode: 'json', conversationJson, ...more },
	});

	it('are named in the hint', async () => {
		const { summary } = await start([json({ ...conversation, extra: 1, more: 2 })]);
		expect(summary).toContain('the service does not document them: extra, more');
		for (const none of [conversation, { ...conversation, toPhoneNumber: '12', note: 'not sent' }])
			expect((await start([json(none)])).summary).not.toContain('Sent as entered');
	});

	it('are added to conversations in fields and in JSON', async () => {
		const options = { additionalFieldsJson: '{"from": "+1"}' };
		for (const row of [fieldsRow({ options }), json(conversation, { options })])
			expect((await start([row])).sent).toEqual([
				{ from: '+1', conversationType: 'telephony', dynamicVariables: {}, ...conversation },
			]);
	});

	it.each([
		[{ toPhoneNumber: PHONE }, 'has its own parameter'],
		[undefined, 'must be an object'],
	])('are refused where they are %j', async (additionalFieldsJson, reason) => {
		const { sent, problems } = await start([fieldsRow({ options: { additionalFieldsJson } })]);
		expect([sent, problems]).toEqual([
			[],
			[[['options.additionalFieldsJson', expect.stringContaining(reason)]]],
		]);
	});
});
