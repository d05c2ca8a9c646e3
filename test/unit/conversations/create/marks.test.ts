import type { Row } from '../../../../src/core/operation';
import { jsonLedger } from '../../../support/fakeRuntime';
import { AGENT, phoneOf } from '../../../support/samples';
import { reasonOf } from '../../../support/runRows';
import { fieldsRow, start } from '../../../support/startConversations';

/** A row with a cell of the do-not-call column. */
const marked = (
	doNotCallColumn: unknown,
	n: number,
	more: object = {},
	options: object = {},
): Row =>
	fieldsRow({ toPhoneNumber: phoneOf(n), ...more, options: { doNotCallColumn, ...options } });

const chat = { conversationType: 'chat', toPhoneNumber: '' };
const valid = { invalidRows: 'sendValid' };
const numbersIn = ({ sent }: Awaited<ReturnType<typeof start>>) =>
	sent.map(({ toPhoneNumber }) => toPhoneNumber);

it('leaves out the rows that are marked, and calls the others', async () => {
	const cells = ['yes', ' TRUE ', 1, true, ['no', 'x'], '\u2713', 'no', '', null, 0, false, []];
	const run = await start(cells.map((cell, n) => marked(cell, n)));
	expect(numbersIn(run)).toEqual([6, 7, 8, 9, 10, 11].map(phoneOf));
	expect(run.summary).toContain('12 rows, 1 request: 6 accepted, 6 marked Do Not Call');
});

it.each([
	[{ doNotCall: 'none', safeguards: { markedValues: 'x' } }, "is used only if 'Do Not Call' is"],
	[{ doNotCall: 'marked', safeguards: { markedValues: ' , ' } }, 'is empty'],
])('refuses marked values that mean nothing: %j', async (more, message) => {
	const { sent, problems } = await start([fieldsRow(more)]);
	expect(sent).toEqual([]);
	expect(problems).toEqual([[['safeguards.markedValues', expect.stringContaining(message)]]]);
});

it('holds a mark against the same number and the same Person ID, in every row and on every channel', async () => {
	const person = { personId: 'P-1' };
	const all = { duplicates: 'sendAll' };
	const run = await start([
		marked('', 1, {}, all),
		marked('', 2, chat, { ...all, ...person }),
		marked('', 3, { conversationType: 'chat' }, all),
		marked('yes', 1, {}, all),
		marked('yes', 3, { agentId: 'wrong' }, { ...all, ...person }),
		marked('', 4, {}, { ...all, personId: 'p-1' }),
		// Without a number it is no one else.
		marked('yes', 5, { toPhoneNumber: ' ' }, all),
	]);
	expect(numbersIn(run)).toEqual([phoneOf(4)]);
	expect(reasonOf(run.rows[0] ?? { items: [] })).toContain(
		'row 4 of the same person is marked do not call',
	);
});

it('holds a mark against all conversations in the JSON of its row', async () => {
	const jsonRow = (doNotCallColumn: unknown, ...people: readonly number[]): Row => ({
		parameters: {
			inputMode: 'json',
			conversationsJson: people.map((n) => ({ agentId: AGENT, toPhoneNumber: phoneOf(n) })),
			options: { doNotCallColumn },
		},
	});
	const run = await start([jsonRow('no', 1, 2, 3), jsonRow('yes', 2, 4)]);
	expect(numbersIn(run)).toEqual([1, 3].map(phoneOf));
});

it.each<[object, object]>([
	[{ toPhoneNumber: 'see notes' }, {}],
	[{ ...chat }, { personId: {} }],
	[{ inputMode: 'json', conversationsJson: '[{' }, {}],
	[{ inputMode: 'json', conversationsJson: [{ agentId: AGENT, toPhoneNumber: '1' }] }, {}],
])(
	'stops where a marked person cannot be read, also with valid rows: %j',
	async (more, options) => {
		const whole = { agentId: AGENT, toPhoneNumber: phoneOf(1) };
		const mode = 'inputMode' in more ? { inputMode: 'json', conversationsJson: [whole] } : {};
		const { sent, problems } = await start([
			marked('no', 1, mode, valid),
			marked('yes', 2, more, { ...valid, ...options }),
		]);
		expect(sent).toEqual([]);
		expect(problems.join()).toContain(
			'row 2 is marked do not call and its number or Person ID cannot',
		);
	},
);

it('remembers marks for later rounds, and for a retry with another answer', async () => {
	const ledger = jsonLedger();
	await start([marked('yes', 1)], ledger);
	const retry = await start([fieldsRow({ toPhoneNumber: phoneOf(1) })], jsonLedger(ledger.save()));
	expect(retry.sent).toEqual([]);
	const later = await start([marked('no', 1), marked('no', 2)], ledger, 1);
	expect(numbersIn(later)).toEqual([phoneOf(2)]);
});

it('calls no one in later rounds after one whose marks could not be read, until that one is corrected', async () => {
	for (const unread of [
		marked('maybe', 1),
		marked('yes', 1, { toPhoneNumber: '415 555 0178' }),
		marked('yes', 1, {}, { hoursBetweenCalls: -1 }),
		marked('yes', 1, {}, { ...valid, personId: undefined }),
	]) {
		const ledger = jsonLedger();
		await start([unread], ledger);
		const later = await start([marked('no', 2)], ledger, 1);
		expect([later.sent, later.problems]).toEqual([
			[],
			[expect.stringContaining('round 1 of this execution')],
		]);
		expect((await start([marked('no', 1)], ledger)).sent).toHaveLength(1);
		expect((await start([marked('no', 2)], ledger, 1)).sent).toHaveLength(1);
	}
});

it('names the rows whose mark holds for no other row, and why nothing may be sent', async () => {
	const nameless = await start([marked('yes', 1, { toPhoneNumber: '' }), marked('no', 2)]);
	expect(nameless.summary).toContain(
		'marked Do Not Call. Row 1: marked Do Not Call, but without a readable number or Person ID',
	);
	const json = { inputMode: 'json', conversationsJson: '', options: { doNotCallColumn: 'yes' } };
	expect((await start([{ parameters: json }])).summary).not.toContain('No row is marked');
	const unread = await start([marked('yes', 1, { toPhoneNumber: '415 555 0178' })]);
	expect(unread.summary).toContain(
		'Nothing may be sent, because row 1 is marked do not call and its number or Person ID cannot be read: "415 555 0178" has no country code',
	);
});
