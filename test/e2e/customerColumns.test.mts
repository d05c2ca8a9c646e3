import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openWorkflow } from './browser.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { control, desk, n8nNode, nodeName, ownNode } from './desk.mts';
import { Panel } from './panel.mts';
import { workflowOf } from '../support/workflowNodes.mts';
import { openWindow, skip } from './window.mts';

/** A sheet with two columns that could be the phone number. */
const people = [
	{
		'Record ID': 'C-1',
		'First Name': 'Ana',
		'Last Name': 'Silva',
		Phone: '+14155550101',
		Mobile: '+14155550178',
		'Do Not Call': 'no',
	},
	{
		'Record ID': 'C-2',
		'First Name': 'Ben',
		'Last Name': 'Okoro',
		Phone: '+12125550139',
		Mobile: '+12125550140',
		'Do Not Call': 'yes',
	},
];

const sheet = {
	...n8nNode('set', 3.4, { mode: 'raw', jsonOutput: '{}', options: {} }),
	name: 'Sheet',
	position: [240, 0] as [number, number],
};

const sending: WorkflowJson = {
	...workflowOf('Customers', [
		sheet,
		ownNode({ resource: 'customer', operation: 'upsertBatch', dryRun: true }),
	]),
	pinData: { Sheet: people.map((json) => ({ json })) },
};

describe('customers in the editor', { skip }, () => {
	let panel: Panel;
	before(async () => {
		control.reset({ keepTickets: true });
		panel = new Panel(await openWindow(1440, 900));
	});
	after(() => panel.page.close());

	async function show(workflow: WorkflowJson): Promise<void> {
		const credentials = { conversationDeskApi: desk.credential };
		const id = await desk.n8n.rest.importWorkflow(workflow, credentials);
		await openWorkflow(panel.page, desk.n8n, id);
	}

	test('a sheet with Phone and Mobile is a question, which Columns to Use answers', async () => {
		await show(sending);
		await panel.open(nodeName);
		await panel.choose(panel.part('mapping-mode-select'), 'Map Automatically');
		await panel.page.getByText('These names are found').waitFor();
		await panel.fill('doNotDisturbColumn', 'Do Not Call');
		await panel.execute(/Both 'Phone' and 'Mobile' could be Phone Number/);
		await panel.picture('customer-question');
		assert.equal(control.counts().total, 0);

		await panel.addOption('Columns to Use');
		const answers = panel.part('fixed-collection-columnsToUse');
		await panel.part('fixed-collection-add', answers).click();
		// n8n gives all parameters inside of a collection the name that this one has.
		await panel.choose(answers.locator('.el-select').first(), 'Phone Number');
		await panel.fill('column', 'Mobile');
		await panel.execute(/Dry run: 2 customers would be sent/);
		await panel.reads('C-1', 'Ana Silva', '+14155550178', '+12125550140');
		await panel.picture('customer-dry-run');
		assert.equal(control.counts().total, 0);

		await panel.toggle('dryRun');
		await panel.execute(/accepted/);
		await panel.close();
		const sent = control.customers().map(({ customer }) => customer);
		const numbers = sent.map(({ phoneNumber }) => phoneNumber);
		assert.deepEqual(numbers, ['+14155550178', '+12125550140']);
		const marks = sent.map(({ isDoNotDisturbEnabled }) => isDoNotDisturbEnabled);
		assert.deepEqual(marks, [false, true]);
	});
});
