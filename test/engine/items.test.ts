import type { INodeParameters } from 'n8n-workflow';
import { calls, mapped, upsertBatch } from '../support/panel';
import type { Setup } from '../support/runNode';
import { runNode } from '../support/runNode';
import { listOf, phoneOf, uuidOf } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

afterEach(forget);

/** Three people: one may be called, one is marked, one has no number. Two of their columns have names that are taken. */
const rows = [
	{ Name: 'Ana', phone: phoneOf(1), mark: 'no', error: 'bounced', reason: 'mine' },
	{ Name: 'Ben', phone: phoneOf(2), mark: 'yes', error: '', reason: 'mine' },
	{ Name: 'Cem', phone: '12', mark: 'no', error: '', reason: 'mine' },
];

const parameters: INodeParameters = {
	...calls,
	whoMayBeCalled: 'notMarked',
	doNotCallColumn: 'mark',
	variablesMode: 'fields',
	dynamicVariables: {
		variables: [
			{ name: 'firstName', value: '={{ $json.Name }}' },
			{ name: 'city', value: 'Rome' },
		],
	},
};

/** A service that starts every conversation and knows one that was answered. */
function response({ method, body }: Received): Scripted {
	if (method === 'POST')
		return {
			status: 200,
			body: listOf(body, 'conversations').map((_, i) => ({ id: uuidOf(i + 1) })),
		};
	const ended = { conversationStatus: 'completed', userJoinTime: '2026-05-01T10:00:00.000Z' };
	return { status: 200, body: { id: uuidOf(1), summary: 'Confirmed', ...ended } };
}

/** Runs a node that sends the valid rows, and returns the columns that all items share. */
async function runRows(setup: Partial<Setup> & { readonly options?: INodeParameters }) {
	const { options, ...more } = setup;
	const received = serve(response);
	const chosen = {
		...parameters,
		...more.parameters,
		options: { invalidRows: 'sendValid', ...options },
	};
	const outcome = await runNode({ rows, ...more, parameters: chosen });
	expect(outcome.error).toBeUndefined();
	const items = outcome.main.map(({ json }) => json);
	const [first = {}] = items;
	const columns = Object.keys(first);
	for (const item of items) expect(Object.keys(item)).toEqual(columns);
	return { ...outcome, received, items, columns };
}

const ofRow = ['Name', 'phone', 'mark', 'inputError'];

it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
	'gives every row the same columns: what happened, the columns of the row, and ours (%s)',
	async (onError) => {
		const { items, columns } = await runRows({ settings: { onError } });
		const ours = ['toPhoneNumber', 'conversationId', 'code', 'row', 'request'];
		expect(columns).toEqual(['outcome', 'reason', ...ofRow, ...ours]);
		expect(items).toMatchObject([
			{ outcome: 'accepted', reason: 'Called', Name: 'Ana', inputError: 'bounced', code: null },
			{ outcome: 'notSent', reason: 'Marked do not call', Name: 'Ben', code: 'doNotCall' },
			{ outcome: 'rejected', Name: 'Cem', phone: '12', code: 'invalid', conversationId: null },
		]);
	},
);

it('puts a column with objects last, because it makes its row several lines high', async () => {
	const nested = { properties: { city: 'Rome' }, Name: 'Ana', phone: phoneOf(1), mark: 'no' };
	const { columns } = await runRows({ rows: [nested] });
	expect(columns.at(-1)).toBe('properties');
});

it('sends a row that is left out or invalid to the error output only, with its code', async () => {
	const { items, errors } = await runRows({ settings: { onError: 'continueErrorOutput' } });
	expect(items).toMatchObject([{ outcome: 'accepted', Name: 'Ana' }]);
	expect(errors.map(({ json }) => json)).toMatchObject([
		{ Name: 'Ben', mark: 'yes', details: { outcome: 'notSent', code: 'doNotCall', row: 2 } },
		{ Name: 'Cem', phone: '12', details: { outcome: 'rejected', code: 'invalid', row: 3 } },
	]);
});

it('shows the person, and the variables as one text, in a dry run', async () => {
	const { received, items, columns } = await runRows({ parameters: { dryRun: true } });
	expect(received).toEqual([]);
	const ours = ['toPhoneNumber', 'variables', 'code', 'row', 'request', 'dryRun', 'planId'];
	expect(columns).toEqual(['outcome', 'reason', ...ofRow, ...ours]);
	expect(items[0]).toMatchObject({
		outcome: 'wouldSend',
		variables: 'firstName: Ana · city: Rome',
	});
});

/** The lines of a hint in n8n: 69 characters per line in a window of 1,440 pixels. */
const wrap = (text: string): string[] => text.match(/.{1,69}(\s|$)/g) ?? [];

it('needs at most nine lines for the hint of a dry run with every kind of row', async () => {
	const people = Array.from({ length: 70 }, (_, i) => {
		const kinds = [
			{ Name: 'Ana', phone: phoneOf(i), mark: 'no' },
			{ Name: 'Ben', phone: phoneOf(i), mark: 'yes' },
			{ Name: '', phone: '12', mark: 'yes' },
			{ Name: '', phone: '', mark: 'no' },
			{ Name: 'Dan', phone: `1.${i}E+10`, mark: 'no' },
			{ Name: 'Eva', phone: `415 555 01${i}`, mark: 'no' },
		];
		return { ...kinds[i % kinds.length], City: '', 'Lead Status': '' };
	});
	const { hints } = await runNode({
		rows: people,
		parameters: {
			...parameters,
			dryRun: true,
			dynamicVariables: {
				variables: ['Name', 'City', 'Lead Status'].map((name) => ({
					name,
					value: `={{ $json['${name}'] }}`,
				})),
			},
			options: { invalidRows: 'sendValid' },
		},
	});
	const lines = hints.join('<br>').split('<br>').flatMap(wrap);
	expect(lines.length).toBeLessThanOrEqual(9);
});

it.each([
	['with the option off', {}, { includeOtherFields: false }, false],
	['as a tool', { type: 'deskTool' }, {}, false],
	['as a tool with the option on', { type: 'deskTool' }, { includeOtherFields: true }, true],
])('returns the columns of the row %s: %s', async (_, settings, options, isCarried) => {
	const { columns } = await runRows({ settings, options, parameters: { dryRun: false } });
	expect(columns.includes('Name')).toBe(isCarried);
});

it('gives customers the same order', async () => {
	serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const customer = mapped({ identifier: '={{ $json.Name }}', phoneNumber: '={{ $json.phone }}' });
	const { main } = await runNode({ rows, parameters: { ...upsertBatch, customer } });
	const ours = ['identifier', 'jobId', 'code', 'row', 'request'];
	for (const { json } of main)
		expect(Object.keys(json)).toEqual(['outcome', 'reason', ...ofRow, ...ours]);
	expect(main.map(({ json }) => [json['outcome'], json['code'], json['Name']])).toEqual([
		['accepted', null, 'Ana'],
		['accepted', null, 'Ben'],
		['rejected', 'invalid', 'Cem'],
	]);
});

it('says how each call went by column names alone: Create, Get, and the sheet', async () => {
	const { items } = await runRows({});
	const { main, hints } = await runNode({
		rows: items,
		parameters: {
			resource: 'conversation',
			operation: 'get',
			conversationId: '={{ $json.conversationId }}',
		},
	});
	const results = main.map(({ json }) => json);
	const first = ['reached', 'conversationStatus', ...ofRow, 'summary', 'callAgain'];
	for (const item of results) expect(Object.keys(item).slice(0, 8)).toEqual(first);
	expect(results).toMatchObject([
		{ reached: true, summary: 'Confirmed', Name: 'Ana', outcome: 'accepted' },
		{ reached: null, summary: null, Name: 'Ben', code: 'doNotCall' },
		{ reached: null, summary: null, Name: 'Cem', code: 'invalid' },
	]);
	expect(hints).toEqual(['Passed on: 2 rows without a conversation']);
});

it('shows no value of an earlier run in a column of its own', async () => {
	const earlier = { conversationId: uuidOf(9), code: 'outsideHours', callableAt: 'then' };
	const old = { ...earlier, request: 7, dryRun: true };
	const cleared = { code: null, callableAt: null, dryRun: null };
	const called = await runRows({ rows: [{ Name: 'Ana', phone: phoneOf(1), mark: 'no', ...old }] });
	expect(called.items).toMatchObject([{ ...cleared, conversationId: uuidOf(1), request: 1 }]);
	const invalid = await runRows({ rows: [{ Name: 'Cem', phone: '12', mark: 'no', ...old }] });
	const nothing = { conversationId: null, request: null, dryRun: null };
	expect(invalid.items).toMatchObject([{ outcome: 'rejected', code: 'invalid', ...nothing }]);
});

it('passes on a row that has a column error', async () => {
	const row = { outcome: 'notSent', reason: 'Marked do not call', conversationId: '' };
	for (const includeOtherFields of [true, false]) {
		const { main } = await runNode({
			rows: [{ ...row, error: 'bounced' }],
			parameters: {
				resource: 'conversation',
				operation: 'get',
				conversationId: '={{ $json.conversationId }}',
				options: { includeOtherFields },
			},
		});
		expect(main.map(({ json }) => json)).toEqual([{ ...row, inputError: 'bounced' }]);
	}
});
