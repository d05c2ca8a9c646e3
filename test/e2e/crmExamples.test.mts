import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { control, desk, services } from './desk.mts';
import { always, importShipped, runShipped } from './exampleRuns.mts';
import { succeeded } from './exampleRuns.mts';
import { SHEET, readSampleSheet } from './services.mts';
import type { Contact } from './services.mts';

type Sample = Array<{ json: Json }>;

/** Runs an example with its samples, which `change` may edit. */
async function run(
	file: string,
	{ settings = {}, change = (rows) => rows }: Changes = {},
): Promise<Execution> {
	const id = await importShipped(file, {
		settings: { startSends: true, ...settings },
		change: (workflow) => {
			const pinned = Object.entries(workflow['pinData'] as Record<string, Sample>);
			const pinData = Object.fromEntries(pinned.map(([name, rows]) => [name, change(rows)]));
			return { ...workflow, pinData };
		},
	});
	return await desk.n8n.rest.runWorkflow(id);
}

interface Changes {
	readonly settings?: Settings;
	readonly change?: (rows: Sample) => Sample;
}

/** Runs an example without its samples: its nodes ask the services. */
const runOnline = async (file: string, use: Parameters<typeof runShipped>[1] = {}) =>
	await runShipped(file, { isOnline: true, ...use });

const marked = () =>
	control
		.customers()
		.filter(({ customer }) => customer.isDoNotDisturbEnabled === true)
		.map(({ customer }) => customer.identifier);

describe('hubspot-customers.json', () => {
	const file = 'hubspot-customers.json';
	const withoutAna = (rows: Sample) => rows.filter(({ json }) => json['id'] !== '301');
	beforeEach(() => control.reset({ keepTickets: true }));

	test('sends the sound samples, and marks who left, but not when many did, none came or the ID is gone', async () => {
		const first = await run(file);
		succeeded(first);
		assert.deepEqual(
			control.customers().map(({ customer }) => [customer.identifier, customer.phoneNumber]),
			[
				['301', '+14155550178'],
				['302', '+12125550140'],
				['303', '+13125550108'],
			],
		);
		const [rejected] = itemsOf(first, 'Not Accepted?');
		assert.match(String(rejected?.['reason']), /rounded by the spreadsheet/);
		assert.deepEqual(itemsOf(first, 'Who Is Missing'), []);
		assert.deepEqual(marked(), ['303']);

		const asking = await run(file, { change: withoutAna });
		assert.match(String(errorOf(asking)?.message), /Missing from the export: 1 of 4 customers/);
		assert.deepEqual(marked(), ['303']);

		await run(file, { change: () => [], settings: { maxMissingPercent: 100 } });
		assert.deepEqual(marked(), ['303']);

		const settingsOfAnother = { maxMissingPercent: 100, idColumn: 'vid' };
		const withoutId = await run(file, { settings: settingsOfAnother });
		assert.notEqual(withoutId.status, 'success');
		assert.deepEqual(marked(), ['303']);

		const settings = { maxMissingPercent: 25 };
		const marking = await run(file, { change: withoutAna, settings });
		succeeded(marking);
		assert.deepEqual(marked(), ['301', '303']);

		const again = await run(file, { change: withoutAna });
		succeeded(again);
		assert.deepEqual(itemsOf(again, 'Who Is Missing'), []);
	});
});

describe('salesforce-customers.json', () => {
	const file = 'salesforce-customers.json';
	beforeEach(() => control.reset({ keepTickets: true }));

	test('goes on from the last change, which a row that is rejected does not hold back', async () => {
		const first = await run(file);
		succeeded(first);
		assert.deepEqual(
			control.customers().map(({ customer }) => customer.name),
			['Ana Silva', 'Ben Okoro', 'Mara Kaya'],
		);
		assert.deepEqual(marked(), ['0031t00000AbCdF']);
		const sinceOf = (execution: Execution, node: string) => itemsOf(execution, node)[0]?.['since'];
		assert.equal(sinceOf(first, 'Keep the Time'), '2026-11-20T10:00:00.000+0000');

		const sound = (rows: Sample) =>
			rows.map(({ json }) => ({ json: { ...json, Phone: '+14155550199' } }));
		const second = await run(file, { change: sound });
		succeeded(second);
		assert.equal(sinceOf(second, 'Last Time'), '2026-11-20T10:00:00.000+0000');
		assert.equal(sinceOf(second, 'Keep the Time'), '2026-11-20T10:00:00.000+0000');
	});

	const reported = () => services.messages.map(({ text }) => String(text));

	test('asks Salesforce for what changed, and reports to Slack how it ended', async () => {
		const { pinData } = await readShipped({ file });
		const samples = (pinData as Record<string, Sample>)['Contacts Changed Since'] ?? [];
		services.salesforce = samples.map(({ json }) => json);
		const settings = { startSends: true, source: 'Salesforce' };
		await runOnline(file, { settings });
		assert.match(
			services.queries[0] ?? '',
			/FROM Contact WHERE LastModifiedDate >= 1969-12-31T23:45/,
		);
		assert.match(
			reported()[0] ?? '',
			/^Sync from Salesforce: 3 accepted, 1 rejected\.\n- .*rounded/,
		);
		assert.deepEqual(services.messages[0]?.['channel'], '#sync-reports');

		services.salesforce = [];
		const nothing = await runOnline(file, { settings });
		assert.match(services.queries[1] ?? '', />= 2026-11-20T09:45/);
		assert.equal(reported()[1], 'Sync from Salesforce: nothing has changed.');
		const kept = itemsOf(nothing, 'Keep the Time')[0]?.['since'];
		assert.equal(kept, '2026-11-20T10:00:00.000+0000');
	});
});

/** The customers in the service: identifier, name, number and mark. */
const stored = () =>
	control
		.customers()
		.map(({ customer }) => [
			customer.identifier,
			customer.name,
			customer.phoneNumber,
			customer.isDoNotDisturbEnabled,
		]);

describe('shopify-customers.json', () => {
	const file = 'shopify-customers.json';
	beforeEach(() => control.reset({ keepTickets: true }));

	test('reads the orders that Shopify returns, and sends each customer once', async () => {
		const { pinData } = await readShipped({ file });
		const samples = (pinData as Record<string, Sample>)['Orders of Shopify'] ?? [];
		services.shopify = samples.map(({ json }) => json);
		for (const runIt of [run, runOnline]) {
			control.reset({ keepTickets: true });
			const sent = succeeded(await runIt(file, { settings: { startSends: true } }));
			assert.deepEqual(stored(), [
				['shopify-7300000001', 'Ana Silva', '+14155550178', undefined],
				['shopify-7300000002', 'Ben Okoro', '+12125550139', true],
				['shopify-7300000003', 'Mara Kaya', '+442079460018', undefined],
			]);
			const [rejected] = itemsOf(sent, 'Not Accepted?');
			assert.equal(rejected?.['id'], 5123450001);
			assert.match(String(rejected?.['reason']), /rounded by the spreadsheet/);
		}
	});
});

describe('google-sheets-campaign.json', () => {
	const file = 'google-sheets-campaign.json';
	const settings = { ...always, sheet: SHEET };
	const columns = () => services.sheet[0] ?? [];
	const column = (name: string) =>
		services.sheet.slice(1).map((row) => row[columns().indexOf(name)] ?? '');
	beforeEach(async () => {
		control.reset({ keepTickets: true });
		services.sheet = await readSampleSheet();
	});

	test('previews, calls each person once, and writes back what happened and how it went', async () => {
		await runOnline(file, { settings });
		assert.equal(control.counts().total, 0);
		assert.deepEqual(column('Dry Run'), ['wouldSend', 'wouldSend', 'notSent']);
		assert.deepEqual(column('Outcome'), ['', '', '']);

		// A wrong setting, or a wrong key, takes no one off the sheet.
		const calling = { ...settings, dryRun: false };
		await runOnline(file, { settings: { ...calling, agentId: '' } });
		assert.deepEqual(column('Outcome'), ['notSent', 'notSent', 'notSent']);
		const id = await importShipped(file, { isOnline: true, settings: calling });
		await desk.n8n.rest.runWorkflow(id);
		assert.deepEqual(column('Outcome'), ['accepted', 'accepted', 'notSent']);
		assert.deepEqual(column('Dry Run'), ['', '', '']);
		const { conversations } = control.conversations();
		assert.deepEqual(
			column('Conversation ID').slice(0, 2),
			conversations.map(({ id: each }) => each).slice(0, 2),
		);

		// As if the sheet could not be written after the call.
		for (const name of ['Outcome', 'Conversation ID'])
			(services.sheet[1] ?? [])[columns().indexOf(name)] = '';
		for (const each of conversations) each.endReason = '=HYPERLINK("https://evil.example")';
		await desk.n8n.rest.runWorkflow(id);
		await desk.n8n.rest.runWorkflow(id);
		assert.ok(Object.values(control.conversations().callsPerNumber).every((times) => times === 1));
		assert.deepEqual(column('Outcome'), ['notSent', 'accepted', 'notSent']);
		assert.match(String(column('Reason')[0]), /called/);
		assert.deepEqual(column('Finished'), ['', 'yes', '']);
		assert.equal(column('End Reason')[1], '=HYPERLINK("https://evil.example")');
	});
});

describe('hubspot-campaign.json', () => {
	const file = 'hubspot-campaign.json';
	const written = (name: string) => services.contacts.map(({ properties }) => properties[name]);
	beforeEach(async () => {
		control.reset({ keepTickets: true });
		const { pinData } = await readShipped({ file });
		const samples = (pinData as Record<string, Sample>)['Contacts of the Campaign'] ?? [];
		services.contacts = structuredClone(samples.slice(0, 4)).map(({ json }) => {
			const { properties } = json as unknown as Contact;
			return { id: String(json['id']), properties: { ...properties, call_campaign: 'spring' } };
		});
	});

	test('previews, calls each contact once, and writes into HubSpot what happened and how it went', async () => {
		const settings = { ...always, campaign: 'spring' };
		await runOnline(file, { settings });
		assert.equal(control.counts().total, 0);
		assert.deepEqual(written('call_outcome'), ['', '', '', '']);
		assert.match(String(written('call_reason')[0]), /^Dry run: Would be called$/);

		const calling = { ...settings, dryRun: false };
		// A wrong setting takes no one off the list.
		await runOnline(file, { settings: { ...calling, agentId: '' } });
		assert.deepEqual(written('call_outcome').slice(0, 3), ['notSent', 'notSent', 'notSent']);
		for (const { properties } of services.contacts) properties['call_outcome'] = null;

		const id = await importShipped(file, { isOnline: true, settings: calling });
		await desk.n8n.rest.runWorkflow(id);
		assert.deepEqual(written('call_outcome'), ['accepted', 'accepted', 'notSent', 'rejected']);
		await desk.n8n.rest.runWorkflow(id);
		await desk.n8n.rest.runWorkflow(id);
		assert.deepEqual(control.conversations().callsPerNumber, {
			'+14155550178': 1,
			'+12125550139': 1,
		});
		assert.ok(written('call_result').slice(0, 2).every(Boolean));
		// Who did not answer has an empty summary.
		assert.ok(
			written('call_summary')
				.slice(0, 2)
				.every((text) => typeof text === 'string'),
		);
		assert.deepEqual(written('call_result').slice(2), [null, null]);
	});
});
