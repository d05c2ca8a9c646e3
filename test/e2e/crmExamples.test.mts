import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { readShipped, withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';
import { control, desk } from './desk.mts';

type Sample = Array<{ json: Json }>;

/** Runs an example with its samples, of which a test changes some. */
async function run(
	file: string,
	{ settings = {}, change = (rows) => rows }: Changes = {},
): Promise<Execution> {
	const shipped = withSettings(await readShipped({ file }), { startSends: true, ...settings });
	const pinned = Object.entries(shipped['pinData'] as Record<string, Sample>);
	const pinData = Object.fromEntries(pinned.map(([name, rows]) => [name, change(rows)]));
	const credentials = { conversationDeskApi: desk.credential };
	const id = await desk.n8n.rest.importWorkflow({ ...shipped, pinData }, credentials);
	return await desk.n8n.rest.runWorkflow(id);
}

interface Changes {
	readonly settings?: Settings;
	readonly change?: (rows: Sample) => Sample;
}

const marked = () =>
	control
		.customers()
		.filter(({ customer }) => customer.isDoNotDisturbEnabled === true)
		.map(({ customer }) => customer.identifier);

describe('hubspot-customers.json', () => {
	const file = 'hubspot-customers.json';
	const withoutAna = (rows: Sample) => rows.filter(({ json }) => json['id'] !== '301');
	beforeEach(() => control.reset({ keepTickets: true }));

	test('sends no one by hand before its user says so', async () => {
		const dry = await run(file, { settings: { startSends: false } });
		assert.equal(dry.status, 'success', errorOf(dry)?.message);
		assert.equal(control.counts().total, 0);
	});

	test('sends the sound samples, and marks who left, but not when many did, none came or the ID is gone', async () => {
		const first = await run(file);
		assert.equal(first.status, 'success', errorOf(first)?.message);
		assert.deepEqual(
			control.customers().map(({ customer }) => [customer.identifier, customer.phoneNumber]),
			[
				['301', '+14155550178'],
				['302', '+12125550140'],
				['303', '+13125550108'],
			],
		);
		const [rejected] = itemsOf(first, 'Rejected Customers');
		assert.match(String(rejected?.['Reason']), /rounded by the spreadsheet/);
		assert.deepEqual(itemsOf(first, 'Who Is Missing'), []);

		const asking = await run(file, { change: withoutAna });
		assert.match(String(errorOf(asking)?.message), /Missing from the export: 1 of 4 customers/);
		assert.deepEqual(marked(), []);

		await run(file, { change: () => [], settings: { maxMissingPercent: 100 } });
		assert.deepEqual(marked(), []);

		const settingsOfAnother = { maxMissingPercent: 100, idColumn: 'vid' };
		const withoutId = await run(file, { settings: settingsOfAnother });
		assert.notEqual(withoutId.status, 'success');
		assert.deepEqual(marked(), []);

		const settings = { maxMissingPercent: 25 };
		const marking = await run(file, { change: withoutAna, settings });
		assert.equal(marking.status, 'success', errorOf(marking)?.message);
		assert.deepEqual(marked(), ['301']);

		const again = await run(file, { change: withoutAna });
		assert.equal(again.status, 'success', errorOf(again)?.message);
		assert.deepEqual(itemsOf(again, 'Who Is Missing'), []);
	});
});

describe('salesforce-customers.json', () => {
	const file = 'salesforce-customers.json';
	beforeEach(() => control.reset({ keepTickets: true }));

	test('goes on from the last change, which a row that is rejected does not hold back', async () => {
		const first = await run(file);
		assert.equal(first.status, 'success', errorOf(first)?.message);
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
		assert.equal(second.status, 'success', errorOf(second)?.message);
		assert.equal(sinceOf(second, 'Last Time'), '2026-11-20T10:00:00.000+0000');
		assert.equal(sinceOf(second, 'Keep the Time'), '2026-11-20T10:00:00.000+0000');
	});
});
