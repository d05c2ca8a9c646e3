import type { Row } from '../../../../src/core/operation';
import { jsonLedger } from '../../../support/fakeRuntime';
import { AGENT, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

/** A row with a cell of the do-not-call column. */
const marked = (mark: unknown, n: number, more: object = {}, options: object = {}): Row =>
	fieldsRow({ toPhoneNumber: phoneOf(n), ...more, options: { mark, ...options } });

const consent = { whoMayBeCalled: 'allowed', consentColumn: 'Contact OK' };

/** A row with a cell of the consent column. */
const allowed = (cell: unknown, n: number, more: object = {}, options: object = {}): Row =>
	fieldsRow({
		toPhoneNumber: phoneOf(n),
		inputRow: { 'Contact OK': cell },
		...consent,
		...more,
		options,
	});

const chat = { conversationType: 'chat', toPhoneNumber: '' };

const YES = ['yes', ' TRUE ', 1, true, 'x', '\u2713'];
const NO = ['no', '', null, 0, false, []];

it('leaves out the people whom a column marks, and calls the others', async () => {
	const run = await start([...YES, ['no', 'x'], ...NO].map((cell, n) => marked(cell, n)));
	expect(run.called).toEqual([7, 8, 9, 10, 11, 12].map(phoneOf));
	expect([run.codes[0], run.reasons[0]]).toEqual(['doNotCall', 'Marked do not call']);
	expect(run.summary).toMatch(
		/7 marked do not call\. Not called: yes in 'Do Not Call'\. This node/,
	);
});

it('counts no empty variables of people who are not called', async () => {
	const city = (value: string) => ({ dynamicVariables: { variables: [{ name: 'city', value }] } });
	const { summary } = await start([marked('yes', 1, city('')), marked('no', 2, city('Bern'))]);
	expect(summary).not.toContain('Empty variables');
});

it('calls only the people for whom a consent column says yes', async () => {
	const run = await start(
		[...YES, ['yes', 'x'], ...NO, ['yes', '']].map((cell, n) => allowed(cell, n)),
	);
	expect(run.called).toEqual([0, 1, 2, 3, 4, 5, 6].map(phoneOf));
	expect([run.codes[7], run.reasons[7]]).toEqual(['noConsent', 'No consent']);
	expect(run.summary).toContain('14 rows, 1 request: 7 called, 7 without consent');
});

it('holds a mark against the same number and the same Person ID, in every row and on every channel', async () => {
	const person = { personId: 'P-1' };
	const run = await start([
		marked('', 1),
		marked('', 2, chat, person),
		marked('', 3, { conversationType: 'chat' }),
		marked('yes', 1),
		marked('yes', 3, { agentId: 'wrong' }, person),
		marked('', 4, {}, { personId: 'p-1' }),
		// Without a number it is no one else.
		marked('yes', 5, { toPhoneNumber: ' ' }),
	]);
	expect(run.called).toEqual([phoneOf(4)]);
	expect(run.reasons[0]).toBe('Marked do not call in row 4');
});

it('holds back every number of a person whom rows join by a Person ID', async () => {
	const person = { personId: 'P-1' };
	const run = await start([
		marked('', 2),
		marked('', 2, {}, person),
		marked('yes', 1, {}, person),
		marked('', 3),
	]);
	expect(run.called).toEqual([phoneOf(3)]);
	expect(run.reasons[0]).toBe('Marked do not call in row 3');
});

it('does not call a person whose rows disagree about a consent, on any channel', async () => {
	const run = await start([
		allowed('yes', 1),
		allowed('no', 1),
		allowed('yes', 1, { conversationType: 'chat' }),
		allowed('yes', 2, chat, { personId: 'P-1' }),
		allowed('', 3, chat, { personId: 'P-1' }),
		allowed('yes', 4),
	]);
	expect(run.called).toEqual([phoneOf(4)]);
	expect(run.reasons[2]).toBe('No consent in row 2');
});

it('does not let a column of one name pass for another', async () => {
	const inputRow = { 'do not call': 'yes', 'Do Not Call ': 'yes', 'Do Not': { Call: 'yes' } };
	expect((await start([marked('', 1, { inputRow })])).sent).toHaveLength(1);
});

describe('a column with other words', () => {
	const german = ['ja', 'nein', 'nein', 'Ja '];
	const answer = { yesValues: 'ja', noValues: ['Nein'] };

	it('is a question, also with valid rows, which lists the values with their counts', async () => {
		const run = await start(
			german.map((cell, n) => marked(cell, n, {}, { invalidRows: 'sendValid' })),
		);
		expect([run.sent, new Set(run.codes)]).toEqual([[], new Set(['stopped'])]);
		expect(run.problems[0]).toBe(
			"Not sent, because 'Do Not Call' has values that are neither yes nor no: 'nein' (2 rows), 'ja' (row 1), 'Ja' (row 4). Enter each under Safeguards > 'Values That Mean Yes' (do not call) or 'Values That Mean No'",
		);
		const ledger = jsonLedger();
		const stopped = await start([allowed('ja', 1), allowed('yes', 2)], ledger);
		expect([stopped.sent, stopped.codes]).toEqual([[], ['stopped', 'stopped']]);
		expect(stopped.problems[0]).toContain("'Values That Mean Yes' (may be called) or");
		// A question is no answer that a retry would remember.
		expect((await start([allowed('ja', 1, {}, answer)], ledger)).sent).toHaveLength(1);
	});

	it('may use the usual words otherwise', async () => {
		const cells = ['x', 'no'].map((cell, n) =>
			marked(cell, n, {}, { yesValues: 'no', noValues: 'x' }),
		);
		expect((await start(cells)).called).toEqual([phoneOf(0)]);
		const both = await start([marked('ja', 1, {}, { yesValues: 'ja', noValues: 'Ja, nein' })]);
		expect(both.sent).toEqual([]);
		expect(both.problems[0]).toContain("because 'ja' is both in 'Values That Mean Yes' and in");
	});

	it.each([
		[
			{ whoMayBeCalled: 'everyone', safeguards: { yesValues: 'x' } },
			'yesValues',
			'is used only if a',
		],
		[{ asTool: true, safeguards: { noValues: 'x' } }, 'noValues', 'is used only if a column'],
		[{ doNotCallColumn: 'DNC', safeguards: { noValues: ' , ' } }, 'noValues', 'is empty'],
	])('refuses answers that mean nothing: %j', async (more, name, message) => {
		const { sent, problems } = await start([fieldsRow({ whoMayBeCalled: 'notMarked', ...more })]);
		expect([sent, problems]).toEqual([
			[],
			[[[`safeguards.${name}`, expect.stringContaining(message)]]],
		]);
	});
});

describe('a sheet in which no one is marked', () => {
	it('has a blank cell where only some rows lack the column', async () => {
		const bare = fieldsRow({ toPhoneNumber: phoneOf(2), inputRow: {} });
		expect((await start([marked('yes', 1), bare])).called).toEqual([phoneOf(2)]);
		expect((await start([allowed('yes', 1), bare])).called).toEqual([phoneOf(1)]);
	});
});

const json = { inputMode: 'json', conversationJson: '{' };
const UNREAD = 'marked, without a readable number';

it.each<[object, object]>([
	[{ toPhoneNumber: 'see note 5' }, {}],
	[chat, { personId: {} }],
	[json, {}],
	[{ inputMode: 'json', conversationJson: { agentId: AGENT, toPhoneNumber: '1' } }, {}],
])(
	'names a row that holds back someone who cannot be read, and calls the others: %j',
	async (more, options) => {
		const whole = { agentId: AGENT, toPhoneNumber: phoneOf(1) };
		const mode = 'inputMode' in more ? { inputMode: 'json', conversationJson: whole } : {};
		const run = await start([marked('no', 1, mode), marked('yes', 2, more, options)]);
		expect([run.called, run.codes[1]]).toEqual([[phoneOf(1)], 'doNotCall']);
		expect(run.summary).toContain(`Row 2: ${UNREAD}`);
	},
);

it('takes a number without a digit for an empty cell', async () => {
	const run = await start([marked('yes', 1, { toPhoneNumber: 'n/a' }), marked('no', 2)]);
	expect(run.called).toEqual([phoneOf(2)]);
	// Without a number, this mark holds back no one.
	expect(run.summary).toContain(`Row 1: ${UNREAD}`);
	const unmarked = await start([marked('no', 1, { toPhoneNumber: 'n/a' })]);
	expect(unmarked.problems).toEqual([
		[['toPhoneNumber', expect.stringContaining('has no digits')]],
	]);
});

it('remembers who is held back for later rounds, and for a retry with another answer', async () => {
	const ledger = jsonLedger();
	await start([marked('yes', 1)], ledger);
	const retry = await start([fieldsRow({ toPhoneNumber: phoneOf(1) })], jsonLedger(ledger.save()));
	expect(retry.sent).toEqual([]);
	const later = await start([marked('no', 1), marked('no', 2)], ledger, 1);
	expect(later.called).toEqual([phoneOf(2)]);
	const consents = jsonLedger();
	await start([allowed('no', 1)], consents);
	const agreed = await start([allowed('yes', 1)], consents, 1);
	expect([agreed.sent, agreed.reasons]).toEqual([[], ['No consent earlier in this execution']]);
});

it('calls no one in later rounds after one that asked, until that one is corrected', async () => {
	for (const asking of [
		marked('maybe', 1),
		marked('yes', 1, { doNotCallColumn: 'DNC' }),
		marked('yes', 1, {}, { hoursBetweenCalls: -1 }),
		marked('yes', 1, {}, { personId: undefined }),
	]) {
		const ledger = jsonLedger();
		await start([asking], ledger);
		const later = await start([marked('no', 2)], ledger, 1);
		expect([later.sent, later.problems]).toEqual([
			[],
			[expect.stringContaining('round 1 of this execution')],
		]);
		expect((await start([marked('no', 1)], ledger)).sent).toHaveLength(1);
		expect((await start([marked('no', 2)], ledger, 1)).sent).toHaveLength(1);
	}
});
