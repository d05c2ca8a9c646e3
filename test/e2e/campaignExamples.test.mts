import assert from 'node:assert/strict';
import { once } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { itemsOf } from '../../tools/host/execution.mts';
import { control, desk, openForm, services } from './desk.mts';
import { always, importShipped, rowsOfTable, succeeded } from './exampleRuns.mts';
import { SHEET, readSampleSheet } from './services.mts';

const SAMPLES = ['+12125550139', '+14155550178'];

const pause = async (ms: number) => void (await once(AbortSignal.timeout(ms), 'abort'));

const called = () => control.conversations().callsPerNumber;

describe('ask-before-calling.json', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	/** Starts it, and returns its message with the link to the question. */
	async function start(id: string): Promise<{ execution: string; message: string; link: string }> {
		const execution = await desk.n8n.rest.startWorkflow(id);
		for (let status = ''; status !== 'waiting'; await pause(100)) {
			({ status } = await desk.n8n.rest.execution(execution));
			assert.ok(['new', 'running', 'waiting'].includes(status), `it is ${status}`);
		}
		const [sent] = itemsOf(await desk.n8n.rest.execution(execution), 'Message to Send');
		return { execution, message: String(sent?.['message']), link: String(sent?.['link']) };
	}

	async function answer(link: string, value: string): Promise<void> {
		assert.match(await (await fetch(link)).text(), /Make these calls\?/);
		const form = new FormData();
		form.set('field-0', value);
		const response = await fetch(link, { method: 'POST', body: form });
		assert.ok(response.ok, await response.text());
	}

	test('says who would be called, and calls them when the answer is yes', async () => {
		const id = await importShipped('ask-before-calling.json');
		const { execution, message, link } = await start(id);
		assert.match(
			message,
			/^Call 2 of 5 people\? For example: Ana \+14155550178, .*Not called: \w+ \(/,
		);
		assert.deepEqual(called(), {});
		await answer(link, 'Yes, call them');
		const ended = succeeded(await desk.n8n.rest.waitForExecution(execution));
		assert.deepEqual(Object.keys(called()).sort(), SAMPLES);
		assert.equal(itemsOf(ended, 'Calls Started').length, 2);
		assert.equal(itemsOf(ended, 'Calls Not Started').length, 3);
	});

	test('reads the sheet, and calls no one when the answer is no', async () => {
		services.sheet = await readSampleSheet();
		const id = await importShipped('ask-before-calling.json', {
			isOnline: true,
			settings: { sheet: SHEET },
		});
		const { execution, message, link } = await start(id);
		assert.match(message, /^Call 2 of 3 people\?/);
		await answer(link, 'No, call no one');
		const ended = succeeded(await desk.n8n.rest.waitForExecution(execution));
		assert.equal(itemsOf(ended, 'Not Approved').length, 1);
		assert.deepEqual(called(), {});
	});
});

describe('call-new-lead.json', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	const leads = async () => await rowsOfTable('New Leads');

	test('calls who filled in its form, once, and keeps how it went', async () => {
		const settings = { ...always, dryRun: false };
		const id = await importShipped('call-new-lead.json', { settings });
		await desk.n8n.rest.activateWorkflow(id);
		const form = await openForm(id, 'New Lead');
		const before = (await leads()).length;
		const rows = async () => (await leads()).slice(before);
		const submit = async (count: number, ...values: string[]) => {
			const data = new FormData();
			values.forEach((value, i) => data.set(`field-${i}`, value));
			const response = await fetch(form, { method: 'POST', body: data });
			assert.ok(response.ok, await response.text());
			for (let ms = 0; ms < 60_000 && (await rows()).length < count; ms += 250) await pause(250);
		};
		await submit(1, 'Ben', '+1 212 555 0139', 'Yes');
		// The row is there before the call has ended, so a restart of n8n loses no lead.
		assert.match(String((await rows())[0]?.['conversationId']), /^[0-9a-f-]{36}$/);
		await submit(2, 'Ben', '(212) 555-0139', 'Yes');
		await submit(3, 'Mara', '+1 312 555 0108', 'No');
		while ((await rows())[0]?.['finished'] !== 'true') await pause(250);
		await desk.n8n.rest.deactivateWorkflow(id);
		assert.deepEqual(called(), { '+12125550139': 1 });
		const lines = (await rows()).map(({ firstName, outcome, finished, reason }) =>
			[firstName, outcome, finished, reason].join(': '),
		);
		const [ben = '', unclear = '', mara = ''] = lines.toSorted((a, b) => a.localeCompare(b));
		assert.match(ben, /^Ben: accepted: true: Called$/);
		assert.match(unclear, /^Ben: rejected: : .*no country code/);
		assert.match(mara, /^Mara: notSent: : /);
	});
});
