import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openWorkflow } from './browser.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { workflowOf } from '../support/workflowNodes.mts';
import { control, desk } from './desk.mts';
import { Panel } from './panel.mts';
import { stepsWorkflow, triggerWorkflow } from './walkWorkflow.mts';
import { openWindow, skip } from './window.mts';

describe('a walk through the panel', { skip }, () => {
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

	const sent = () => control.counts().total;

	test('finds the node by what a person wants to do', async () => {
		await show(workflowOf('Walk', []));
		await panel.part('canvas-handle-plus').click();
		const nodeItem = panel.part('node-creator-item-name').getByText('Conversation Desk');
		for (const wish of [
			'call campaign',
			'call customers',
			'crm sync',
			'export tickets',
			'new ticket',
			'ticket',
		]) {
			const bar = panel.part('node-creator-search-bar');
			await bar.fill('');
			await nodeItem.waitFor({ state: 'detached' });
			await bar.fill(wish);
			await nodeItem.waitFor();
		}
		await nodeItem.click();
		await panel.page.getByText('Search tickets', { exact: true }).click();
		await panel.part('ndv').getByText('Filter By').waitFor();
	});

	test('makes a credential, reads what is wrong with it, and repairs it', async () => {
		await panel.part('node-credentials-select').click();
		await panel.part('node-credentials-select-item-new').click();
		const mistyped = { ...desk.target.access, apiKey: 'mistyped' };
		for (const [name, value] of Object.entries(mistyped)) await panel.fill(name, value);
		const save = panel.part('credential-save-button');
		await save.click();
		await panel.page.getByText('More details').click();
		await panel.page.getByText(/did not accept the credential.*'API Key'/).waitFor();
		await panel.fill('apiKey', desk.target.access['apiKey'] ?? '');
		await save.click();
		// n8n closes the window when the test has passed.
		await save.waitFor({ state: 'hidden' });
		const chosen = panel.part('node-credentials-select').locator('input');
		assert.equal(await chosen.inputValue(), 'Conversation Desk account');
	});

	test('builds a filter of five kinds of columns and sees the tickets', async () => {
		await panel.addCondition(0, 'Priority', 'Is Any Of');
		await panel.choose(panel.field('priorityValues'), 'Urgent', 'High');
		await panel.addCondition(1, 'Created At', 'Is in the Last ... Days');
		await panel.fill('numberValue', '900');
		await panel.addCondition(2, 'Ticket Number', 'Is Greater Than');
		await panel.fill('numberValue', '100', 1);
		await panel.addCondition(3, 'Title', 'Contains');
		await panel.fill('value', 'e');
		await panel.addCondition(4, 'Is Shared', 'Is');
		await panel.execute(/^\d+ items?$/);
		await panel.reads('ticketNumber', 'priority', 'createdAt');
		const { filters } = control.received().at(-1)?.body as { filters: Record<string, unknown> };
		const { createdAt, ...otherFilters } = filters;
		assert.ok(createdAt);
		assert.deepEqual(otherFilters, {
			priority: { in: ['urgent', 'high'] },
			ticketNumber: { gt: 100 },
			title: { iLike: '%e%' },
			isShared: { eq: true },
		});
		await panel.output.getByText('Table', { exact: true }).click();
		await panel.field('column').scrollIntoViewIfNeeded();
		await panel.picture('ticket-search');
		await panel.page.emulateMedia({ colorScheme: 'dark' });
		await panel.picture('ticket-search-dark');
		await panel.page.emulateMedia({ colorScheme: 'light' });
	});

	test('opens a workflow with frequent mistakes', async () => {
		const data = { ...desk.target.access, apiKey: 'mistyped' };
		const type = 'conversationDeskApi';
		const credential = await desk.n8n.rest.createCredential({ name: 'Mistyped', type, data });
		const workflow = stepsWorkflow(credential);
		const id = await desk.n8n.rest.importWorkflow({
			...workflow,
			nodes: workflow.nodes.map((node) =>
				node.credentials && node.name !== 'Wrong Key'
					? { ...node, credentials: { conversationDeskApi: desk.credential } }
					: node,
			),
		});
		await openWorkflow(panel.page, desk.n8n, id);
		control.reset({ keepTickets: true });
	});

	test('reads from n8n itself that the agent ID is missing', async () => {
		await panel.open('Empty Agent ID');
		await panel.part('node-execute-button').click();
		await panel.page.getByText('Parameter "Agent ID" is required').first().waitFor();
		await panel.close();
		assert.equal(sent(), 0);
	});

	const mistakes: Array<[node: string, shown: RegExp, requests: number]> = [
		['Rounded Number', /"1\.4155E\+10" was rounded by the spreadsheet.*Format the column/, 0],
		[
			'Column That No Row Has',
			/no row has the column 'nope'.*Include Empty Cells.*Columns found: /,
			0,
		],
		['Wrong Key', /did not accept the credential/, 2],
	];
	for (const [node, shown, requests] of mistakes) {
		test(`reads in the panel what to do: ${node}`, async () => {
			control.reset({ keepTickets: true });
			await panel.open(node);
			await panel.execute(shown);
			if (node === 'Rounded Number') await panel.picture('error');
			await panel.close();
			assert.ok(sent() <= requests, `${sent()} requests were sent`);
			assert.equal(control.conversations().conversations.length, 0);
		});
	}

	test('dry-runs a campaign and calls no one', async () => {
		control.reset({ keepTickets: true });
		await panel.open('Call People');
		await panel.execute(/Dry run: 2 people would be called/);
		await panel.reads('Ana', /1 marked do not call/);
		await panel.close();
		assert.equal(sent(), 0);
	});

	test('chooses an agent from recent tickets', async () => {
		control.reset({ keepTickets: true });
		await panel.open('Choose an Agent');
		await panel.chooseFromService('agentId');
		await panel.execute(/Dry run: 3 people would be called/);
		await panel.close();
	});

	test('sees the fields of a ticket before anything has run', async () => {
		await show(triggerWorkflow);
		await panel.open('After');
		const input = panel.part('ndv-input-panel');
		for (const field of ['ticketNumber', 'assigneeUserId', 'createdAt']) {
			await input.getByText(field, { exact: true }).first().waitFor();
		}
		await panel.close();
	});

	test('fetches a test event of the trigger and sees the newest ticket', async () => {
		await panel.open('New Ticket');
		await panel.execute(/^1 item$/);
		await panel.picture('trigger');
		await panel.close();
	});
});
