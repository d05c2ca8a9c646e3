import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { examples, readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { control, desk, readSheet } from './desk.mts';

/** What a user gets who imports an example, chooses the credential, fills in the settings, and has no data yet. */
describe('the pinned samples of the example workflows', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	async function runSamples(
		file: string,
		{ settings = {}, triggerNode }: { settings?: Settings; triggerNode?: string } = {},
	): Promise<{ execution: Execution; samples: (node: string) => Json[] }> {
		const known = { folder: desk.files, agentId: desk.target.agentId, startSends: true };
		const workflow = withSettings(await readShipped({ file }), { ...known, ...settings });
		const credentials = { conversationDeskApi: desk.credential, httpHeaderAuth: await sliceKey() };
		const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
		const execution = await desk.n8n.rest.runWorkflow(id, triggerNode ? { triggerNode } : {});
		assert.equal(execution.status, 'success', errorOf(execution)?.message);
		return { execution, samples: (node) => samplesOf(workflow, node) };
	}

	// n8n asks for the credential of a pinned node, too.
	const sliceKey = async () =>
		await desk.n8n.rest.createCredential({
			name: 'Key of the Slices',
			type: 'httpHeaderAuth',
			data: { name: 'x-slice-key', value: 'only-for-this-machine' },
		});

	const samplesOf = (workflow: WorkflowJson, node: string): Json[] =>
		(workflow['pinData'] as Record<string, Array<{ json: Json }>>)[node]?.map(({ json }) => json) ??
		[];

	test('ticket-export.json writes a sheet of the samples, and asks for nothing', async () => {
		const { samples } = await runSamples('ticket-export.json');
		const sheet = await readSheet('tickets.csv');
		assert.deepEqual(
			sheet.map((row) => Number(row['ticketNumber'])),
			samples(examples.tickets.node).map((row) => row['ticketNumber']),
		);
		assert.equal(control.counts().total, 0);
	});

	test('ticket-export.json writes a title that begins a formula as a text', async () => {
		const workflow = withSettings(await readShipped({ file: 'ticket-export.json' }), {
			folder: desk.files,
		});
		const title = `=HYPERLINK("https://evil.test";"Open")`;
		const json = { ticketNumber: 1, title, priority: 'urgent', source: '+14155550178' };
		workflow['pinData'] = { [examples.tickets.node]: [{ json }] };
		const credentials = { conversationDeskApi: desk.credential };
		const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
		assert.equal((await desk.n8n.rest.runWorkflow(id)).status, 'success');
		const [row] = await readSheet('tickets.csv');
		assert.deepEqual([row?.['title'], row?.['source']], [`'${title}`, '+14155550178']);
	});

	test('customer-sync.json stores the sound samples, and says what is wrong with the others', async () => {
		await runSamples('customer-sync.json');
		assert.deepEqual(
			control.customers().map(({ customer }) => [customer.identifier, customer.phoneNumber]),
			[
				['200001', '+14155550178'],
				['200002', '+12125550139'],
				['200003', '+13125550108'],
			],
		);
		assert.equal(control.counts().total, 1);
		const accepted = await readSheet('customers-accepted.csv');
		assert.deepEqual(
			accepted.map((row) => row['Name']),
			['Ana Silva', 'Ben Okoro', 'Mara Kaya'],
		);
		const rejected = await readSheet('customers-rejected.csv');
		assert.deepEqual(
			rejected.map((row) => [row['Name'], row['Outcome']]),
			[
				['Kofi Novak', 'rejected'],
				['Quinn Gupta', 'rejected'],
			],
		);
		assert.match(String(rejected[0]?.['Reason']), /was rounded by the spreadsheet/);
		assert.match(String(rejected[1]?.['Reason']), /Email.*Priority/);
	});

	test('outbound-campaign.json begins with a dry run of the samples, and calls no one', async () => {
		await runSamples('outbound-campaign.json');
		const planned = await readSheet('calls-planned.xlsx');
		assert.deepEqual(planned[0], {
			'Record ID': 200001,
			'First Name': 'Ana',
			'Phone Number': '+14155550178',
			Outcome: 'wouldSend',
			Variables: '{"firstName":"Ana","city":"Lisbon","appointment":"2026-12-01 09:00"}',
			Reason: '',
		});
		assert.deepEqual(
			planned.map((row) => [row['Record ID'], row['Outcome'], row['Reason'] !== '']),
			[
				[200001, 'wouldSend', false],
				[200002, 'wouldSend', false],
				[200003, 'notSent', true],
				[200004, 'rejected', true],
				[200005, 'notSent', true],
			],
		);
		assert.equal(control.counts().total, 0);
	});

	test('outbound-campaign.json calls the same people when dryRun is false', async () => {
		const settings = { dryRun: false };
		const { execution } = await runSamples('outbound-campaign.json', { settings });
		assert.deepEqual(Object.entries(control.conversations().callsPerNumber), [
			['+14155550178', 1],
			['+12125550139', 1],
		]);
		assert.equal(itemsOf(execution, 'Started Calls').length, 2);
		assert.equal(itemsOf(execution, 'Planned Calls').length, 0);
	});

	test('fan-out-slice.json syncs its sample slice, and answers what became of the rows', async () => {
		const { execution } = await runSamples('fan-out-slice.json', { triggerNode: 'A Slice' });
		const [answer] = itemsOf(execution, 'What Became of the Rows');
		assert.deepEqual([answer?.['slice'], answer?.['rows'], answer?.['accepted']], [1, 4, 3]);
		assert.equal(control.customers().length, 3);
	});
});
