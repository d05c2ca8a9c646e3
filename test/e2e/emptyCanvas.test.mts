import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { control, desk, readSheet } from './desk.mts';
import { Panel } from './panel.mts';
import { openWindow, skip } from './window.mts';

describe('the first campaign of the README, from an empty canvas', { skip }, () => {
	let panel: Panel;
	before(async () => {
		panel = new Panel(await openWindow(1440, 1000));
		control.reset({ keepTickets: true });
	});
	after(() => panel.page.close());

	/** The clicks and drags since the canvas was empty. */
	const countPresses = async () => await panel.page.evaluate<number>('window.presses');

	test('1 to 3: reads the sheet with nodes of n8n', async () => {
		await panel.page.goto(`${desk.n8n.url}/workflow/new`);
		const count = `window.presses = 0; addEventListener('pointerdown', () => presses++, true)`;
		await panel.page.evaluate(count);
		await panel.addFirstStep('Trigger manually');
		await panel.addNode('Read File(s) From Disk', 'Read/Write Files from Disk');
		await panel.fill('fileSelector', `${desk.files}/campaign.xlsx`);
		await panel.close();
		await panel.addNode('Extract from XLSX', 'Extract from File');
		await panel.addOption('Include Empty Cells');
		await panel.toggle('includeEmptyCells');
		await panel.execute(/^110 items$/);
		await panel.close();
	});

	test('4 and 5: drags the columns into the questions', async () => {
		await panel.addNode('Create conversations');
		await panel.chooseById('agentId', desk.target.agentId);
		await panel.choose(panel.field('defaultCountry'), 'United States (+1)');
		await panel.drag('Phone Number', 'toPhoneNumber');
		await panel.drag('Do Not Call', 'doNotCallColumn');
		await panel.choose(panel.field('variablesMode'), 'Columns of the Row');
	});

	test('6 to 8: previews, sends the valid rows, and calls everyone once', async () => {
		await panel.addTo('Add option', 'If Rows Are Invalid');
		await panel.choose(panel.field('invalidRows'), 'Send the Valid Rows');
		await panel.execute(/^Dry run: \d+ people would be called/);
		assert.equal(control.counts().total, 0);
		await panel.picture('campaign-dry-run');
		await panel.toggle('dryRun');
		await panel.execute(/^\d+ rows, \d+ requests?: \d+ called/);
		const { conversations, callsPerNumber } = control.conversations();
		assert.ok(conversations.length > 50);
		assert.ok(Object.values(callsPerNumber).every((times) => times === 1));
		assert.ok(conversations.every(({ dynamicVariables }) => 'First Name' in dynamicVariables));
		await panel.picture('campaign-calls');
		await panel.close();
	});

	test('9: drags the IDs, and reads how the calls went', async () => {
		await panel.addNode('Get conversations');
		await panel.drag('conversationId', 'conversationId');
		await panel.execute(/without a conversation/);
		await panel.reads('conversationStatus');
		await panel.picture('campaign-results');
		await panel.close();
	});

	test('10 and 11: writes the columns of the sheet and the results into a file, with at most 32 clicks', async () => {
		await panel.addNode('Convert to XLSX', 'Convert to File');
		await panel.close();
		await panel.addNode('Write File to Disk', 'Read/Write Files from Disk');
		await panel.fill('fileName', `${desk.files}/results.xlsx`);
		await panel.execute(/^1 item$/);
		assert.ok((await countPresses()) <= 32, `${await countPresses()} clicks and drags`);
		await panel.close();
		const sheet = await readSheet('results.xlsx');
		const called = sheet.filter(({ outcome }) => outcome === 'accepted');
		assert.equal(called.length, control.conversations().conversations.length);
		for (const row of called)
			assert.ok(row['First Name'] && row['conversationStatus'] && row['reached'] !== undefined);
		assert.equal(sheet.length, 110);
	});

	test('calls no one when the step is executed again', async () => {
		const { length } = control.conversations().conversations;
		// Tidies up, because n8n lays nodes that keys add upon each other.
		await panel.page.keyboard.press('Shift+Alt+T');
		await panel.open('Create conversations');
		await panel.execute(new RegExp(`0 requests: .*${length} called before`));
		assert.equal(control.conversations().conversations.length, length);
		await panel.close();
	});
});
