import { good } from '../support/credential';
import { calls, createBatch, mapped } from '../support/panel';
import { runNode } from '../support/runNode';
import { PHONE } from '../support/samples';
import { forget, serve } from '../support/service';

const batch = {
	...createBatch,
	customer: mapped({ identifier: '={{ $json.id }}', phoneNumber: '={{ $json.phone }}' }),
};
const taken = () => ({ status: 200, body: { jobId: 'job-1' } });

afterEach(forget);

it('groups rows by their reason, whatever their values', async () => {
	const received = serve(taken);
	const rows = Array.from({ length: 20 }, (_, i) => ({
		phone: i % 2 === 0 ? PHONE.replace(/\d$/, String(i % 10)) : `212-555-01${10 + i}`,
	}));
	const { error } = await runNode({ rows, parameters: calls });
	expect(received).toHaveLength(0);
	expect(error?.message).toBe(
		"0 people were called. 10 rows: 'To Phone Number' has no country code (rows 2, 4, 6 and 7 more). Add it, or set Default Country",
	);
});

it('says once what does not come from the rows', async () => {
	const rows = [{ phone: PHONE }, { phone: '+14155550179' }];
	const { error } = await runNode({ rows, parameters: { ...calls, agentId: 'abc' } });
	expect(error?.message).toMatch(/^0 people were called\. 'Agent ID' "abc" is not a UUID/);
	const ofRows = await runNode({ rows, parameters: { ...calls, agentId: '={{ "abc" }}' } });
	expect(ofRows.error?.message).toMatch(
		/^0 people were called\. Both rows: 'Agent ID' "abc" is not a UUID/,
	);
});

it.each([
	['stops', {}],
	['continues', { onError: 'continueRegularOutput' as const }],
])('names the columns where one is empty in every row, on a node that %s', async (_, settings) => {
	const rows = [
		{ Mobile: PHONE, Name: 'Ana' },
		{ Mobile: '+14155550179', Name: 'Ben' },
	];
	const { error, main } = await runNode({ rows, parameters: calls, settings });
	const said = error?.message ?? String(main[0]?.json['error']);
	expect(said).toContain(
		"'To Phone Number' is empty in every row. Check the column name in its expression. Columns found: Mobile, Name",
	);
});

it('does not blame the column where some rows have it', async () => {
	serve(taken);
	const { error } = await runNode({ rows: [{ phone: PHONE }, { phone: '' }], parameters: calls });
	expect(error?.message).toMatch(
		/^0 people were called\. Row 2: 'To Phone Number' is empty\. Enter a number/,
	);
});

it('warns of a total loss, the commonest reason first', async () => {
	serve(() => ({ status: 401, body: {} }));
	const rows = [{ id: '1' }, { id: '2' }, { id: '3', phone: 'x' }];
	const { main, run } = await runNode({
		rows,
		parameters: batch,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(main).toHaveLength(3);
	const hints = Object.values(run.data.resultData.runData).flatMap((tasks) =>
		tasks.flatMap((task) => task.hints ?? []),
	);
	expect(hints).toMatchObject([
		{
			type: 'warning',
			message: expect.stringMatching(
				/<br>2 rows: The service did not accept the credential .*<br>Row 3: &#39;Customer/,
			),
		},
	]);
});

it.each([['accessToken'], ['workspaceSlug']])(
	'stops without %s before anything is sent, in a dry run too',
	async (field) => {
		const received = serve(taken);
		for (const dryRun of [false, true]) {
			const { error } = await runNode({
				rows: [{ id: '1' }],
				parameters: { ...batch, dryRun },
				credential: { ...good, [field]: ' ' },
			});
			expect(error?.message).toMatch(/^'Credential > (Access Token|Workspace Slug)' is empty/);
		}
		expect(received).toHaveLength(0);
	},
);

it("tells a rejection in the row's own number and the labels of the panel", async () => {
	serve(({ body }) => {
		const at = JSON.stringify(body).includes('"8"') ? 1 : 0;
		const issues = [
			{ path: ['customers', at, 'identifier'], message: 'A customer with this ID already exists.' },
		];
		return { status: 400, body: { code: 'BAD_REQUEST', message: 'Invalid input data', issues } };
	});
	const rows = [
		{ id: '7', phone: '' },
		{ id: '8', phone: '' },
	];
	const { error } = await runNode({ rows, parameters: batch });
	expect(error?.message).toBe(
		'0 customers were sent. Row 2: Customer > Identifier: A customer with this ID already exists. Correct it, or use Create or Update Batch for customers that exist. (400 BAD_REQUEST)',
	);
});

it('says in the hint of a dry run what could be called, why nothing would be sent, and the commonest reason', async () => {
	const rows = [{ phone: PHONE }, { phone: '212-555-0196' }, { phone: '212-555-0197' }];
	const { main, hints } = await runNode({ rows, parameters: { ...calls, dryRun: true } });
	expect(hints.flatMap((hint) => hint.split('<br>'))).toEqual([
		expect.stringMatching(/^Dry run: nothing would be sent, because 2 rows are invalid/),
		'2 rejected before sending',
		expect.stringMatching(/^No variables: /),
		'2 rows: &#39;To Phone Number&#39; has no country code (rows 2 and 3). Add it, or set Default Country',
	]);
	expect(main.map(({ json }) => Object.keys(json).slice(0, 3))).toEqual(
		rows.map(() => ['row', 'outcome', 'reason']),
	);
	const [first] = main;
	for (const { json } of main) expect(Object.keys(json)).toEqual(Object.keys(first?.json ?? {}));
	expect(main.map(({ json }) => [json['outcome'], json['request'], json['dryRun']])).toEqual([
		['notSent', undefined, true],
		['rejected', undefined, true],
		['rejected', undefined, true],
	]);
});

it('names the columns in the hint of a dry run that finds a number in no row, some of them marked do not call', async () => {
	const rows = [{ stop: 'yes' }, { stop: '' }, { stop: '' }];
	const parameters = { ...calls, dryRun: true, doNotCall: 'marked', doNotCallColumn: 'stop' };
	const { hints } = await runNode({ rows, parameters });
	expect(hints[0]).toContain('<br>2 rejected before sending · 1 marked Do Not Call<br>');
	expect(hints[0]).toContain(
		'<br>2 rows: &#39;To Phone Number&#39; is empty in every row (rows 2 and 3). Check the column name in its expression. Columns found: stop',
	);
});

it.each([
	['', 'Enter Workspace Slug in the credential'],
	['desk', 'Check what you entered, and Workspace Slug in the credential'],
])('says what to do about a search that is rejected with the slug "%s"', async (slug, advice) => {
	serve(() => ({ status: 400, body: { code: 'BAD_REQUEST', message: 'Invalid input data' } }));
	const { error } = await runNode({
		rows: [{}],
		parameters: { resource: 'ticket', operation: 'search' },
		credential: { ...good, workspaceSlug: slug },
	});
	expect(error?.description).toContain(advice);
});

it('calls no one rejected who may have been called, nor who was never sent, on a node that continues', async () => {
	const answers = [{ status: 200 }, { broken: 'ECONNRESET' }, { status: 401 }];
	serve((_, number) => answers[number - 1] ?? { status: 200 });
	const rows = [1, 2, 3, 4, 'x'].map((n) => ({ phone: `+1415555010${n}` }));
	const { hints } = await runNode({
		rows,
		parameters: {
			...calls,
			options: { invalidRows: 'sendValid', batching: { batch: { batchSize: 1 } } },
		},
		settings: { onError: 'continueErrorOutput' },
	});
	expect(hints.join()).toMatch(
		/1 unknown \(may have arrived\), 1 not sent<br>.*<br>Row 2: The connection broke before a response came .*<br>Row 3: The service did not accept the credential .*<br>Row 4: Not sent, because/,
	);
});
