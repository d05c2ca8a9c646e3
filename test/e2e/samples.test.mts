import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { examples, readShipped } from '../../tools/demo/examples.mts';
import { itemsOf } from '../../tools/host/execution.mts';
import type { Json } from '../../tools/host/execution.mts';
import { control, readSheet } from './desk.mts';
import { runShipped } from './exampleRuns.mts';

/** What a user gets who imports an example, chooses the credential, fills in the settings, and has no data yet. */
describe('the pinned samples of the example workflows', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	const runSamples = async (file: string, use: Parameters<typeof runShipped>[1] = {}) =>
		await runShipped(file, { ...use, settings: { startSends: true, ...use.settings } });

	test('ticket-export.json writes a sheet of the samples, and asks for nothing', async () => {
		await runSamples('ticket-export.json');
		const { pinData } = await readShipped(examples.tickets);
		const pinned = pinData as Record<string, Array<{ json: Json }>>;
		const sheet = await readSheet('tickets.csv');
		assert.deepEqual(
			sheet.map((row) => Number(row['ticketNumber'])),
			pinned[examples.tickets.node]?.map(({ json }) => json['ticketNumber']),
		);
		assert.equal(control.counts().total, 0);
	});

	test('ticket-export.json writes a title that begins a formula as a text', async () => {
		const title = `=HYPERLINK("https://evil.test";"Open")`;
		const json = { ticketNumber: 1, title, priority: 'urgent', source: '+14155550178' };
		const pinData = { [examples.tickets.node]: [{ json }] };
		await runSamples('ticket-export.json', { change: (one) => ({ ...one, pinData }) });
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
		const execution = await runSamples('outbound-campaign.json');
		const planned = itemsOf(execution, 'Planned Calls');
		assert.deepEqual(planned[0], {
			'Record ID': 200001,
			'First Name': 'Ana',
			'Phone Number': '+14155550178',
			Outcome: 'wouldSend',
			Variables: '{"firstName":"Ana","city":"Lisbon","appointment":"2026-12-01 09:00"}',
			Reason: 'Would be called',
		});
		assert.deepEqual(
			planned.map((row) => [row['Record ID'], row['Outcome']]),
			[
				[200001, 'wouldSend'],
				[200002, 'wouldSend'],
				[200003, 'notSent'],
				[200004, 'rejected'],
				[200005, 'notSent'],
			],
		);
		assert.equal(control.counts().total, 0);
	});

	test('outbound-campaign.json calls the same people when dryRun is false', async () => {
		const settings = { dryRun: false };
		const execution = await runSamples('outbound-campaign.json', { settings });
		assert.deepEqual(Object.entries(control.conversations().callsPerNumber), [
			['+14155550178', 1],
			['+12125550139', 1],
		]);
		assert.equal(itemsOf(execution, 'Started Calls').length, 2);
		assert.equal(itemsOf(execution, 'Planned Calls').length, 0);
	});
});
