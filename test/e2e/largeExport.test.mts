import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { withSettings } from '../../tools/demo/examples.mts';
import type { Settings } from '../../tools/demo/examples.mts';
import { errorOf, itemsOf } from '../../tools/host/execution.mts';
import type { Execution } from '../../tools/host/execution.mts';
import { importFanOut } from '../support/fanOut.mts';
import { control, desk } from './desk.mts';

const { n8n, credential } = desk;
const header = 'Record ID,Name,Phone,Notes';

const row = (n: number): string => `C-${n},Person ${n},+1 415 555 ${1000 + n},`;
const rows = (count: number, change = row): string[] =>
	Array.from({ length: count }, (_, n) => change(n));

/** The two workflows for a file of these lines, cut into slices of 20 rows. */
async function prepare(name: string, lines: readonly string[], settings: Settings = {}) {
	const file = `${name}.csv`;
	const write = async (all: readonly string[], end = '\n') =>
		await writeFile(join(desk.files, file), all.join(end));
	await write(lines);
	const { fanOut, slice } = await importFanOut({
		n8n,
		credential,
		path: `${name}-slice`,
		settings: { rowsPerSlice: 20, ...settings },
		sliceSettings: { folder: desk.files, file },
	});
	const stored = await n8n.rest.workflow(fanOut);
	return {
		write,
		slice,
		run: async (changed: Settings = {}) => {
			const workflow = withSettings(stored, changed);
			return await n8n.rest.runWorkflow(await n8n.rest.importWorkflow(workflow));
		},
		end: async () => await n8n.rest.deactivateWorkflow(slice),
	};
}

const slicesOf = (execution: Execution) =>
	itemsOf(execution, 'Result').map(({ firstLine, rows: read, accepted, failed }) => [
		firstLine,
		read,
		accepted,
		failed,
	]);

function everyoneIsThere(count: number): void {
	const storedIds = new Set(control.customers().map(({ customer }) => customer.identifier));
	assert.deepEqual(
		rows(count, (n) => `C-${n}`).filter((each) => !storedIds.has(each)),
		[],
	);
	assert.equal(storedIds.size, count);
}

describe('large-export.json and large-export-slice.json', () => {
	beforeEach(() => control.reset({ keepTickets: true }));

	test('send every row of a file once, one slice after the other', async () => {
		const { run, slice, end } = await prepare('whole', [header, ...rows(50)]);
		const execution = await run();
		assert.equal(execution.status, 'success', errorOf(execution)?.message);
		assert.deepEqual(slicesOf(execution), [
			[2, 20, 20, false],
			[22, 20, 20, false],
			[42, 10, 10, false],
		]);
		everyoneIsThere(50);
		assert.ok(control.customers().every(({ upserts }) => upserts === 1));
		assert.equal(control.counts().maxConcurrent.createCustomers, 1);
		// Millions of rows would fill n8n's database.
		assert.deepEqual(await n8n.rest.listExecutions({ workflowId: slice }), []);
		await end();
	});

	test('say which slice the service did not take, and send it alone when they are reported to', async () => {
		const { run, end } = await prepare('refused', [header, ...rows(50)]);
		control.setFaults([
			{ kind: 'status', operation: 'createCustomers', holding: '"C-25"', status: 403 },
		]);
		const execution = await run({ slicesAtOnce: 2 });
		assert.equal(execution.status, 'error');
		assert.match(errorOf(execution)?.message ?? '', /first lines as onlyLines: 22, and run/);
		assert.match(
			errorOf(execution)?.message ?? '',
			/The first error: The credential has no access .403/,
		);
		assert.deepEqual(slicesOf(execution), [
			[2, 20, 20, false],
			[22, 20, 0, true],
			[42, 10, 10, false],
		]);
		assert.equal(control.customers().length, 30);
		control.setFaults([]);
		assert.deepEqual(slicesOf(await run({ onlyLines: '22' })), [[22, 20, 20, false]]);
		everyoneIsThere(50);
		assert.ok(control.customers().every(({ upserts }) => upserts === 1));
		await end();
	});

	test('stop after three failed slices in a row, and say where to go on', async () => {
		const { run, end } = await prepare('down', [header, ...rows(120)]);
		control.setFaults([{ kind: 'status', operation: 'createCustomers', from: 2, status: 401 }]);
		const execution = await run();
		assert.match(errorOf(execution)?.message ?? '', /Three slices in a row.* enter 22 as fromLine/);
		assert.equal(control.customers().length, 20);
		control.setFaults([]);
		assert.equal((await run({ fromLine: 22 })).status, 'success');
		everyoneIsThere(120);
		await end();
	});

	test('lose no row of a file with line breaks in cells, blank lines, and what Windows writes', async () => {
		const note = (n: number) => `"Line 1\nC-${n + 500},Not a person,+14155550100,\n"`;
		const lines = rows(70, (n) => {
			if (n % 3 === 0) return `${row(n)}${note(n)}`;
			return n % 7 === 0 ? `\n${row(n)}` : row(n);
		});
		const { run, write, end } = await prepare('breaks', [`\uFEFF${header}`, ...lines]);
		assert.equal((await run({ slicesAtOnce: 2 })).status, 'success');
		everyoneIsThere(70);
		control.reset({ keepTickets: true });
		await write([`\uFEFF${header}`, ...lines].join('\n').split('\n'), '\r\n');
		assert.equal((await run()).status, 'success');
		everyoneIsThere(70);
		await end();
	});
});
