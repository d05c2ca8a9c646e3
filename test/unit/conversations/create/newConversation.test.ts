import {
	fieldProblems,
	newConversationIn,
	variableRows,
	variables,
} from '../../../../src/conversations/create/newConversation';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

const problemsOf = (value: unknown): Array<[string, string]> =>
	(newConversationIn({}).safeParse(value).error?.issues ?? []).map(({ path, message }) => [
		path.join('.'),
		message,
	]);

describe('a conversation to start', () => {
	it('has the fields of the interface', () => {
		const whole = {
			agentId: AGENT,
			conversationType: 'telephony',
			toPhoneNumber: PHONE,
			dynamicVariables: { firstName: 'Ana', visits: 3, vip: true },
		};
		expect(newConversationIn({}).parse(whole)).toEqual(whole);
		expect(
			newConversationIn({}).parse({ agentId: ` ${AGENT} `, toPhoneNumber: `'${PHONE}` }),
		).toEqual({
			...whole,
			dynamicVariables: {},
		});
	});

	it('keeps fields that the interface does not list', () => {
		const more = { fromPhoneNumber: PHONE, note: { a: 1 } };
		expect(
			newConversationIn({}).parse({ agentId: AGENT, toPhoneNumber: PHONE, ...more }),
		).toMatchObject(more);
	});

	it.each([
		['Telephony', 'telephony'],
		[' TELEPHONY ', 'telephony'],
		['Phone Call', 'telephony'],
		['Chat', 'chat'],
		['WEB', 'web'],
		['Video', 'Video'],
	])(
		'reads the type %j as %j, so no one is called under two names',
		(entered, conversationType) => {
			const read = newConversationIn({});
			const conversation = { agentId: AGENT, toPhoneNumber: PHONE, conversationType: entered };
			expect(read.parse(conversation)).toMatchObject({ conversationType });
			expect(read.safeParse({ ...conversation, toPhoneNumber: '' }).success).toBe(
				conversationType !== 'telephony',
			);
		},
	);

	it.each(['chat', 'web', 'video'])(
		'needs no number by %s, and sends none then',
		(conversationType) => {
			const read = newConversationIn({}).parse({
				agentId: AGENT,
				conversationType,
				toPhoneNumber: ' ',
			});
			expect(read).toStrictEqual({ agentId: AGENT, conversationType, dynamicVariables: {} });
		},
	);

	it.each([
		[{ toPhoneNumber: PHONE }, 'agentId', 'is empty. Enter a UUID'],
		[{ agentId: 'x', toPhoneNumber: PHONE }, 'agentId', 'is not a UUID'],
		[{ agentId: AGENT }, 'toPhoneNumber', 'is empty'],
		[{ agentId: AGENT, toPhoneNumber: '1.3E+10' }, 'toPhoneNumber', 'was rounded'],
		[
			{ agentId: AGENT, toPhoneNumber: PHONE, conversationType: ' ' },
			'conversationType',
			'is empty',
		],
		[
			{ agentId: AGENT, toPhoneNumber: PHONE, dynamicVariables: 'x' },
			'dynamicVariables',
			'must be an object',
		],
		[
			{ agentId: AGENT, toPhoneNumber: PHONE, dynamicVariables: ['x'] },
			'dynamicVariables',
			'must be an object',
		],
		[
			{ agentId: AGENT, toPhonenumber: PHONE, conversationType: 'chat' },
			'',
			'contains "toPhonenumber". Write toPhoneNumber',
		],
		[
			{ agentId: AGENT, toPhoneNumber: PHONE, agentID: AGENT },
			'',
			'contains "agentID". Write agentId',
		],
		[{ agentId: AGENT, toPhoneNumber: PHONE, dynamicVariable: {} }, '', 'Write dynamicVariables'],
		[null, '', 'must be an object'],
		['x', '', 'must be an object'],
		[[], '', 'must be an object'],
	])('is not %j', (value, path, message) => {
		expect(problemsOf(value)).toEqual([[path, expect.stringContaining(message)]]);
	});
});

describe('fields that the interface does not list', () => {
	it.each([
		['agent_id', 'agentId'],
		['AgentID', 'agentId'],
		['agentIds', 'agentId'],
		['agntId', 'agentId'],
		['agenId2', 'agentId'],
		['to phone number', 'toPhoneNumber'],
		['phoneNumberTo', undefined],
		['toPhoneNumberXX', 'toPhoneNumber'],
		['toPhoneNumberXXX', undefined],
		['toPhone', undefined],
		['dynamicVariable', 'dynamicVariables'],
		['conversationTyp', 'conversationType'],
		['agent', 'agentId'],
		['age', undefined],
		['agentIdent', undefined],
		['idAgent', undefined],
		['xxentId', 'agentId'],
		['xxxntId', undefined],
		['agentxx', 'agentId'],
		['note', undefined],
	])('that are named %s are meant as %s', (field, meant) => {
		expect(fieldProblems({ [field]: 1 })).toEqual(
			meant === undefined ? [] : [`contains "${field}". Write ${meant}`],
		);
	});

	it('have to be written as JSON', () => {
		expect(fieldProblems({ note: Number.NaN, more: undefined, fine: [1] })).toEqual([
			'contains "note", which cannot be written as JSON. Convert it to text, and leave deeply nested parts out',
		]);
		expect(fieldProblems({ agentId: Number.NaN })).toEqual([]);
		const issues = newConversationIn({}).safeParse({
			agentId: AGENT,
			toPhoneNumber: PHONE,
			agent_id: 1,
		}).error?.issues;
		expect(issues?.map(({ path, message }) => [path, message])).toEqual([
			[[], 'contains "agent_id". Write agentId'],
		]);
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
		expect((await start([json(conversation)])).summary).not.toContain('Sent as entered');
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
		const wrong = await start([fieldsRow({ options: { additionalFieldsJson: { agent_id: 1 } } })]);
		expect(wrong.problems).toEqual([
			[['options.additionalFieldsJson', 'contains "agent_id". Write agentId']],
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
	const read = (rows: unknown) => variableRows.safeParse({ variables: rows });

	it('are read from rows', () => {
		const rows = [
			{ name: ' firstName ', value: 'Ana' },
			{ name: 'visits', value: 3 },
			{ name: 'nothing' },
			{ name: 'none', value: null },
			{ name: 'no', value: false },
		];
		expect(read(rows).data).toEqual({
			firstName: 'Ana',
			visits: 3,
			nothing: '',
			none: '',
			no: false,
		});
		expect(read([]).data).toEqual({});
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
		expect(JSON.stringify(read(rows).data)).toBe(
			'{"__proto__":"a","constructor":"b","toString":"c"}',
		);
	});

	it('have a name each, and each its own', () => {
		const problems = (rows: unknown) =>
			(read(rows).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
		expect(problems([{ name: 'a' }, { name: ' ' }])).toEqual([
			['variables.1.name', 'is empty. Enter the name of the variable'],
		]);
		expect(problems([{ name: 'a' }, { name: 'b' }, { name: ' a' }])).toEqual([
			['variables.2.name', "'a' appears twice. Remove one of the two"],
		]);
	});

	it('may hold anything in JSON', () => {
		const value = { a: { b: [1, null] }, c: null };
		expect(variables.parse(value)).toEqual(value);
		for (const wrong of [null, [], 'x', 5]) expect(variables.safeParse(wrong).success).toBe(false);
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
			"Variable 'last' is empty in every row. Check the column name in its expression",
		);
		expect(summary).not.toContain("'first'");
		// As of a form or a webhook.
		expect((await start([row(3, 'Bo')])).summary).toContain(
			"Variable 'last' is empty in every row",
		);
	});
});
