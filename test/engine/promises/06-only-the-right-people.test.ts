import type { IDataObject, IRunExecutionData } from 'n8n-workflow';
import { called, calls, outcomeOf } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { AGENT } from '../../support/samples';
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
	doNotCall: 'marked',
	doNotCallColumn,
	...more,
});

async function run(rows: IDataObject[], parameters: IDataObject, after?: IRunExecutionData) {
	forget();
	const received = serve(() => ({ status: 200, body: '' }));
	const result = await runNode({
		rows,
		parameters: parameters as typeof calls,
		...(after && { after }),
	});
	return { ...result, called: called(received) };
}

const json = (more: IDataObject = {}) =>
	marked('Do Not Call', {
		inputMode: 'json',
		conversationsJson: `={"agentId": "${AGENT}", "toPhoneNumber": "{{ $json.phone }}"}`,
		...more,
	});

it.each([
	['a dragged column', marked('Do Not Call')],
	['an expression of one column', marked("={{ $json['Do Not Call'] }}")],
	['an expression', marked("={{ $json['Do Not Call'] === 'yes' }}")],
	['a column of another node', marked("={{ $('Rows').item.json['Do Not Call'] ?? '' }}")],
	['a column, in JSON', json()],
])('calls those who are not marked in %s', async (_, parameters) => {
	// A source leaves out empty cells.
	const { called, error } = await run(sheet('yes', 'no', undefined), parameters);
	expect([error, called]).toEqual([undefined, phones.slice(1)]);
});

it.each<[string, IDataObject, string]>([
	['nothing', marked(' '), "'Do Not Call Column' is empty. Drag a column here"],
	['an expression that is left empty', marked('='), "'Do Not Call Column' is empty"],
	[
		'a column that no row has',
		marked('DNC'),
		"reads 'DNC', which no row has as a column. Columns found: 'phone', 'Do Not Call'",
	],
	['another column', marked('={{ $json.DNC }}'), "reads 'DNC'"],
	[
		'another number',
		{ ...marked('Do Not Call'), toPhoneNumber: '={{ $json.phon }}' },
		"reads 'phon', which",
	],
	[
		'another column with an apostrophe',
		marked('={{ $json["Don\'t Call"] }}'),
		"reads 'Don't Call'",
	],
	['nothing in every row', marked("={{ $('Rows').item.json.DNC }}"), 'gives nothing in 2 rows'],
	[
		'an unclear value',
		marked('Do Not Call'),
		"values that are neither yes nor no: 'later' (1 row)",
	],
	['an unclear value, in JSON', json(), "'later' (1 row)"],
	['no value in the JSON', json({ doNotCallColumn: ' ' }), 'is empty. Drag a column here'],
])('asks, and calls no one, where the answer is %s', async (_, parameters, question) => {
	const options = { invalidRows: 'sendValid' };
	const { called, error } = await run(sheet('no', 'later'), { ...parameters, options });
	expect(called).toEqual([]);
	expect(error?.message).toContain(question);
});

it('reads a German sheet once the user says which value means yes', async () => {
	const rows = ['ja', 'nein', 'nein'].map((cell, i) => ({
		phone: phones[i],
		'Nicht anrufen': cell,
	}));
	const asked = await run(rows, marked('Nicht anrufen', { dryRun: true }));
	expect(asked.hints.join()).toContain('nein&#39; (2 rows), &#39;ja&#39; (1 row)');
	const answered = marked('Nicht anrufen', { safeguards: { markedValues: 'ja' } });
	const dry = await run(rows, { ...answered, dryRun: true });
	expect(dry.main.map(outcomeOf)).toEqual(['notSent', 'wouldSend', 'wouldSend']);
	expect(dry.hints.join()).toContain('these values count as not marked: &#39;nein&#39; (2 rows)');
	const real = await run(rows, answered);
	expect([real.main.map(outcomeOf), real.called]).toEqual([
		['notSent', 'accepted', 'accepted'],
		phones.slice(1),
	]);
});

it('stops where the number of a marked row cannot be read, and names the row', async () => {
	const rows = [...sheet('no'), { phone: 'see notes', 'Do Not Call': 'yes' }];
	const { called, error } = await run(rows, marked('Do Not Call'));
	expect(called).toEqual([]);
	expect(error?.message).toContain(
		'row 2 is marked do not call and its number or Person ID cannot',
	);
});

it('reads Default Country per row, as a code or a name', async () => {
	const rows = ['DE', 'Germany', 'Narnia'].map((country, i) => ({
		country,
		phone: `030 123456${i}`,
	}));
	const { called, error } = await run(rows, {
		...{ ...calls, doNotCall: 'none', defaultCountry: '={{ $json.country }}' },
		options: { invalidRows: 'sendValid' },
	});
	expect(error).toBeUndefined();
	expect(called).toEqual(['+49301234560', '+49301234561']);
});
