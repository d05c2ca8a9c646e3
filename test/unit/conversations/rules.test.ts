import { attemptProblems } from '../../../src/conversations/campaign/attemptSettings';
import { create } from '../../../src/conversations/create';
import { fieldProblems, newConversationIn } from '../../../src/conversations/newConversation';
import { endReasons, reachedBy } from '../../../src/conversations/reached';
import { allowedCountries, doNotCallNumbers } from '../../../src/conversations/safeguards';
import { notFinished } from '../../../src/conversations/waitSummary';
import { fakeRuntime, inTurn, jsonLedger, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import { AGENT, listOf, members, PHONE, phoneOf } from '../../support/samples';

const FINE = reply(200, '');

type Row = Parameters<typeof runRows>[1][number];

const row = (more: object = {}): Row => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: PHONE, ...more },
});

async function run(rows: readonly Row[], ledger = jsonLedger()) {
	const runtime = fakeRuntime(inTurn(FINE));
	const result = await runRows(create, rows, runtime.context(ledger));
	const sent = runtime.sent.flatMap(({ body }) => listOf(body, 'conversations').map(members));
	const problems = result.rows.map(({ failure }) =>
		failure?.kind === 'input'
			? failure.problems.map(({ path, message }) => [path.join('.'), message])
			: failure && 'message' in failure
				? failure.message
				: undefined,
	);
	return { ...result, sent, problems };
}

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
		const { summary } = await run([json({ ...conversation, ...many })]);
		expect(summary).toBe(
			`1 row, 1 request: 1 accepted. Sent as entered, although the service does not document them: ${Array.from({ length: 10 }, (_, n) => `extra${n}`).join(', ')}`,
		);
		expect((await run([json(conversation)])).summary).toBe('1 row, 1 request: 1 accepted');
	});

	it('are added from JSON, and refused with their place', async () => {
		const added = await run([row({ options: { additionalFieldsJson: '{"from": "+1"}' } })]);
		expect(added.sent).toEqual([
			{
				from: '+1',
				agentId: AGENT,
				conversationType: 'telephony',
				toPhoneNumber: PHONE,
				dynamicVariables: {},
			},
		]);
		const wrong = await run([row({ options: { additionalFieldsJson: { agent_id: 1 } } })]);
		expect(wrong.problems).toEqual([
			[['options.additionalFieldsJson', 'contains "agent_id". Write agentId']],
		]);
	});
});

describe('allowed countries', () => {
	it('are read from text and lists', () => {
		expect(allowedCountries.parse('US, de;fr\n\n gb')).toEqual(['US', 'DE', 'FR', 'GB']);
		expect(allowedCountries.parse(['US', ' de '])).toEqual(['US', 'DE']);
		expect(allowedCountries.parse('')).toEqual([]);
		expect(allowedCountries.parse(null)).toEqual([]);
		expect(allowedCountries.safeParse('US, Narnia').success).toBe(false);
	});

	it('keep out every other number, and those of no country', async () => {
		const options = { allowedCountries: 'DE, FR' };
		const { problems, sent } = await run([
			row({ options }),
			row({ options, toPhoneNumber: '+80012345678' }),
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
		const chat = await run([row({ options, conversationType: 'chat', toPhoneNumber: '' })]);
		expect(chat.sent).toEqual([{ agentId: AGENT, conversationType: 'chat', dynamicVariables: {} }]);
	});

	it('hold for conversations in JSON, too', async () => {
		const conversationsJson = [
			{ agentId: AGENT, toPhoneNumber: PHONE },
			{ agentId: AGENT, toPhoneNumber: '+493012345678' },
		];
		const { problems, sent } = await run([
			{ parameters: { inputMode: 'json', conversationsJson, options: { allowedCountries: 'DE' } } },
		]);
		expect(problems).toEqual([[['toPhoneNumber', expect.stringContaining('is in US') as string]]]);
		expect(sent).toEqual([]);
	});
});

describe('Do-Not-Call Numbers', () => {
	const settings = { defaultCountry: 'US' } as const;

	it('are read in any spelling, blanks left out', () => {
		expect(doNotCallNumbers(['415 555 0178', ' ', null, undefined, 4155550179], settings)).toEqual({
			numbers: new Set(['+14155550178', '+14155550179']),
			problems: [],
		});
		expect(doNotCallNumbers('+14155550178;;\r\n +14155550179 ,', settings).numbers.size).toBe(2);
		expect(doNotCallNumbers(undefined, settings)).toEqual({ numbers: new Set(), problems: [] });
		expect(doNotCallNumbers(4155550178, settings).numbers).toEqual(new Set(['+14155550178']));
	});

	it('are refused where one cannot be read, five at most', () => {
		const { problems } = doNotCallNumbers(['x1', 'x2', 'x3', 'x4', 'x5', 'x6'], settings);
		expect(problems).toHaveLength(5);
		expect(problems[0]).toBe(
			'contains a number that cannot be read: "x1" contains letters or other characters. Enter it like +14155550178',
		);
	});

	it('keep out a row of which one number is listed', async () => {
		const conversationsJson = [phoneOf(1), phoneOf(2)].map((toPhoneNumber) => ({
			agentId: AGENT,
			toPhoneNumber,
		}));
		const { problems, sent, summary } = await run([
			{
				parameters: {
					inputMode: 'json',
					conversationsJson,
					options: { doNotCallNumbers: phoneOf(2) },
				},
			},
		]);
		expect(problems).toEqual(['Not called, because the number is in Do-Not-Call Numbers']);
		expect(sent).toEqual([]);
		expect(summary).toBe('1 row, 0 requests: 2 in Do-Not-Call Numbers');
	});
});

describe('rows that are marked', () => {
	it('are left out with what can be read of them', async () => {
		const options = { doNotCall: 'yes' };
		const { rows, summary } = await run([
			row({ options, toPhoneNumber: ' not a number ' }),
			row({ options, toPhoneNumber: undefined }),
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
		const { summary, sent } = await run([
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: true } } },
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: false } } },
		]);
		expect(summary).toBe('2 rows, 0 requests: 4 marked Do Not Call');
		expect(sent).toEqual([]);
		const fields = await run([row({ conversationsJson, options: { doNotCall: 'x' } })]);
		expect(fields.summary).toBe('1 row, 0 requests: 1 marked Do Not Call');
	});

	it('are told of where the mark is not used', async () => {
		const marked = (dnc: unknown) => row({ inputRow: { DNC: dnc } });
		expect((await run([marked('yes'), marked('no')])).summary).toContain(
			'1 row marked in the column DNC is not left out, because Do Not Call is not set under Safeguards',
		);
		expect(
			(await run([marked('yes'), row({ toPhoneNumber: phoneOf(3), inputRow: { DNC: 'x' } })]))
				.summary,
		).toContain('2 rows marked in the column DNC are not left out');
		expect((await run([marked('no'), row({ inputRow: { Other: 'yes' } })])).summary).not.toContain(
			'marked in',
		);
	});

	it('stop the run where a mark cannot be read, or no row has one', async () => {
		const long = await run([row({ options: { doNotCall: 'x'.repeat(50) } })]);
		expect(long.problems).toEqual([
			[
				[
					'safeguards.doNotCall',
					`"${'x'.repeat(40)}" is neither yes nor no. Use yes or no, or true or false`,
				],
			],
		]);
		const columns = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`c${n}`, n]));
		const missing = await run([row({ inputRow: columns, options: { doNotCall: undefined } })]);
		expect(missing.problems).toEqual([
			[
				[
					'safeguards.doNotCall',
					`is empty in every row. Check the column name in its expression. Columns found: ${Array.from({ length: 30 }, (_, n) => `c${n}`).join(', ')}`,
				],
			],
		]);
		const none = await run([row({ options: { doNotCall: undefined } })]);
		expect(none.problems[0]).toEqual([
			['safeguards.doNotCall', expect.stringContaining('Columns found: none') as string],
		]);
	});
});

describe('whose a conversation is', () => {
	it('is text or a number, and returned', async () => {
		const chat = { conversationType: 'chat', toPhoneNumber: '' };
		const { rows } = await run([
			row({ ...chat, options: { personId: 4711 } }),
			row({ ...chat, options: { personId: ' P-2 ' } }),
			row({ ...chat, options: { personId: null } }),
		]);
		expect(rows.map(({ items }) => items[0]?.['personId'])).toEqual(['4711', 'P-2', undefined]);
		expect(rows.map(({ items }) => Object.keys(items[0] ?? {}).includes('toPhoneNumber'))).toEqual([
			false,
			false,
			false,
		]);
		const wrong = await run([row({ options: { personId: { a: 1 } } })]);
		expect(wrong.problems).toEqual([[['safeguards.personId', 'must be text']]]);
	});

	it('counts people by country in the item of the run', async () => {
		const options = { outputAs: 'run' };
		const numbers = ['+493012345678', phoneOf(1), phoneOf(2), '+80012345678'];
		const { shared } = await run([
			...numbers.map((toPhoneNumber) => row({ toPhoneNumber, options })),
			row({ conversationType: 'chat', toPhoneNumber: '', options }),
		]);
		expect(Object.entries(members(shared?.[0]?.item)['byCountry'] as object)).toEqual([
			['US', 2],
			['none', 2],
			['DE', 1],
		]);
	});

	it('is one person or several in a dry run', async () => {
		expect((await run([row({ options: { dryRun: true } })])).summary).toBe(
			'Dry run: 1 person would be called in 1 request. Turn off Dry Run to call them.',
		);
		const shown = await run([row({ options: { dryRun: true } })]);
		expect(shown.rows[0]?.items).toEqual([
			{
				row: 1,
				outcome: 'wouldSend',
				toPhoneNumber: PHONE,
				agentId: AGENT,
				conversationType: 'telephony',
				dynamicVariables: {},
				batch: 1,
				dryRun: true,
			},
		]);
		const marked = await run([row({ options: { dryRun: true, doNotCall: true } })]);
		expect(marked.rows[0]?.items).toEqual([
			{
				row: 1,
				outcome: 'skipped',
				toPhoneNumber: PHONE,
				reason: 'Not called, because the row is marked do not call',
				dryRun: true,
			},
		]);
		expect(marked.summary).toBe('Dry run: 0 people would be called in 0 requests, 1 skipped.');
	});
});

it('counts conversations of earlier attempts and rounds', async () => {
	const ledger = jsonLedger();
	const options = { batchSize: 1 };
	const maximumConversations = 3;
	const rows = (numbers: readonly number[]) =>
		numbers.map((n) => row({ toPhoneNumber: phoneOf(n), options, maximumConversations }));
	await run(rows([1, 2]), ledger);
	const more = await run(rows([1, 2, 3, 4]), ledger);
	expect(more.sent).toEqual([]);
	expect(more.problems[3]).toBe(
		"Nothing was sent: 2 conversations, after 2 earlier in this execution, are more than 'Maximum Conversations' (3) allows. Raise it if you mean to start them all",
	);
	expect((await run(rows([1, 2, 3, 4]))).problems[0]).toBe(
		"Nothing was sent: 4 conversations are more than 'Maximum Conversations' (3) allows. Raise it if you mean to start them all",
	);
	expect((await run(rows([1, 2, 3]), ledger)).sent).toHaveLength(1);
});

it('says which settings of attempts do not go together', () => {
	const problems = (settings: object) =>
		attemptProblems({ onePerDay: false, skipContacted: false, ...settings }).map(
			({ path, message }) => [path.join('.'), message],
		);
	expect(problems({})).toEqual([]);
	expect(problems({ maximumAttempts: 2, onePerDay: true })).toEqual([]);
	expect(problems({ onePerDay: true })).toEqual([
		['safeguards.onePerDay', 'needs Maximum Attempts. Add it under Safeguards'],
	]);
	expect(problems({ maximumAttempts: 2, skipContacted: true })).toEqual([
		[
			'safeguards.maximumAttempts',
			'cannot be used with Skip People Already Contacted, which allows one. Remove one of them',
		],
	]);
});

it('says where a row key is wrong', async () => {
	const options = { rowKey: { a: 1 } };
	expect((await run([row({ options })])).problems).toEqual([
		[['options.rowKey', 'must be text or a number']],
	]);
	const dynamicVariables = { variables: [{ name: 'rowKey', value: 'mine' }] };
	expect((await run([row({ dynamicVariables, options: { rowKey: 'other' } })])).problems).toEqual([
		[
			[
				'options.rowKey',
				'would replace the variable rowKey, which has a different value. Rename that variable, or remove Row Key',
			],
		],
	]);
});

describe('who was reached', () => {
	const reached = (entered: unknown, conversation: object, finished = true) =>
		reachedBy({ id: 'x', ...conversation }, { finished, notReached: endReasons.parse(entered) });

	it('is read from names of end reasons', () => {
		expect(endReasons.parse(' No Answer ,busy,, ')).toEqual(
			endReasons.parse(['no answer', 'BUSY']),
		);
		expect(endReasons.parse(['', 'busy'])).toEqual(endReasons.parse('busy'));
		expect(endReasons.parse('')).toEqual([]);
	});

	it.each<[object, unknown, boolean]>([
		[{ endReason: 'No Answer' }, false, true],
		[{ endReason: 'no_answer', userJoinTime: '2026-01-15' }, 'unknown', false],
		[{ endReason: 'hangup', userJoinTime: '2026-01-15' }, true, false],
		[{ endReason: 'hangup', userJoinTime: ' ' }, 'unknown', false],
		[{ endReason: '' }, 'unknown', false],
		[{ endReason: null, userJoinTime: null }, 'unknown', false],
		[{}, 'unknown', false],
	])('is told by %j', (conversation, expected, callAgain) => {
		expect(reached('no answer, no_answer', conversation)).toEqual({ reached: expected, callAgain });
	});

	it('is open while the conversation goes on', () => {
		expect(reached('busy', { endReason: 'busy' }, false)).toEqual({
			reached: 'unknown',
			callAgain: false,
		});
	});
});

it.each([
	[1_000, '1 second'],
	[59_950, '60 seconds'],
	[60_000, '1 minute'],
	[61_000, '61 seconds'],
	[119_999, '120 seconds'],
	[120_000, '2 minutes'],
	[150_000, '2.5 minutes'],
])('says %d ms as %s', (ms, words) => {
	expect(notFinished({ id: 'x', conversationStatus: 'ringing' }, ms).message).toBe(
		`The conversation was not finished after ${words}, its status is 'ringing'`,
	);
	expect(notFinished({ id: 'x' }, ms).message).toContain('it has no status');
});
