import omit from 'lodash/omit';
import { openRow, readConversations } from '../../../../src/conversations/create/conversationRow';
import { createSettings } from '../../../../src/conversations/create/settings';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

/** A conversation in JSON as it is sent, or its problems by path. */
function read(value: unknown) {
	const row = openRow({ conversationsJson: [value] });
	const [found] = readConversations(row, createSettings.parse({ inputMode: 'json' }));
	const problems = [...row.problems, ...(found?.problems ?? [])].map(({ path, reason }) => [
		path.slice(1).join('.'),
		reason,
	]);
	return problems.length === 0 ? found?.conversation : problems;
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
		[null, '0', 'must be an object'],
	])('is not %j', (value, path, message) => {
		expect(read(value)).toContainEqual([path, expect.stringContaining(message)]);
	});
});

describe('fields that the interface does not list', () => {
	const conversation = { agentId: AGENT, toPhoneNumber: PHONE };
	const json = (conversationsJson: object, more: object = {}) => ({
		parameters: { inputMode: 'json', conversationsJson, ...more },
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

describe('the variables of a conversation', () => {
	const row = (n: number, variables: readonly object[]) =>
		fieldsRow({ toPhoneNumber: phoneOf(n), dynamicVariables: { variables } });

	it('are read from rows, and may have the names that every object has', async () => {
		const { sent } = await start([
			row(1, [
				{ name: ' firstName ', value: 'Ana' },
				{ name: 'nothing' },
				{ name: 'no', value: false },
				{ name: '__proto__', value: 'a' },
			]),
		]);
		expect(JSON.stringify(sent[0]?.['dynamicVariables'])).toBe(
			'{"firstName":"Ana","nothing":"","no":false,"__proto__":"a"}',
		);
	});

	it.each([
		[[{ name: 'a' }, { name: ' ' }], 'dynamicVariables.variables.1.name', 'is empty'],
		[[{ name: 'a' }, { name: ' a' }], 'dynamicVariables.variables', 'contains a name twice'],
		[[{ name: 'a', value: NaN }], 'dynamicVariables', 'cannot be written as JSON'],
		// An expression that replaces the whole list.
		[{}, 'dynamicVariables.variables', 'is empty because an expression'],
	])('are refused: %j', async (variables, path, reason) => {
		const { sent, problems } = await start([row(1, variables as readonly object[])]);
		expect([sent, problems]).toEqual([[], [[[path, expect.stringContaining(reason)]]]]);
	});

	it('are the columns with a value, but not the do-not-call column', () => {
		const inputRow = {
			' First Name ': 'Ana',
			DNC: 'no',
			Note: ' ',
			Sum: '#REF!',
			Due: '#N/A',
			Age: 0,
		};
		const columns = { variablesMode: 'columns', doNotCallColumnName: 'DNC' };
		const settings = createSettings.parse({ inputMode: 'fields', ...columns });
		const [found] = readConversations(openRow({ inputRow, agentId: AGENT }), settings);
		expect(found?.conversation.dynamicVariables).toEqual({ 'First Name': 'Ana', Age: 0 });
	});

	it('are named in the hint where they are empty in every row, as by a misspelt column', async () => {
		const { summary, sent } = await start([
			row(1, [{ name: 'first' }, { name: 'last' }]),
			row(2, [{ name: 'first', value: 'Ana' }, { name: 'last' }]),
		]);
		expect(sent).toHaveLength(2);
		expect(summary).toContain("Variables that are empty in every row: 'last'. Check");
	});
});
