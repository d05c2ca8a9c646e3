import omit from 'lodash/omit';
import { conversationReader } from '../../../../src/conversations/create/conversationRow';
import {
	fieldProblems,
	jsonVariables,
	variableRows,
} from '../../../../src/conversations/create/newConversation';
import { createSettings } from '../../../../src/conversations/create/settings';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

/** A conversation in JSON as it is sent, or what is wrong with it. */
function read(value: unknown) {
	const readJson = conversationReader(createSettings.parse({ inputMode: 'json' }));
	const [found] = readJson({ conversationsJson: [value] });
	const problems = found?.problems.map(({ path, reason: message }) => [
		path.slice(1).join('.'),
		message,
	]);
	return problems?.length === 0 ? found?.conversation : problems;
}

it.each(['undefined', 'null', 'NaN', '[object Object]'])(
	'no channel is called %s',
	(conversationType) => {
		const path = 'conversationType';
		const message = 'is what an expression writes where there is no value. Correct the expression';
		expect(read({ agentId: AGENT, toPhoneNumber: PHONE, conversationType })).toEqual([
			[path, message],
		]);
	},
);

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
		['voice', 'voice'],
		['chat', 'chat'],
		['Video', 'Video'],
	])('is of the type %j as %j, and only a call needs a number', (entered, conversationType) => {
		expect(read({ ...whole, conversationType: entered })).toMatchObject({ conversationType });
		expect(read({ ...whole, conversationType: entered, toPhoneNumber: ' ' })).toStrictEqual(
			conversationType === 'telephony'
				? [['toPhoneNumber', expect.stringContaining('is empty')]]
				: { ...omit(whole, 'toPhoneNumber'), conversationType },
		);
	});

	it.each([
		[{ toPhoneNumber: PHONE }, 'agentId', 'is empty'],
		[{ agentId: 'x', toPhoneNumber: PHONE }, 'agentId', 'is not a UUID'],
		[{ agentId: AGENT }, 'toPhoneNumber', 'is empty'],
		[{ agentId: AGENT, toPhoneNumber: [PHONE] }, 'toPhoneNumber', 'is not text'],
		[{ agentId: AGENT, toPhoneNumber: '1.3E+10' }, 'toPhoneNumber', 'was rounded'],
		[{ ...whole, conversationType: ' ' }, 'conversationType', 'is empty'],
		[{ ...whole, dynamicVariables: 'x' }, 'dynamicVariables', 'must be an object'],
		[{ ...whole, dynamicVariables: ['x'] }, 'dynamicVariables', 'must be an object'],
	])('is not %j', (value, path, message) => {
		expect(read(value)).toEqual([[path, expect.stringContaining(message)]]);
	});

	it.each([null, 'x', [[]], 5])('is an object, not %j', (value) => {
		expect(read(value)).toContainEqual(['', expect.stringContaining('must be an object')]);
	});

	it('is told once where the whole list is wrong', async () => {
		const conversationsJson = '[{"a":1,"a":2},{}]';
		const { problems } = await start([{ parameters: { inputMode: 'json', conversationsJson } }]);
		expect(problems).toEqual([[['conversationsJson', expect.stringContaining('twice')]]]);
	});

	it('is told with all that is wrong with it at once', () => {
		const wrong = { agentId: 'x', toPhoneNumber: 'y', agentType: 1, mobile: 'z' };
		expect(read(wrong)).toHaveLength(2);
	});
});

describe('fields that the interface does not list', () => {
	it('have to be written as JSON', () => {
		expect(fieldProblems({ note: Number.NaN, more: undefined, fine: [1] })).toEqual([
			'contains "note", which cannot be written as JSON. Convert it to text, and leave deeply nested parts out',
		]);
		expect(fieldProblems({ agentId: Number.NaN })).toEqual([]);
	});

	it('are named in the hint, ten at most', async () => {
		const conversation = { agentId: AGENT, toPhoneNumber: PHONE };
		const many = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`extra${n}`, n]));
		const json = (conversationsJson: object) => ({
			parameters: { inputMode: 'json', conversationsJson },
		});
		const { summary } = await start([json({ ...conversation, ...many })]);
		expect(summary).toContain(
			`Sent as entered, although the service does not document them: ${Array.from({ length: 10 }, (_, n) => `extra${n}`).join(', ')}`,
		);
		for (const none of [conversation, { ...conversation, toPhoneNumber: '12', note: 'not sent' }])
			expect((await start([json(none)])).summary).not.toContain('Sent as entered');
	});

	it('are added from JSON, and refused with their place', async () => {
		const added = await start([fieldsRow({ options: { additionalFieldsJson: '{"from": "+1"}' } })]);
		expect(added.sent).toEqual([
			{
				from: '+1',
				agentId: AGENT,
				conversationType: 'telephony',
				toPhoneNumber: PHONE,
				dynamicVariables: {},
			},
		]);
		const wrong = { toPhoneNumber: PHONE };
		const { problems } = await start([fieldsRow({ options: { additionalFieldsJson: wrong } })]);
		expect(problems).toEqual([
			[
				[
					'options.additionalFieldsJson',
					'contains "toPhoneNumber", which has a parameter of its own. Remove it',
				],
			],
		]);
	});

	it.each([undefined, null])('do not vanish where their expression gives %s', async (nothing) => {
		const { sent, problems } = await start([
			fieldsRow({ options: { additionalFieldsJson: nothing } }),
		]);
		expect(sent).toEqual([]);
		expect(problems).toMatchObject([
			[['options.additionalFieldsJson', expect.stringContaining('gave no value')]],
		]);
	});

	it('do not vanish beside conversations in JSON', async () => {
		const row = (additionalFieldsJson: unknown) => ({
			parameters: {
				inputMode: 'json',
				conversationsJson: { agentId: AGENT, toPhoneNumber: PHONE },
				options: { additionalFieldsJson },
			},
		});
		const { sent, problems } = await start([row('{"from": "+1"}')]);
		expect(sent).toEqual([]);
		expect(problems).toMatchObject([
			[['options.additionalFieldsJson', expect.stringContaining('is not used with JSON')]],
		]);
		expect((await start([row('{}')])).sent).toHaveLength(1);
		expect((await start([row(undefined)])).sent).toEqual([]);
	});
});

describe('the variables of a conversation', () => {
	const rowsIn = (rows: unknown) => variableRows.safeParse({ variables: rows });

	it('are read from rows', () => {
		const rows = [
			{ name: ' firstName ', value: 'Ana' },
			{ name: 'visits', value: 3 },
			{ name: 'nothing' },
			{ name: 'none', value: null },
			{ name: 'no', value: false },
		];
		expect(rowsIn(rows).data).toEqual({
			firstName: 'Ana',
			visits: 3,
			nothing: '',
			none: '',
			no: false,
		});
		expect(rowsIn([]).data).toEqual({});
	});

	it('are refused where an expression took their rows away', () => {
		for (const rows of [{}, { variables: {} }, { variables: 'x' }]) {
			expect(variableRows.safeParse(rows).error?.issues.map(({ path }) => path)).toEqual([
				['variables'],
			]);
		}
	});

	it('may have the names that every object has', () => {
		const rows = [
			{ name: '__proto__', value: 'a' },
			{ name: 'constructor', value: 'b' },
			{ name: 'toString', value: 'c' },
		];
		expect(JSON.stringify(rowsIn(rows).data)).toBe(
			'{"__proto__":"a","constructor":"b","toString":"c"}',
		);
	});

	it('have a name each, and each its own', () => {
		const problems = (rows: unknown) =>
			(rowsIn(rows).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
		expect(problems([{ name: 'a' }, { name: ' ' }])).toEqual([
			['variables.1.name', 'is empty. Enter the name of the variable'],
		]);
		expect(problems([{ name: 'a', value: Number.NaN }])).toEqual([
			['variables.0.value', expect.stringContaining('cannot be written as JSON')],
		]);
		expect(problems([{ name: 'a' }, { name: 'b' }, { name: ' a' }])).toEqual([
			['variables.2.name', "'a' appears twice. Remove one of the two"],
		]);
	});

	it('may hold anything in JSON', () => {
		const value = { a: { b: [1, null] }, c: null };
		expect(jsonVariables.parse(value)).toEqual(value);
		for (const wrong of [null, [], 'x', 5])
			expect(jsonVariables.safeParse(wrong).success).toBe(false);
	});

	it('are named in the hint where they are empty in every row, as by a misspelt column', async () => {
		const row = (n: number, name: unknown) =>
			fieldsRow({
				toPhoneNumber: phoneOf(n),
				dynamicVariables: {
					variables: [
						{ name: 'first', value: name },
						{ name: 'last', value: undefined },
					],
				},
			});
		const { summary, sent } = await start([row(1, undefined), row(2, 'Ana')]);
		expect(sent).toHaveLength(2);
		expect(summary).toContain(
			"Variables that are empty in every row: 'last'. Check the column names in their expressions",
		);
		expect(summary).not.toContain("'first'");
		// As of a form or a webhook.
		expect((await start([row(3, 'Bo')])).summary).toContain(
			"Variables that are empty in every row: 'last'",
		);
	});
});

it('refuses a field that would become a part of the conversation itself', () => {
	const conversation = JSON.parse('{"__proto__": {"campaignName": "x"}}') as object;
	expect(fieldProblems(conversation as Record<string, unknown>)).toEqual([
		'contains "__proto__", which cannot be sent. Remove it',
	]);
});
