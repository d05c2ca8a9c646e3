import { test } from 'node:test';
import { openWorkflow } from '../e2e/browser.mts';
import { calling, desk, n8nNode, nodeName } from '../e2e/desk.mts';
import { Panel } from '../e2e/panel.mts';
import { noBrowser, openWindow } from '../e2e/window.mts';
import { workflowOf } from '../support/workflowNodes.mts';

const sheet = { ...n8nNode('set', 3.4, { mode: 'raw', jsonOutput: '{}', options: {} }) };
const people = [
	{ Phone: '+14155550178', 'Do Not Call': 'no' },
	{ Phone: '+14155550179', 'Do Not Call': 'yes' },
];

test(
	'A column is dragged into a question, and its values decide who is called',
	{ skip: noBrowser },
	async () => {
		const page = await openWindow(1440, 1000);
		const questions = {
			dryRun: true,
			toPhoneNumber: '',
			whoMayBeCalled: 'notMarked',
			doNotCallColumn: '',
		};
		const id = await desk.n8n.rest.importWorkflow(
			{
				...workflowOf('Dragging', [sheet, calling(questions)]),
				pinData: { [sheet.name]: people.map((json) => ({ json })) },
			},
			{ conversationDeskApi: desk.credential },
		);
		await openWorkflow(page, desk.n8n, id);
		const panel = new Panel(page);
		await panel.open(nodeName);
		await panel.drag('Phone', 'toPhoneNumber');
		await panel.drag('Do Not Call', 'doNotCallColumn');
		await panel.execute(/1 person would be called/);
		await panel.reads('wouldSend', /Marked do not call/);
		await page.close();
	},
);
