import fc from 'fast-check';
import { leaveOutBarred, MARKED } from '../../../../src/conversations/create/barred';
import type { PlannedConversation } from '../../../../src/conversations/create/readRows';
import type { Row } from '../../../../src/core/operation';
import { jsonLedger } from '../../../support/fakeRuntime';
import { plannedCall } from '../../../support/plannedConversations';
import { AGENT, PHONE, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

/** Why someone is not called where the first row is marked, and has a number that cannot be read. */
function reasonFor(planned: PlannedConversation, unreadable: string) {
	const marked = { ...plannedCall(9), numbers: [], unreadable: [unreadable] };
	const rows = [
		{ entries: [{ content: marked, outcome: MARKED }] },
		{ entries: [{ content: planned }] },
	];
	const listed = { doNotCallNumbers: new Set<string>() };
	const { rows: left, notes } = leaveOutBarred(rows, listed, jsonLedger());
	const outcome = left[1]?.entries[0]?.outcome;
	const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
	return { message: failure?.kind === 'skipped' ? failure.message : undefined, notes };
}

const EVER = { rows: [{ days: ['thursday'], from: '0', until: '24' }] };
const MARKED_ROW = 'Not called, because the row is marked do not call';
const ALIKE =
	'Not called, because row 1 is marked do not call, and its number cannot be read but may be this one';

describe('a marked number that cannot be read', () => {
	it('holds back everyone whose number ends like it, and says so', () => {
		expect(reasonFor(plannedCall(1), '415 555 0001 ext')).toEqual({
			message: ALIKE,
			notes: [
				'1 row marked do not call has a number that cannot be read. Anyone whose number it may be is left out. Correct it in the sheet',
			],
		});
	});

	it('holds back whoever it could be, whatever words and signs stand around its last digits', () => {
		fc.assert(
			fc.property(
				fc.nat(9_999),
				fc.constantFrom('', 'x', 'Tel. ', 'phone: ', '(', '??', '0', '+'),
				fc.constantFrom('', ' ext. 4', ' x12', ';ext=5', '#9', ' (office)', '??'),
				fc.integer({ min: 7, max: 10 }),
				(n, before, after, digits) => {
					const spelt = `${before}${phoneOf(n).slice(-digits)}${after}`;
					const { message = '' } = reasonFor(plannedCall(n), spelt);
					expect([spelt, message]).toEqual([
						spelt,
						expect.stringContaining('is marked do not call') as string,
					]);
				},
			),
		);
	});

	it('is the person where it can be read without its extension', () => {
		const marked = `${phoneOf(1)} ext. 4`;
		expect(reasonFor(plannedCall(1), marked).message).toBe(ALIKE);
		const two = `${phoneOf(1)} or ${phoneOf(3)} ext. 4`;
		expect([1, 2, 3].map((n) => reasonFor(plannedCall(n), two).message)).toEqual([
			...[ALIKE, undefined, ALIKE],
		]);
		expect(reasonFor(plannedCall(2), marked).message).toBeUndefined();
		const elsewhere = plannedCall(0, { numbers: ['+12125550001'] });
		expect(reasonFor(elsewhere, marked).message).toBeUndefined();
		expect(reasonFor(plannedCall(1), '95550001').message).toBe(ALIKE);
		expect(reasonFor(plannedCall(4_123), '5550001 ext 4123').message).toBeUndefined();
	});

	it('holds back no one who ends otherwise, and no one where it has few digits or was rounded', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1_000, max: 9_999 }), fc.nat(9_999), (n, other) => {
				const { message } = reasonFor(plannedCall(other), `x${phoneOf(n).slice(-7)}`);
				expect(message).toBe(n === other ? ALIKE : undefined);
			}),
		);
		for (const text of ['1234', 'x', '', '1.4155E+10', '00001'])
			expect(reasonFor(plannedCall(1_234), text).message).toBeUndefined();
	});

	it.each([
		['+551187654321', '+5511987654321'],
		['+39612345678 (casa)', '+390612345678'],
		['%2B1%20415%20555%200001', phoneOf(1)],
	])('holds back whoever it could be in another plan or in a link: %s', (text, number) => {
		const of = (other: string) => reasonFor(plannedCall(0, { numbers: [other] }), text).message;
		expect(of(number)).toContain('is marked do not call');
		expect(of('+390698765432')).toBeUndefined();
	});

	it('holds back whoever it could be where its last digit is missing', () => {
		for (const [number, text] of [
			[phoneOf(1), '415555000'],
			['+5491123456789', '+549112345678'],
		] as const) {
			const person = plannedCall(0, { numbers: [number] });
			expect(reasonFor(person, text).message).toBe(ALIKE);
		}
	});

	it.each([
		...['4,93012E+11', '+4.93012E+11', '4.930123457E+11', '4.9301234568e11', '493012000000'],
		...['4.93012345678E+11', '49.3012E+10'],
	])('holds back whoever it could be where it was rounded as %s', (text) => {
		const of = (number: string) => reasonFor(plannedCall(0, { numbers: [number] }), text).message;
		expect(of('+493012345678')).toContain('is marked do not call');
		expect(of('+493022345679')).toBeUndefined();
	});
});

describe('rows that are marked', () => {
	const marked = (more: object, options: object = {}) =>
		fieldsRow({ ...more, options: { doNotCall: 'yes', ...options } });
	const free = (n: number, options: object = {}) =>
		fieldsRow({ toPhoneNumber: phoneOf(n), options: { doNotCall: '', ...options } });
	const called = async (...rows: Parameters<typeof start>[0]) =>
		(await start(rows)).sent.map(({ toPhoneNumber }) => toPhoneNumber);

	it('hold in later rounds of a loop, and in another attempt', async () => {
		const ledger = jsonLedger();
		await start([marked({ toPhoneNumber: '+5491123456789' }, { personId: 'Ana' })], ledger);
		const later = await start(
			[free(1), free(2, { personId: 'ANA' }), fieldsRow({ toPhoneNumber: '+541123456789' })],
			ledger,
		);
		expect(later.sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual([phoneOf(1)]);
		expect(later.summary).toContain('2 marked Do Not Call');
	});

	it('say who was called before they were marked, where the execution is retried', async () => {
		const ledger = jsonLedger();
		await start([fieldsRow({ toPhoneNumber: phoneOf(1) })], ledger);
		const both = [1, 2].map((n) => marked({ toPhoneNumber: phoneOf(n) }));
		const { sent, happened, problems } = await start(both, ledger);
		expect([sent, happened, problems]).toEqual([
			[],
			'1 person was called',
			[undefined, MARKED_ROW],
		]);
		expect((await start(both, ledger, 1)).problems).toEqual([MARKED_ROW, MARKED_ROW]);
	});

	it('hold in later rounds for whoever they could be, and in all rounds for all numbers of these', async () => {
		const ledger = jsonLedger();
		await start([marked({ toPhoneNumber: '415 555 0001 (home)' })], ledger);
		await start([marked({ toPhoneNumber: '1.41557E+10' })], ledger);
		const people = [
			...[free(1, { personId: 'Ana' }), free(3, { personId: 'ana' }), free(4, { personId: 'Bo' })],
			free(2, { personId: '' }),
			fieldsRow({ toPhoneNumber: '+14155690002', options: { doNotCall: '' } }),
		];
		const called = async (...rows: typeof people) =>
			(await start(rows, ledger)).sent.map(({ toPhoneNumber }) => toPhoneNumber);
		expect(await called(...people)).toEqual([phoneOf(4), phoneOf(2)]);
		expect(await called(free(3))).toEqual([]);
		expect(JSON.stringify(ledger.save())).not.toMatch(/555|1556/);
	});

	it('hold for a Person ID in each spelling of a spreadsheet', async () => {
		const others = ['00123', '123.0', '1230'].map((personId, n) => free(n, { personId }));
		const rows = [marked({ toPhoneNumber: phoneOf(9) }, { personId: '123' }), ...others];
		expect(await called(...rows)).toEqual([phoneOf(2)]);
	});

	it('say that their Person ID cannot be read', async () => {
		const result = await start([marked({ toPhoneNumber: phoneOf(1) }, { personId: {} }), free(2)]);
		expect(JSON.stringify(result)).toContain('has a Person ID that cannot be read');
	});

	it('are those that any column of their own marks, the strictest of several', async () => {
		const inputRow = { 'Opt Out': 'no', DNC: 'yes' };
		const inside = { boss: { DNC: 'yes' } };
		const rows = [inputRow, inside].map((columns, n) =>
			fieldsRow({ toPhoneNumber: phoneOf(n), inputRow: columns, options: { doNotCall: 'no' } }),
		);
		expect(await called(...rows)).toEqual([phoneOf(1)]);
	});

	it('hold for the numbers of a person in rows that are invalid, too', async () => {
		const ana = { personId: 'Ana', invalidRows: 'sendValid' };
		const rows = [
			marked({ toPhoneNumber: phoneOf(1) }, ana),
			fieldsRow({ toPhoneNumber: phoneOf(2), agentId: 'x', options: { ...ana, doNotCall: '' } }),
			free(2, { ...ana, personId: '' }),
			free(3, { ...ana, personId: 'Bo' }),
		];
		expect(await called(...rows)).toEqual([phoneOf(3)]);
	});

	it('hold for a second number that cannot be read, too', async () => {
		const additionalFieldsJson = { mobile: '415 555 0002 (home)' };
		const first = marked({ toPhoneNumber: phoneOf(1) }, { additionalFieldsJson });
		expect(await called(first, free(1), free(2), free(3))).toEqual([phoneOf(3)]);
	});

	it('hold for every number and every chat of the person, in whatever row they meet', async () => {
		const chat = (personId: string) =>
			fieldsRow({
				conversationType: 'chat',
				toPhoneNumber: '',
				options: { personId, doNotCall: '' },
			});
		const ana = [
			marked({ toPhoneNumber: phoneOf(1) }, { personId: ['Ana'] }),
			free(2, { personId: 'ANA' }),
			free(2, { personId: '' }),
			chat('ana'),
			chat(phoneOf(1)),
		];
		expect(await called(free(3, { personId: 'Bo' }), ...ana)).toEqual([phoneOf(3)]);
		expect(await called(...ana.reverse(), chat('Bo'))).toEqual([undefined]);
	});

	it.each([
		['home 555-0001', [4, 3]],
		[`${phoneOf(1)}9`, [4, 3]],
		// Whoever has it has another number, which cannot be read either.
		['555 0004 x', [3]],
	])(
		'hold for whoever may have the number in another row of the person: %s',
		async (text, left) => {
			const row = (toPhoneNumber: string, personId: string, doNotCall = ''): Row =>
				fieldsRow({ toPhoneNumber, options: { personId, doNotCall, invalidRows: 'sendValid' } });
			const ana = row(text, 'Ana');
			const rows = [
				...[row(phoneOf(1), ''), row(phoneOf(4), 'Bo'), ana, row('555 0001 x', 'Bo')],
				...[row(phoneOf(2), 'ana', 'yes'), row(phoneOf(3), '')],
			];
			expect(await called(...rows)).toEqual(left.map(phoneOf));
			expect(await called(...rows.reverse())).toEqual(left.map(phoneOf).reverse());
			const others = [1, 4, 3].map((n) => row(phoneOf(n), ''));
			expect(await called(ana, ...others)).toEqual([1, 4, 3].map(phoneOf));
		},
	);

	it('stop the run where another row of the person shows too little of a number', async () => {
		const ana = { personId: 'Ana', doNotCall: '', invalidRows: 'sendValid' };
		const rows = [
			marked({ toPhoneNumber: phoneOf(2) }, { ...ana, doNotCall: 'yes' }),
			fieldsRow({ toPhoneNumber: '0101', options: ana }),
		];
		expect(await called(...rows, free(3))).toEqual([]);
		expect(await called(...rows.slice(1), free(3))).toEqual([phoneOf(3)]);
	});

	it('make no one the same person by another field that all rows have', async () => {
		const options = { additionalFieldsJson: { backup: phoneOf(9) }, personId: 'x' };
		const rows = [1, 2].map((n) => free(n, { ...options, personId: `P-${n}` }));
		expect(
			await called(marked({ toPhoneNumber: phoneOf(3) }, { personId: 'P-1' }), ...rows),
		).toEqual([phoneOf(2)]);
	});

	it.each<[string, object, object]>([
		['another agent that is wrong', { agentId: 'x' }, {}],
		['another channel', { conversationType: 'chat' }, {}],
		['a channel that is no text', { conversationType: {} }, {}],
		['a time zone that cannot be read', {}, { timeZone: 'BST', callingHours: EVER }],
		['a campaign key that cannot be read', {}, { campaignKey: {}, maximumAttempts: 1 }],
		['a person that cannot be read', {}, { personId: {} }],
		['additional fields that are wrong', {}, { additionalFieldsJson: '{' }],
		['variables that are wrong', { dynamicVariables: 'x' }, {}],
		['a number with an extension', { toPhoneNumber: `${phoneOf(1)} ext. 4` }, {}],
		['a number without a country', { toPhoneNumber: '(415) 555-0001' }, {}],
		['a number with letters', { toPhoneNumber: `phone: 415 555 0001` }, {}],
	])('hold for their person with %s', async (_, more, options) => {
		const rows = [
			marked({ toPhoneNumber: phoneOf(1), ...more }, { invalidRows: 'sendValid', ...options }),
			...[1, 2].map((n) => free(n, { campaignKey: 'a' })),
		];
		const { sent, problems } = await start(rows);
		expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual([phoneOf(2)]);
		expect(problems[0]).toBe(MARKED_ROW);
	});

	it('hold for the person in JSON, too, whose number is in an undocumented field', async () => {
		const conversationsJson = [{ agentId: AGENT, toPhoneNumber: phoneOf(2), mobile: phoneOf(1) }];
		const rows = [
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: true } } },
			{
				parameters: {
					inputMode: 'json',
					conversationsJson: [1, 2, 3].map((n) => ({ agentId: AGENT, toPhoneNumber: phoneOf(n) })),
					options: { doNotCall: false },
				},
			},
		];
		expect(await called(...rows)).toEqual([phoneOf(3)]);
	});
});

describe('a row of which something could not be read', () => {
	const MARK = 'safeguards.doNotCall.people.mark';
	const NO_MARK =
		'Not sent, because the Do Not Call mark of row 2 could not be read. Correct it, or no one can tell who must not be called';
	const NO_PERSON =
		'Not sent, because row 2 is marked do not call, and its person could not be read. Correct the row, or this person may be called by another one';
	const NO_CONVERSATION =
		'Not sent, because the conversations of row 2 could not be read, so no one can tell whether they are marked do not call. Correct the row';

	it.each<readonly [string, string | undefined, string | undefined]>([
		[MARK, undefined, NO_MARK],
		['toPhoneNumber', 'yes', NO_PERSON],
		['safeguards.personId', 'yes', NO_PERSON],
		['options.additionalFieldsJson', 'yes', NO_PERSON],
		['conversationsJson', 'yes', NO_PERSON],
		['conversationsJson', 'no', NO_CONVERSATION],
		['conversationsJson', undefined, undefined],
		['toPhoneNumber', 'no', undefined],
		['agentId', 'yes', undefined],
	])('stops the run where someone marked may be called: %s, mark %s', async (path, mark, stop) => {
		const problems = [{ path: path.split('.'), message: 'could not be read' }];
		const safeguards = mark === undefined ? {} : { doNotCall: { people: { mark } } };
		const readable = {
			...(path === 'toPhoneNumber' ? {} : { toPhoneNumber: phoneOf(2) }),
			safeguards,
		};
		const other = fieldsRow({ options: { invalidRows: 'sendValid' } });
		const run = await start([other, { problems, readable }, { problems }]);
		expect(run.sent).toHaveLength(stop === undefined ? 1 : 0);
		const isMarked = mark === 'yes';
		expect(run.problems).toEqual([
			stop,
			isMarked ? MARKED_ROW : [[path, 'could not be read']],
			[[path, 'could not be read']],
		]);
	});
});

describe('a marked number that is shown in part', () => {
	const mask = (toPhoneNumber: unknown, doNotCall: string, more: object = {}) =>
		fieldsRow({ toPhoneNumber, ...more, options: { doNotCall, invalidRows: 'sendValid' } });
	const run = async (text: string, more: object = {}) => {
		const others = ['+14155550101', '+12125550178'].map((number) => mask(number, 'no'));
		const { sent, summary = '', problems } = await start([mask(text, 'yes', more), ...others]);
		return {
			sent: sent.map(({ toPhoneNumber }) => toPhoneNumber),
			told: [summary, ...problems].join(),
		};
	};

	it.each([
		...['+1415555****', '415 555 01**', '+141555501XX', '(415) 555-01..', '0415 555 01…'],
		...['######0101', '...0101', '…0101', '***-**5-0101', '+1 415 5X5 0101', '415 555 *101'],
		...['+141555501', '41555501', '14155550000'],
	])('holds back whoever it could be: %s', async (text) => {
		expect((await run(text)).sent).not.toContain('+14155550101');
	});

	it.each(['+1415555****', '######0101', '+1 415 5X5 0101', '41555501', '14155550000', '50101'])(
		'leaves its neighbours alone: %s',
		async (text) => {
			expect((await run(text)).sent).toEqual(['+12125550178']);
		},
	);

	it.each(['+1415*****', '0101', '12', '***-***-****', '+1 415 X', '**01'])(
		'stops the run where it is too little: %s',
		async (text) => {
			const { sent, told } = await run(text);
			expect(sent).toEqual([]);
			expect(told).toContain(
				'Not sent, because row 1 is marked do not call and shows too little of its number to tell who must not be called. Enter the whole number in the sheet',
			);
		},
	);

	it.each([
		['+1415*****', 'yes'],
		['+14155550101', 'perhaps'],
	])('stops later rounds, too, where no one can tell who it is: %s, %s', async (text, mark) => {
		const ledger = jsonLedger();
		await start([mask(text, mark)], ledger);
		const later = await start([mask('+12125550178', 'no')], ledger, 1);
		expect(later.sent).toEqual([]);
		expect(later.problems.join()).toContain(
			'Not sent, because an earlier round of this execution could not tell who must not be called. Correct its rows and run the workflow again',
		);
		// The first round is tried again, with other rows.
		const corrected = await start(
			[mask('+14155550101', 'yes'), mask('+12125550178', 'no')],
			ledger,
		);
		expect(corrected.sent).toHaveLength(1);
		expect((await start([mask('+12125550179', 'no')], ledger, 1)).sent).toHaveLength(1);
	});

	it('remembers little of a text without end', async () => {
		const ledger = jsonLedger();
		await start([mask(Array.from({ length: 10_000 }, (_, n) => n).join(''), 'yes')], ledger);
		expect(JSON.stringify(ledger.save()).length).toBeLessThan(20_000);
	});

	it.each(['', 'n/a', '???', '-', '#N/A', 'unknown', '1.4155E+10', '4.16E+9'])(
		'stops nothing where there is no number, and says so: %s',
		async (text) => {
			const { sent, told } = await run(text);
			expect(sent).toHaveLength(2);
			expect(told).toContain(
				'1 row marked do not call has no number, so another row of the same person is left out only by its Person ID. Add the number in the sheet',
			);
		},
	);

	it.each([
		...[{ Mobile: '***-***-0101' }, { phone: '50101' }, { Phone: '550101' }, { Phone: '0101' }],
		...[{ x: '5550101' }, { x: ['["555-0101"]'] }],
	])('counts in a cell that is named like one: %j', async (inputRow) => {
		const { sent } = await run('', { inputRow });
		expect(sent).not.toContain('+14155550101');
	});

	it('is not what stands beside a number', async () => {
		const inputRow = { 'Phone ext': '0101', phone_count: 1234, year: 2026, phone: 12 };
		const code = 'a1b2c3d4f5g6h7';
		expect((await run('', { inputRow: { ...inputRow, code } })).sent).toHaveLength(2);
	});

	it('stops the run where it is one of several in a row', async () => {
		const conversationsJson = ['12', phoneOf(1)].map((toPhoneNumber) => ({ toPhoneNumber }));
		const parameters = { inputMode: 'json', conversationsJson, options: { doNotCall: 'yes' } };
		const { problems } = await start([
			{ parameters },
			{
				parameters: {
					...parameters,
					conversationsJson: { agentId: AGENT, toPhoneNumber: phoneOf(2) },
					options: { doNotCall: 'no' },
				},
			},
		]);
		expect(problems[1]).toContain('row 1 is marked do not call and shows too little');
	});
});

describe('a Person ID that is a number', () => {
	const person = (doNotCall: string, personId: string, toPhoneNumber = '') =>
		fieldsRow({
			toPhoneNumber,
			conversationType: toPhoneNumber === '' ? 'chat' : 'telephony',
			options: { doNotCall, personId, invalidRows: 'sendValid' },
		});
	const spellings = ['14155550101', '(415) 555-0101', '4155550101', 'whatsapp:+14155550101'];
	const other = person('no', '(415) 555-0102');

	it.each(spellings)('of a marked chat holds back its call and its chats: %s', async (personId) => {
		const others = [person('no', '', '+14155550101'), ...spellings.map((id) => person('no', id))];
		expect((await start([person('yes', personId), ...others, other])).sent).toHaveLength(1);
	});

	it.each(spellings)('of a chat is that of a marked or listed call: %s', async (personId) => {
		const marked = person('yes', '', '+14155550101');
		expect((await start([marked, person('no', personId), other])).sent).toHaveLength(1);
		const listed = { personId, doNotCallNumbers: '+14155550101' };
		const chat = fieldsRow({ toPhoneNumber: '', conversationType: 'chat', options: listed });
		expect((await start([chat])).sent).toEqual([]);
	});
});

it.each([
	[{ boss: { doNotCall: true } }, 'doNotCall'],
	[{ colleagues: [{ name: 'Do Not Call', value: 'yes' }] }, 'Do Not Call'],
	[{ flags: [{ doNotCall: true }, { doNotCall: false }] }, 'doNotCall'],
	[{ people: [{ doNotCall: true, name: 'Bo' }, { name: 'Ana' }] }, 'doNotCall'],
	[{ people: [{ doNotCall: true, name: 'Bo' }] }, 'doNotCall'],
	[{ 'May we call you?': 'Ask me again' }, 'May we call you? (unclear)'],
])('a mark that the safeguard does not read is told: %j', async (inputRow, name) => {
	for (const variablesMode of ['fields', 'columns']) {
		const { alarms } = await start([
			fieldsRow({ inputRow, variablesMode, options: { doNotCall: 'no' } }),
		]);
		expect(alarms).toEqual([
			`1 person marked ${name} was called. Read it in 'Do Not Call' under Safeguards, too`,
		]);
	}
	expect(
		(await start([fieldsRow({ inputRow, options: { doNotCall: 'yes' } })])).alarms ?? [],
	).toEqual([]);
});

it('a mark in another column that is neither yes nor no holds its person back, as one that says yes', async () => {
	const rows = ['maybe', '✗', 'no', '', 'Litigator'].map((DNC, index) =>
		fieldsRow({
			inputRow: { DNC },
			toPhoneNumber: `+1415555010${index}`,
			options: { doNotCall: 'no' },
		}),
	);
	const { sent } = await start(rows);
	expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual(['+14155550102', '+14155550103']);
});

it.each<[inputRow: object, free: number]>([
	[{ Phone: PHONE, Mobile: '(415) 555-0102' }, 1],
	[{ properties: { phone: PHONE, mobilephone: phoneOf(102) } }, 1],
	...[
		'Handy',
		'Móvil',
		'Telemóvel',
		'Celular',
		'Portable',
		'Cellulare',
		'Mobiel',
		'Tel. 2',
		'Fixe',
	].map((name): [object, number] => [{ Phone: PHONE, [name]: '(415) 555-0102' }, 1] as const),
	[{ Phone: PHONE, Home: phoneOf(102) }, 1],
	[{ Phone: PHONE, custom_fields: { mobile: phoneOf(102) } }, 1],
	[{ Phone: PHONE, Mobile: '415-555-0102 / 415-555-0109' }, 1],
	[{ Phone: PHONE, Mobile: '415-555-0102 ext 5' }, 1],
	[{ Phone: PHONE, Country: 'United Kingdom', Mobile: '4155550102' }, 1],
	[{ Phone: PHONE, Mobile: '-', 'Phone Notes': 'room 0102', Home: 'n/a' }, 2],
	[{ Phone: PHONE, 'Spouse Phone': phoneOf(102), phone_owner_id: '4155550102' }, 2],
])('a mark holds for the other numbers of its person in the row: %j', async (inputRow, free) => {
	const others = [phoneOf(102), phoneOf(103)].map((toPhoneNumber) =>
		fieldsRow({ toPhoneNumber, options: { doNotCall: 'no' } }),
	);
	const marked = (doNotCall: string) =>
		fieldsRow({ inputRow, options: { doNotCall, defaultCountry: 'US' } });
	expect((await start([marked('yes'), ...others])).sent).toHaveLength(free);
	expect((await start([marked('no'), ...others])).sent).toHaveLength(3);
});

it.each([
	[{ 'DNC Date': '2026-01-02' }, ''],
	[{ 'DNC Date': '2026-01-02', DNC: '-' }, ''],
	[{ consent_revoked_at: '2026-01-02', consent_at: '2025-01-02' }, '-'],
	[{ 'DNC Date': '2026-01-02', boss: { DNC: 'no' }, 'Spouse DNC': 'no' }, ''],
])('the date of a mark holds its person back where nothing answers: %j', async (inputRow, mark) => {
	const other = fieldsRow({ toPhoneNumber: '+14155550102', options: { doNotCall: 'no' } });
	const called = async (row: object, doNotCall: string) => {
		const dated = fieldsRow({ inputRow: row, options: { doNotCall } });
		return (await start([dated, other])).sent.length;
	};
	expect(await called(inputRow, mark)).toBe(1);
	expect(await called(inputRow, 'no')).toBe(2);
	expect(await called({ ...inputRow, DNC: 'no' }, mark)).toBe(2);
	expect(await called({ 'DNC Date': '0000-00-00' }, mark)).toBe(2);
});

it('columns that may be marks and are not read are told, unless the rows have a mark', async () => {
	const rows = (more: object) =>
		[phoneOf(1), phoneOf(2)].map((toPhoneNumber, n) =>
			fieldsRow({
				toPhoneNumber,
				inputRow:
					n === 0
						? { 'Do not call until': '2027-01-01', Consent: 'withdrawn', Calls: 'off', ...more }
						: { Suppressed: 'no', 'Marketing consent': 'yes', 'SMS calls': '', Consent: '-' },
			}),
		);
	expect((await start(rows({}))).summary).toContain(
		"Only an expression in 'Do Not Call' reads these columns, which may say who must not be called: 'Do not call until', 'Consent', 'Calls'",
	);
	expect((await start(rows({ DNC: 'no' }))).summary).not.toContain('Only an expression');
});

/** The options of a field of ClickUp, whose value is the place of one. */
const YES_AND_NO = {
	options: ['Yes', 'No'].map((name, orderindex) => ({ name, orderindex })),
};

it.each([
	{ customer: { doNotCall: true } },
	{ properties: { do_not_call: 'true' } },
	{ fields: { 'Do Not Call': true } },
	{ custom: [{ name: 'Do Not Call', value: 'yes' }] },
	{
		answers: [
			{ name: 'City', value: 'Rome' },
			{ name: 'Do Not Call', value: 'yes' },
		],
	},
	{ flags: [{ doNotCall: true }] },
	{ prefs: [{ medium: 'email' }, { medium: 'phone', doNotCall: true }] },
	{ contact_info: { name: 'Ana', do_not_call: true } },
	{ phone: PHONE, reached: { phone: PHONE, do_not_call: true } },
	{ flags: { doNotCall: true } },
	{ compliance: { channels: { doNotCall: true } } },
	{ consent: { phone: 'no' } },
	{ consent: { phone: { given: false, updated: '2026-01-01' } } },
	{
		consents: [
			{ type: 'email', status: 'given' },
			{ type: 'phone', status: 'denied' },
		],
	},
	{ preferences: { calls: false } },
	{ preferences: { contact: { phone: 'declined', email: 'ok' } } },
	{ preferences: '{"calls": false}' },
	{ communication: { phone: { allowed: false } } },
	{
		communication: [
			{ channel: 'sms', allowed: true },
			{ channel: 'voice', allowed: false },
		],
	},
	{ optIn: { sms: true, voice: false } },
	{ opt_out: { email: false, phone: true } },
	{ channels: { phone: false, email: true } },
	{ phone: { number: PHONE, optIn: 'no' } },
	{ custom: [{ name: 'Consent', value: { phone: 'no' } }] },
	{ data: { customer: { marketing: { telephone: 'revoked' } } } },
	{ spouse: { name: 'Bo', phone: PHONE, dnc: 'yes' } },
	{
		phones: [
			{ number: PHONE, dnc: true },
			{ number: '+14155550199', dnc: false },
		],
	},
	{ channels: [{ type: 'voice', active: false }] },
	{ person: { attributes: { consents: { phone: { state: 'denied' } } } } },
	{ Einwilligungen: { Anruf: false } },
	{
		answers: [
			{ question: 'May we call you?', answer: 'No' },
			{ question: 'Name', answer: 'Ana' },
		],
	},
	{
		field_data: [
			{ name: 'full_name', values: ['Ana'] },
			{ name: 'do_not_call', values: ['yes'] },
		],
	},
	{ field_data: [{ name: 'may_we_call_you?', values: ['no'] }] },
	{ answers: { 4: { name: 'mayWe', text: 'May we call you?', answer: 'No' } } },
	{
		answers: [
			{ type: 'text', text: 'Ana', field: { id: 'a', title: 'Name' } },
			{ type: 'boolean', boolean: false, field: { id: 'b', title: 'May we call you?' } },
		],
	},
	// As it is read of customers.
	{ 'Opt out': 'Call' },
	{ 'Do Not Call': '2026-01-01' },
	{ custom_fields: [{ name: 'Do Not Call', value: 0, type_config: YES_AND_NO }] },
	{ custom_fields: [{ name: 'Calls allowed', value: 1, type_config: YES_AND_NO }] },
	{
		marketing_permissions: [
			{ text: 'Email', enabled: true },
			{ text: 'Phone calls', enabled: false },
		],
	},
])('a mark inside of what belongs to the person holds: %j', async (inputRow) => {
	const row = fieldsRow({ inputRow, options: { doNotCall: 'no' } });
	expect((await start([row])).sent).toEqual([]);
});

it.each<object>([
	{
		customers: [
			{ name: 'Ben', dnc: 'yes' },
			{ name: 'Ana', dnc: 'no' },
		],
	},
	{ customer_success_manager: { name: 'Ben', dnc: 'yes' } },
	{ neighbour: { phone: '+14155550199', dnc: 'yes' } },
	{ neighbour: { name: { first: 'Bo' }, consent: { phone: 'no' } } },
	{ consent: { phone: 'yes', email: 'no', sms: false } },
	{ consent: { phone: { given: true, primary: false, verified: 'no' } } },
	{
		consents: [
			{ type: 'email', status: 'denied' },
			{ type: 'phone', status: 'given' },
		],
	},
	{ preferences: { calls: true, newsletter: false, phone: { primary: false } } },
	{ optIn: { sms: false, voice: true } },
	{ opt_out: { email: true, phone: false } },
	{ phone: { number: PHONE, verified: false, sms_consent: 'no' } },
	{ consent: { phone: '+14155550123' } },
	{
		phones: [
			{ number: PHONE, dnc: false },
			{ number: '+14155550199', dnc: true },
		],
	},
	{ custom: [{ name: 'Do Not Call', value: 'no' }] },
	{ custom: { label: 'DNC', answer: 'no' } },
	{ communication: { phone: 'n/a', last_call: 'no answer', email: 'a@b.example' } },
	{ privacy: { show_phone: false }, preferences: { phone_number_visible: 'no' } },
	{ 'Opt out': 'SMS' },
	{ custom_fields: [{ name: 'Do Not Call', value: 1, type_config: YES_AND_NO }] },
	{
		marketing_permissions: [
			{ text: 'Email', enabled: false },
			{ text: 'Phone calls', enabled: true },
		],
	},
])('a mark of someone else does not hold: %j', async (inputRow) => {
	const row = fieldsRow({ inputRow, options: { doNotCall: 'no' } });
	expect((await start([row])).sent).toHaveLength(1);
});

it('a mark of one conversation in a list raises no alarm about the others', async () => {
	const call = (n: number) => ({ agentId: AGENT, toPhoneNumber: phoneOf(n) });
	const list = [call(1), { ...call(2), doNotCall: true }];
	const parameters = { inputMode: 'json', conversationsJson: list, inputRow: { list } };
	const { sent, alarms } = await start([{ parameters }]);
	expect([sent, alarms ?? []]).toEqual([[expect.objectContaining(call(1))], []]);
});

describe('a mark of what has the number in a row of JSON', () => {
	const call = (to: unknown) => ({ agentId: AGENT, toPhoneNumber: to });
	const json = (inputRow: object, list: readonly unknown[], options: object = {}) => ({
		parameters: { inputMode: 'json', conversationsJson: list.map(call), inputRow, options },
	});
	const [one, two] = [phoneOf(1), phoneOf(2)];

	it.each<readonly [object, ReadonlyArray<string | undefined>]>([
		[{ contacts: [{ phone: one, do_not_call: true }] }, []],
		[
			{
				contacts: [
					{ phone: one, dnc: 'yes' },
					{ phone: two, dnc: 'no' },
				],
			},
			[two],
		],
		[{ contacts: [{ phone: two }, { phone: one, consent: { phone: 'no' } }] }, [two]],
		[{ contacts: [{ phones: [one], dnc: 'yes' }, { phones: [{ number: two }] }] }, [two]],
		[{ results: [{ properties: { phone: { value: one }, dnc: { value: 'true' } } }, two] }, [two]],
		[{ people: [{ phones: [{ number: one }], dnc: true }, { phone: two }] }, [two]],
		[{ people: [{ phone: '＋１４１５５５５０００１', dnc: true }, { phone: two }, one] }, [two]],
		[{ phones: [one, two], dnc: 'yes' }, []],
		[{ phone: two, spouse: { phone: one, dnc: 'yes' } }, [two]],
		[{ phone: two, mobile: one, dnc: 'yes' }, []],
		[{ phone: two, mobile: one, spouse: { phone: '1', dnc: 'yes' } }, [one, two]],
	])('holds for its person and no one else: %j', async (row, expected) => {
		const list = [one, two].filter((number) => JSON.stringify(row).includes(number));
		const { sent } = await start([json(row, list, { doNotCall: 'no' })]);
		expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual(expected);
	});

	it('is an alarm about its person alone where no mark is read', async () => {
		const contacts = [
			{ phone: one, dnc: 'yes' },
			{ phone: two, dnc: 'no' },
		];
		expect((await start([json({ contacts }, [one, two])])).alarms).toEqual([
			"1 person marked dnc was called. Add 'Do Not Call' under Safeguards",
		]);
	});
});
