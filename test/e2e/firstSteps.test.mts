import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openWorkflow } from '../../tools/host/browser.mts';
import { workflowOf } from '../support/workflowNodes.mts';
import { control, desk, n8nNode } from './desk.mts';
import { Panel } from './panel.mts';
import { openWindow, skip } from './window.mts';

/** The nodes of n8n that read a sheet of the demo. */
const sheet = (file: string, operation: string) => [
	n8nNode('readWriteFile', 1.1, { fileSelector: `${desk.files}/${file}`, options: {} }),
	n8nNode('extractFromFile', 1.1, {
		operation,
		// n8n writes a byte order mark into a CSV and does not expect one by itself.
		options: operation === 'csv' ? { enableBOM: true } : {},
	}),
];

describe('the first steps of somebody who reads the documents', { skip }, () => {
	let panel: Panel;
	before(async () => {
		panel = new Panel(await openWindow(1440, 1000));
	});
	after(() => panel.page.close());

	async function show(name: string, file: string, operation: string): Promise<void> {
		control.reset({ keepTickets: true });
		const workflow = workflowOf(name, sheet(file, operation));
		await openWorkflow(panel.page, desk.n8n, await desk.n8n.rest.importWorkflow(workflow, {}));
	}

	/** The calls that each number got. */
	const calls = () => Object.values(control.conversations().callsPerNumber);
	const onceEach = (count: number) =>
		assert.deepEqual([calls().length, calls().every((each) => each === 1)], [count, true]);
	let called = 0;

	test('1: adds Conversation: Create after the sheet', async () => {
		await show('First Campaign', 'campaign.xlsx', 'xlsx');
		await panel.addNode('Create conversations');
	});

	test('2: says who calls, which number, from which country, and what the agent knows', async () => {
		await panel.chooseById('agentId', desk.target.agentId);
		await panel.enter('toPhoneNumber', "{{ $json['Phone Number'] }}");
		await panel.fill('doNotCallColumn', 'Do Not Call');
		await panel.choose(panel.field('variablesMode'), 'Columns of the Row');
	});

	test('3: sees in a dry run what is missing, and repairs it', async () => {
		await panel.execute(/^Dry run: nothing would be sent, because \d+ rows are invalid/);
		await panel.reads(/To Phone Number.*has no country code/);
		const columns = await panel.columns();
		assert.deepEqual(columns.slice(0, 4), ['row', 'outcome', 'reason', 'toPhoneNumber']);
		await panel.picture('first-campaign-dry-run');
		await panel.page.emulateMedia({ colorScheme: 'dark' });
		await panel.picture('first-campaign-dry-run-dark');
		await panel.page.emulateMedia({ colorScheme: 'light' });
		await panel.choose(panel.field('defaultCountry'), 'United States (+1)');
		await panel.addTo('Add option', 'If Rows Are Invalid');
		await panel.choose(panel.field('invalidRows'), 'Send the Valid Rows');
		await panel.execute(/^Dry run: \d+ people would be called.*Turn off Dry Run to call them/);
		await panel.reads(/\d+ marked Do Not Call/);
		await panel.picture('first-campaign-ready');
		assert.equal(control.counts().total, 0);
	});

	test('4: calls everyone once, and sees results though rows are invalid', async () => {
		await panel.toggle('dryRun');
		await panel.execute(/^\d+ rows, \d+ requests?: \d+ accepted/);
		await panel.reads('accepted');
		called = calls().length;
		assert.ok(called > 10, `${called} people were called`);
		onceEach(called);
		await panel.picture('first-campaign-called');
	});

	test('5: reads how the calls went, and passes on the rows without one', async () => {
		await panel.close();
		await panel.addNode('Get conversations');
		await panel.enter('conversationId', '{{ $json.conversationId }}');
		await panel.execute(/without a conversation kept as they were/);
		await panel.reads('conversationStatus');
		assert.equal(control.counts().requests.getConversation > 10, true);
		await panel.picture('first-campaign-results');
		await panel.close();
	});

	test('6: calls no one again when Execute is pressed a second and a third time', async () => {
		await panel.open('Create conversations');
		for (const _ of [2, 3]) {
			await panel.execute(new RegExp(`0 requests: .*${called} called in the last 12 hours`));
			onceEach(called);
		}
		await panel.close();
	});

	test('follows the page on syncing: maps automatically, previews, sends', async () => {
		await show('First Sync', 'crm-contacts-export.csv', 'csv');
		await panel.addNode('Create or update batch of customers');
		await panel.choose(panel.part('mapping-mode-select'), 'Map Automatically');
		await panel.fill('doNotDisturbColumn', 'Do Not Call');
		await panel.execute(/^Dry run: nothing would be sent, because .* have the same Identifier/);
		await panel.addTo('Add option', 'Columns to Use');
		const answers = panel.part('fixed-collection-columnsToUse');
		await panel.part('fixed-collection-add', answers).click();
		await panel.fill('column', 'Record ID');
		await panel.execute(/^Dry run: \d+ customers would be sent in \d+ requests?/);
		await panel.reads(/Mapped: .*First Name \+ Last Name to Name/);
		const columns = await panel.columns();
		assert.deepEqual(columns.slice(0, 3), ['row', 'outcome', 'reason']);
		assert.equal(control.counts().total, 0);
		await panel.picture('first-sync-dry-run');
		await panel.toggle('dryRun');
		await panel.addTo('Add option', 'Skip Unchanged Customers');
		await panel.execute(/^\d+ rows, \d+ requests?: \d+ accepted/);
		const { length } = control.customers();
		assert.ok(length > 300, `${length} customers were stored`);
		await panel.close();
	});
});
