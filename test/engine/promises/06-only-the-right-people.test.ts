import type { IDataObject } from 'n8n-workflow';
import { called, calls, outcomeOf } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { AGENT, listOf, members } from '../../support/samples';
import { forget, serve } from '../../support/service';

afterEach(forget);

const phones = ['+14155550101', '+14155550102', '+14155550103'] as const;
const sheet = (...cells: ReadonlyArray<IDataObject[string]>): IDataObject[] =>
	cells.map((cell, i) => ({
		phone: phones[i],
		...(cell !== undefined && { 'Do Not Call': cell }),
	}));

/** The question, answered with this column. */
const marked = (doNotCallColumn: string, more: IDataObject = {}) => ({
	...calls,
	whoMayBeCalled: 'notMarked',
	doNotCallColumn,
	...more,
});

const allowed = (consentColumn: string, more: IDataObject = {}) => ({
	...calls,
	whoMayBeCalled: 'allowed',
	consentColumn,
	...more,
});

async function run(rows: IDataObject[], parameters: IDataObject) {
	forget();
	const received = serve(() => ({ status: 200, body: '' }));
	const result = await runNode({ rows, parameters: parameters as typeof calls });
	return { ...result, called: called(received) };
}

const json = (more: IDataObject = {}) =>
	marked('Do Not Call', {
		inputMode: 'json',
		conversationJson: `={"agentId": "${AGENT}", "toPhoneNumber": "{{ $json.phone }}"}`,
		...more,
	});

it.each([
	['are not marked in a dragged column', marked('Do Not Call'), phones.slice(1)],
	[
		'are not marked in a column that n8n drags in brackets',
		marked("['Do Not Call']"),
		phones.slice(1),
	],
	['are not marked in a column, in JSON', json(), phones.slice(1)],
	['are allowed in a column', allowed('Do Not Call'), phones.slice(0, 1)],
	['are in a list that is already checked', { ...calls, whoMayBeCalled: 'everyone' }, phones],
])('calls those who %s', async (_, parameters, expected) => {
	// A source leaves out empty cells.
	const { called, error } = await run(sheet('yes', 'no', undefined), parameters);
	expect([error, called]).toEqual([undefined, expected]);
});

it('calls no one whom an invalid row joins with a marked person', async () => {
	const joined = { safeguards: { personId: '={{ $json.id }}' } };
	const rows = [
		{ phone: phones[0], id: 'P-2', agent: '' },
		{ phone: phones[1], id: 'P-2', agent: AGENT, 'Do Not Call': 'yes' },
		{ phone: phones[0], agent: AGENT },
		{ phone: phones[2], agent: AGENT },
	];
	const options = { invalidRows: 'sendValid' };
	const more = { ...joined, options, agentId: '={{ $json.agent }}' };
	expect((await run(rows, marked('Do Not Call', more))).called).toEqual([phones[2]]);
});

it.each<[string, IDataObject, string]>([
	['nothing', marked(' '), "'Do Not Call Column' is empty. Drag a column here"],
	['no consent column', allowed(' '), "'Consent Column' is empty. Drag a column here"],
	[
		'an expression',
		marked("={{ $json['Do Not Call'] === 'yes' }}"),
		"'Do Not Call Column' is an expression. Switch it to Fixed",
	],
	[
		'a column that no row has',
		marked('DNC'),
		"no row has the column 'DNC'. If your sheet has it, all its cells are empty, and n8n leaves such a column out: add the option 'Include Empty Cells' to the node that reads the sheet. Columns found: 'phone', 'Do Not Call'",
	],
	[
		'another number',
		{ ...marked('Do Not Call'), toPhoneNumber: '={{ $json.phon }}' },
		"reads 'phon', which",
	],
	['another column with an apostrophe', allowed("Don't Call"), "has the column 'Don't Call'"],
	[
		'an unclear value',
		marked('Do Not Call'),
		"values that are neither yes nor no: 'later' (row 2). Enter each under Safeguards > 'Values That Mean Yes' (do not call) or 'Values That Mean No'",
	],
	['an unclear consent', allowed('Do Not Call'), "'Values That Mean Yes' (may be called)"],
	['an unclear value, in JSON', json(), "'later' (row 2)"],
	['no value in the JSON', json({ doNotCallColumn: ' ' }), 'is empty. Drag a column here'],
])('asks, and calls no one, where the answer is %s', async (_, parameters, question) => {
	const options = { invalidRows: 'sendValid' };
	const { called, error } = await run(sheet('no', 'later'), { ...parameters, options });
	expect(called).toEqual([]);
	expect(error?.message).toContain(question);
});

it.each([
	['Do Not Call', undefined, [true, false]],
	["={{ $json['Do Not Call'] }}", "'Do Not Disturb Column' is an expression", []],
])('sends the marks of customers in the column %j', async (doNotDisturbColumn, problem, marks) => {
	const received = serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const { error } = await runNode({
		rows: ['yes', 'no'].map((cell, i) => ({ ID: i, Name: `Ana ${i}`, 'Do Not Call': cell })),
		parameters: {
			resource: 'customer',
			operation: 'upsertBatch',
			dryRun: false,
			inputMode: 'fields',
			customer: { mappingMode: 'autoMapInputData', value: null },
			doNotDisturb: 'marked',
			doNotDisturbColumn,
		},
	});
	const sent = received.flatMap(({ body }) => listOf(body, 'customers').map(members));
	expect(sent.map(({ isDoNotDisturbEnabled }) => isDoNotDisturbEnabled)).toEqual(marks);
	if (problem === undefined) expect(error).toBeUndefined();
	else expect(error?.message).toContain(problem);
});

it('reads a German sheet once the user explains its values, and asks about a new one next week', async () => {
	const german = (...cells: string[]) =>
		cells.map((cell, i) => ({ phone: phones[i], 'Nicht anrufen': cell }));
	const rows = german('ja', 'nein', 'nein');
	const preview = await run(rows, marked('Nicht anrufen', { dryRun: true }));
	expect(preview.hints.join()).toContain("'nein' (2 rows), 'ja' (row 1)");
	const answered = marked('Nicht anrufen', { safeguards: { yesValues: 'ja', noValues: 'nein' } });
	const dry = await run(rows, { ...answered, dryRun: true });
	expect(dry.main.map(outcomeOf)).toEqual(['notSent', 'wouldSend', 'wouldSend']);
	const real = await run(rows, answered);
	expect([real.main.map(outcomeOf), real.called]).toEqual([
		['notSent', 'accepted', 'accepted'],
		phones.slice(1),
	]);
	const later = await run(german('ja', 'nein', 'Stop'), answered);
	expect([later.called, later.error?.message]).toEqual([
		[],
		expect.stringContaining("neither yes nor no: 'Stop' (row 3)"),
	]);
});

it('reads Default Country per row, as a code or a name', async () => {
	const rows = ['DE', 'Germany', 'Narnia'].map((country, i) => ({
		country,
		phone: `030 123456${i}`,
	}));
	const { called, error } = await run(rows, {
		...calls,
		defaultCountry: '={{ $json.country }}',
		options: { invalidRows: 'sendValid' },
	});
	expect(error).toBeUndefined();
	expect(called).toEqual(['+49301234560', '+49301234561']);
});
