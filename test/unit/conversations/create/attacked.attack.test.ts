import set from 'lodash/set';
import { create } from '../../../../src/conversations/create/create';
import type { Row } from '../../../../src/core/operation';
import {
	fakeDedupeStore,
	fakeRuntime,
	inTurn,
	jsonLedger,
	reply,
} from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members } from '../../../support/samples';

const P = '+14155550101';
const Q = '+14155550102';
const S = '+14155550103';
const ids = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

/** An execution of these rows; who was called, and what was told of each row. */
async function run(
	rows: ReadonlyArray<Readonly<Record<string, unknown>>>,
	options: Readonly<Record<string, unknown>> = {},
	{
		body = '' as unknown,
		status = 200,
		store = fakeDedupeStore(),
		ledger = jsonLedger(),
		round = 0,
	} = {},
) {
	const runtime = fakeRuntime(inTurn(reply(status, body)));
	const parameters = rows.map(({ dnc, ...row }) => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			inputRow: row,
			...row,
			options: {
				defaultCountry: 'US',
				invalidRows: 'sendValid',
				...(dnc !== undefined && { doNotCall: dnc }),
				...options,
				...(row['options'] as object | undefined),
			},
		},
	}));
	const result = await runRows(create, parameters, runtime.context(ledger, store, round));
	const called = runtime.sent.flatMap(({ body: sent }) =>
		listOf(sent, 'conversations').map((each) => String(members(each)['toPhoneNumber'])),
	);
	const told = result.rows.map(({ items, details }) => {
		const [item] = items;
		return String(details?.['outcome'] ?? (item && Reflect.get(item, 'outcome')));
	});
	return { called, told, items: result.rows.map(({ items: [item] }) => item) };
}

describe('a mark of a row whose number cannot be read', () => {
	it.each([
		...['4155550101.0', '14155550101.0', '4.155550101e9', '4.155550101E+09', '415-555-O1O1'],
		...[`${P} / +1 415 555 0199`, '415 555 0101, 415 555 0199', '4155550101|4155550199'],
		...['home 415-555-0199; cell 415-555-0101', '415-555-0101 (2nd: 0199)'],
		...['415-JJJ-0101', '1-415-555-0L01', '4.15555E+09', '4.15556E+09', '1.41556E+10'],
		...['+1415555010', '***-***-0101', '415-***-0101', '(XXX) XXX-0101'],
		...['x ٤١٥٥٥٥٠١٠١', 'x 415 555 01０１'],
	])('holds back the person of another row who it may be: %s', async (spelling) => {
		const { called } = await run([
			{ toPhoneNumber: P, dnc: 'no' },
			{ toPhoneNumber: spelling, dnc: 'yes' },
			{ toPhoneNumber: '+13125550177', dnc: 'no' },
		]);
		expect(called).toEqual(['+13125550177']);
	});

	it.each<unknown>([
		...['{"toPhoneNumber":"+14155550101",', "{'toPhoneNumber': '+14155550101'}", 14155550101, P],
		...[[P], { Handy: P }, { contacts: [{ value: P }] }, { dynamicVariables: { phone: P } }],
	])('holds them back from JSON of any form: %j', async (conversationsJson) => {
		const entry = { agentId: AGENT, toPhoneNumber: P };
		const { called } = await run([
			{ inputMode: 'json', conversationsJson: entry, dnc: 'no' },
			{ inputMode: 'json', conversationsJson, dnc: 'yes' },
		]);
		expect(called).toEqual([]);
	});

	it('holds back whoever stands in another cell of the row', async () => {
		const marked = { toPhoneNumber: '', inputRow: { alt: P }, dnc: 'yes' };
		expect((await run([{ toPhoneNumber: P, dnc: 'no' }, marked])).called).toEqual([]);
	});
});

it.each<object>([
	...[{ whatsapp: P }, { sms: [P] }, { cc: P }, { target: P }, { participants: [{ value: P }] }],
	...[{ uri: `tel:${P}` }, { sip: `sip:${P}@x` }, { x: P }],
])('checks a number whatever field it came by: %j', async (additional) => {
	const options = { additionalFieldsJson: additional, doNotCallNumbers: P };
	expect((await run([{ toPhoneNumber: Q }], options)).called).toEqual([]);
	const abroad = JSON.parse(JSON.stringify(additional).replace(P, '+442079460958')) as object;
	const allowed = { additionalFieldsJson: abroad, allowedCountries: ['US'] };
	expect((await run([{ toPhoneNumber: Q }], allowed)).called).toEqual([]);
});

it('does not make a phone call of a type that gives nothing', async () => {
	for (const conversationType of [undefined, null])
		expect((await run([{ toPhoneNumber: P, conversationType }])).called).toEqual([]);
});

describe('duplicates that are sent by choice', () => {
	const all = { duplicates: 'sendAll' };
	const row = { toPhoneNumber: P };

	it('are not sent by a retry that had none, nor the other way round', async () => {
		const off = { hoursBetweenCalls: 0 };
		const ledger = jsonLedger();
		await run([row], off, { ledger });
		expect((await run([row], { ...off, ...all }, { ledger })).called).toEqual([]);
		const other = jsonLedger();
		await run([row], { ...off, ...all }, { ledger: other });
		expect((await run([row], off, { ledger: other })).called).toEqual([]);
	});
});

describe('a reply with a 2xx', () => {
	const three = [P, Q, S].map((toPhoneNumber) => ({ toPhoneNumber }));
	const [a, b, c] = ids;

	it.each<[unknown, string[]]>([
		[
			{
				results: [
					{ index: 2, id: c },
					{ index: 0, error: 'blocked' },
					{ index: 1, id: b },
				],
			},
			['unknown', 'unknown', 'unknown'],
		],
		[
			[
				{ id: c, to: S },
				{ id: a, to: P },
				{ to: Q, error: 'blocked' },
			],
			['accepted', 'rejected', 'accepted'],
		],
		[{ success: true, errors: { 1: 'bad' } }, ['unknown', 'unknown', 'unknown']],
		[{ success: true, error: 'row 2 is bad' }, ['unknown', 'unknown', 'unknown']],
		[{ id: a }, ['unknown', 'unknown', 'unknown']],
		[
			[{ id: a }, null, { id: c }],
			['accepted', 'unknown', 'accepted'],
		],
		[
			[{ id: a }, {}, { id: c }],
			['accepted', 'unknown', 'accepted'],
		],
		[
			[{ id: a }, { id: a }, { id: a }],
			['unknown', 'unknown', 'unknown'],
		],
	])('is paired by what it names, and doubtful where it names less: %j', async (body, told) => {
		expect((await run(three, {}, { body })).told).toEqual(told);
	});

	it.each<unknown>([
		...[{ code: 'BAD_REQUEST', message: 'Invalid input data', issues: [] }, { ok: 0 }, 0],
		...[{ Success: false }, { IsSuccess: false }, { isError: true }, { hasErrors: true }],
		...[{ created: false }, { valid: false }, { errorMessage: 'x' }, { exception: 'x' }],
		...[{ detail: 'Not authenticated' }, { message: 'Quota exceeded' }, { type: 'error' }],
		...[{ conversationStatus: 'failed' }, { status: 'partial_failure' }],
		...[{ status: 'completed_with_errors' }, { status_code: 422 }],
	])('is not taken for a yes where it says no or nothing: %j', async (body) => {
		const { told } = await run(three.slice(0, 1), {}, { body });
		expect(['rejected', 'unknown']).toContain(told[0]);
	});
});

it.each([
	'undefined',
	'null',
	'NaN',
	'[object Object]',
	',',
	' - ',
	'""',
	', undefined',
	'null null',
])('does not take %s for a person or a campaign', async (nothing) => {
	const rows = [{ toPhoneNumber: P }, { toPhoneNumber: Q }];
	expect((await run(rows, { personId: nothing })).called).toEqual([]);
	const limit = { campaignKey: nothing, maximumAttempts: 2 };
	expect((await run(rows, limit)).called).toEqual([]);
});

describe('a mark that stands in a conversation itself', () => {
	const bad = { agentId: 'not an ID', toPhoneNumber: P };
	const other = { toPhoneNumber: P };

	it.each<unknown>([
		...[true, 'yes', ['Yes'], 'maybe', {}, 'опт-аут'].map((doNotCall) => ({ doNotCall })),
		{ isDoNotDisturbEnabled: 'yes' },
	])('holds back the person of another row, whatever else is wrong: %j', async (mark) => {
		const inJson = { inputMode: 'json', conversationsJson: [{ ...bad, ...(mark as object) }] };
		const good = { inputMode: 'json', conversationsJson: [{ agentId: AGENT, toPhoneNumber: P }] };
		expect((await run([inJson, good])).called).toEqual([]);
		expect((await run([good, inJson])).called).toEqual([]);
		const inFields = { ...bad, options: { additionalFieldsJson: mark } };
		expect((await run([inFields, other])).called).toEqual([]);
		expect((await run([{ ...other, options: { additionalFieldsJson: mark } }])).called).toEqual([]);
	});

	it.each<object>([
		{ customer: { doNotCall: true } },
		{ dynamicVariables: { 'Do Not Call': 'yes' } },
		{ dynamicVariables: '{"dnc": "x"}' },
		{ metadata: [{ consent: { phone_opt_out: 'true' } }] },
		{ phone_opt_out: true },
		...[{ dynamicVariables: { doNotCall: 'yes, since May' } }, { customer: { dnc: 'y e s' } }],
		set({}, [...Array<string>(20).fill('a'), 'doNotCall'], true),
	])('holds back whom it marks further inside: %j', async (mark) => {
		const inJson = { inputMode: 'json', conversationsJson: [{ ...bad, ...mark }] };
		expect((await run([inJson, other])).called).toEqual([]);
		const good = { agentId: AGENT, toPhoneNumber: P, ...mark };
		expect((await run([{ inputMode: 'json', conversationsJson: [good] }])).called).toEqual([]);
	});

	it('takes no yes or no, and no mark, for a number', async () => {
		const entry = { agentId: AGENT, toPhoneNumber: P, phoneVerified: true, do_not_phone: 'no' };
		const inside = { ...entry, dynamicVariables: { dnc: 'no', doNotCall: '' } };
		for (const each of [entry, inside])
			expect((await run([{ inputMode: 'json', conversationsJson: [each] }])).called).toEqual([P]);
	});

	it('lets those be called whom it does not mark', async () => {
		for (const doNotCall of [false, 'no', '', null, []]) {
			const entry = { agentId: AGENT, toPhoneNumber: P, doNotCall };
			expect((await run([{ inputMode: 'json', conversationsJson: [entry] }])).called).toEqual([P]);
		}
	});
});

describe('the country of a row', () => {
	it('comes before the one that the user chose', async () => {
		const { called } = await run([{ toPhoneNumber: 3012345678, Country: 'Germany' }]);
		expect(called).toEqual(['+493012345678']);
	});

	it.each([
		{ 'Country ID': 49 },
		{ Countries: 7 },
		{ 'Country of birth': 'Germany' },
		{ Country: 'N/A' },
	])('is not what else a column says: %j', async (cells) => {
		const { called } = await run([{ toPhoneNumber: '415 555 0101', ...cells }]);
		expect(called).toEqual([P]);
	});

	it('tells whom a mark is about', async () => {
		const { called } = await run([
			{ toPhoneNumber: '3012345678', Country: 'Germany', dnc: 'yes' },
			{ toPhoneNumber: '+493012345678', dnc: '' },
			{ toPhoneNumber: '+13012345678', dnc: '' },
		]);
		expect(called).toEqual(['+13012345678']);
	});

	it.each([
		{ Country: 'Germany', 'Phone Country': 'France' },
		{ Country: 'Atlantis' },
		{ 'Home country': 'Germany' },
		{ 'Phone prefix': '+49' },
	])('that is unclear is guessed for no number without its code: %j', async (cells) => {
		const { called, told } = await run([
			{ toPhoneNumber: '3012345678', ...cells },
			{ toPhoneNumber: P, ...cells },
		]);
		expect([called, told]).toEqual([[P], ['rejected', 'accepted']]);
	});
});

it('counts chats without a number for Maximum per Day, and takes no two of them for one', async () => {
	const store = fakeDedupeStore();
	const chats = [1, 2, 3].map((visitor) => ({
		conversationType: 'chat',
		dynamicVariables: { variables: [{ name: 'visitor', value: visitor }] },
	}));
	const options = { maximumPerDay: 2 };
	const first = await run(chats.slice(0, 1), options, { store });
	const second = await run(chats, options, { store });
	const [again] = [await run(chats, options, { store })];
	expect([first, second, again].map(({ called }) => called.length)).toEqual([1, 1, 0]);
});

it.each<[Readonly<Record<string, unknown>>, string | undefined, number]>([
	[{ maximumConversations: 'x' }, 'yes', 0],
	[{ maximumConversations: 'x', doNotCallNumbers: P }, undefined, 0],
	[{ maximumConversations: 'x' }, undefined, 1],
])(
	'calls no one in later rounds only where one was refused for its settings that has marks: %j, %s',
	async (options, dnc, calls) => {
		const ledger = jsonLedger();
		await run([{ toPhoneNumber: P, dnc }], options, { ledger });
		const later = await run([{ toPhoneNumber: P, dnc: '' }], {}, { ledger, round: 1 });
		expect(later.called).toHaveLength(calls);
	},
);

it.each<[Row, number]>([
	[{ problems: [{ path: ['safeguards'], message: 'x' }], readable: {} }, 0],
	[{ problems: [{ path: [], message: 'x' }] }, 0],
	[{ problems: [{ path: ['options'], message: 'x' }], readable: { safeguards: {} } }, 1],
])(
	'knows of settings that could not be read whether they have marks: %j',
	async (settings, calls) => {
		const ledger = jsonLedger();
		const { context } = fakeRuntime(inTurn(reply(200, '')));
		await create.run({ settings, rows: [] }, context(ledger));
		expect((await run([{ toPhoneNumber: P }], {}, { ledger, round: 1 })).called).toHaveLength(
			calls,
		);
	},
);

it.each([null, [], 'x', '{'])(
	'a marked row whose JSON is %j holds back whoever its cells name',
	async (broken) => {
		const json = (conversationsJson: unknown, more: object) => ({
			inputMode: 'json',
			conversationsJson,
			...more,
		});
		const { called } = await run([
			json(broken, { mobile: P, dnc: 'yes' }),
			json([{ agentId: AGENT, toPhoneNumber: P }], { dnc: '' }),
			json([{ agentId: AGENT, toPhoneNumber: Q }], { dnc: '' }),
		]);
		expect(called).toEqual([Q]);
	},
);

it.each<[string, object, readonly unknown[], readonly string[]]>([
	['its own', {}, [{ to: '3012345678', country: 'Germany' }], ['+493012345678']],
	[
		'that of a row about it alone',
		{ Country: 'Germany' },
		[{ to: '3012345678' }],
		['+493012345678'],
	],
	[
		'its own and no one else’s',
		{ contacts: [{ phone: '3012345678', country: 'Germany' }, { phone: '4155550101' }] },
		[{ to: '3012345678' }, { to: P }],
		['+493012345678', P],
	],
	[
		'that of what has its number in the row',
		{
			contacts: [
				{ phone: '06 12345678', country: 'NL' },
				{ mobile: '3012345678', Land: 'DE' },
			],
		},
		[{ to: '0612345678' }, { to: '3012345678' }, { to: P, country: 'FR' }],
		['+31612345678', '+493012345678', P],
	],
	[
		'that of what has its number deep inside',
		{
			contacts: [
				{ phones: ['06 12345678'], country: 'NL' },
				{ phone: { value: '3012345678' }, Land: 'DE' },
			],
		},
		[{ to: '0612345678' }, { to: '3012345678' }],
		['+31612345678', '+493012345678'],
	],
	[
		'that of a row which has both numbers',
		{ Country: 'Germany', phone: '3012345678', mobile: '0151 23456789' },
		[{ to: '3012345678' }, { to: '0151 23456789' }],
		['+493012345678', '+4915123456789'],
	],
	['none, as only others have one', { Country: 'Germany' }, [{ to: '4155550101' }, { to: P }], []],
	['none, as they differ', { Country: 'France' }, [{ to: '3012345678', country: 'Germany' }], []],
	[
		'none, as another says less than the row',
		{ Country: 'Germany' },
		[{ to: '4155550101', market: 'United States' }, { to: P }],
		[],
	],
])('the country of a conversation in JSON is %s', async (_, row, list, expected) => {
	const conversationsJson = list.map((each) => {
		const { to, ...dynamicVariables } = members(each);
		return { agentId: AGENT, toPhoneNumber: to, dynamicVariables };
	});
	const { called } = await run([{ inputMode: 'json', conversationsJson, inputRow: row }]);
	expect(called).toEqual(expected);
});

it('an unclear round stays unclear, whatever becomes of a later one', async () => {
	const ledger = jsonLedger();
	const unclear = [{ toPhoneNumber: P, dnc: 'maybe' }];
	await run(unclear, {}, { ledger, round: 0 });
	await run([{ toPhoneNumber: Q, dnc: 'maybe' }], {}, { ledger, round: 1 });
	const corrected = [
		{ toPhoneNumber: Q, dnc: 'no' },
		{ toPhoneNumber: P, dnc: 'no' },
	];
	expect((await run(corrected, {}, { ledger, round: 1 })).called).toEqual([]);
});

it('pairs no one by place where items name numbers in other spellings', async () => {
	const body = ['415-555-0102', '415-555-0101'].map((to, i) => ({ id: ids[i], toPhoneNumber: to }));
	const ledger = jsonLedger();
	const { told, items } = await run(
		[{ toPhoneNumber: P }, { toPhoneNumber: Q }],
		{},
		{ body, ledger },
	);
	expect(told).toEqual(['accepted', 'accepted']);
	expect(items.map((item) => Reflect.get(Object(item), 'conversationId'))).toEqual([null, null]);
});

it('pairs a chat beside calls by its place', async () => {
	const body = { conversations: [{ id: ids[0], toPhoneNumber: P }, { id: ids[1] }] };
	const rows = [{ toPhoneNumber: P }, { conversationType: 'chat' }];
	expect((await run(rows, {}, { body })).told).toEqual(['accepted', 'accepted']);
});

it.each<object>([
	{ message: 'Unknown agents', agentIds: [AGENT], availableAgents: [{ id: AGENT, name: 'A' }] },
	{ message: 'Too many active conversations', activeConversations: [{ id: ids[0] }] },
	{ message: 'x', limits: { started: 3, max: 3 }, concurrency: { limit: 5, started: 5 } },
	{ error: { created: 1_763_000_000, message: 'x' } },
	{ message: 'x', details: [{ id: 'conversations.0.agentId' }], requestId: ids[0] },
	{ message: 'x', input: { conversations: [{ id: ids[0], toPhoneNumber: P }] } },
	{ message: 'x', conversations: [{ agentId: AGENT, toPhoneNumber: P, conversationType: 'chat' }] },
])('leaves no one unknown after a 400 that shows nothing begun: %j', async (body) => {
	const store = fakeDedupeStore();
	const rows = [{ toPhoneNumber: P }];
	expect((await run(rows, {}, { status: 400, body, store })).told).toEqual(['rejected']);
	expect((await run(rows, {}, { store })).called).toEqual([P]);
});
