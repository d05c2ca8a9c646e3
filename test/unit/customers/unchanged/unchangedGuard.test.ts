import type { DedupeStore } from '../../../../src/core/dedupeStore';
import type { Operation } from '../../../../src/core/operation';
import { fail } from '../../../../src/core/result';
import { createBatch, upsertBatch } from '../../../../src/customers/batch';
import type { Script } from '../../../support/fakeRuntime';
import {
	brokenDedupeStore,
	fakeDedupeStore,
	fakeRuntime,
	jsonLedger,
	jsonState,
	reply,
} from '../../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../../support/runRows';
import { listOf, members } from '../../../support/samples';

const DAY = 86_400_000;
const start = Date.UTC(2026, 0, 15, 12);

interface Options {
	readonly names?: readonly string[];
	readonly operation?: Operation;
	readonly dryRun?: boolean;
	readonly options?: object;
	readonly store?: DedupeStore;
	readonly script?: Script;
	readonly account?: string;
	readonly column?: string;
}

/** A workflow of which n8n keeps the state, run day after day. */
function nightly() {
	const entries = new Set<string>();
	let saved: string | undefined;
	let day = 0;
	const run = async (options: Options = {}) => {
		const { names = ['Ana', 'Bo', 'Cy'], store, dryRun = false, account = 'workspace' } = options;
		const { script = () => reply(200, { jobId: 'job' }), operation = upsertBatch } = options;
		const { column = 'name' } = options;
		day += 1;
		const world = fakeRuntime(script, { start: start + day * DAY });
		const { state, saved: left } = jsonState(saved);
		const rows = names.map((name, n) => ({
			parameters: {
				inputMode: 'fields',
				customerMapping: 'autoMapInputData',
				dryRun,
				customer: { identifier: `C-${n}`, [column]: name, email: 'a@example.com' },
				options: { skipUnchanged: true, batchSize: 1, ...options.options },
			},
		}));
		const context = world.context(jsonLedger(), store ?? fakeDedupeStore(entries), 0, state);
		const { rows: results, ...rest } = await runRows(operation, rows, { ...context, account });
		saved = left();
		return {
			...rest,
			sent: world.sent.flatMap(({ body }) =>
				listOf(body, 'customers').map((customer) => members(customer)['name']),
			),
			outcomes: results.map(outcomeOf),
			failure: results.find(({ failure }) => failure)?.failure,
		};
	};
	return { run, entries, saved: () => saved };
}

it('shows in a dry run what is unchanged, and spoils nothing', async () => {
	const { run, saved } = nightly();
	await run();
	const before = saved();
	const dry = await run({ names: ['Ana', 'Bo!', 'Cy'], dryRun: true });
	expect(dry.outcomes).toEqual(['unchanged', 'wouldSend', 'unchanged']);
	expect(dry.summary).toContain(
		'Dry run: 1 customer would be sent in 1 request. Turn off Dry Run to send them. 2 unchanged',
	);
	expect(saved()).toBe(before);
	expect((await run()).sent).toEqual([]);
});

it('knows no one of another workspace, and no one who was rejected', async () => {
	const { run } = nightly();
	await run({ script: (_, number) => (number === 2 ? reply(400) : reply(200, { jobId: 'job' })) });
	expect((await run()).sent).toEqual(['Bo']);
	expect((await run({ account: 'other' })).sent).toEqual(['Ana', 'Bo', 'Cy']);
});

it.each([
	['another operation', { operation: createBatch }],
	['the option turned off', { options: { skipUnchanged: false } }],
])('knows no one any more after a run with %s', async (_, options) => {
	const { run, saved } = nightly();
	await run();
	expect((await run({ ...options, names: ['Ana!'] })).sent).toEqual(['Ana!']);
	expect(saved()).toBeUndefined();
	expect((await run()).sent).toEqual(['Ana', 'Bo', 'Cy']);
});

it('leaves n8n alone where the option was never on', async () => {
	const { run, saved, entries } = nightly();
	await run({ options: { skipUnchanged: false } });
	expect([saved(), entries.size]).toEqual([undefined, 0]);
});

it('lets other runs know of one without the option where n8n does not say whether there are any', async () => {
	const { run, entries } = nightly();
	const store = { ...fakeDedupeStore(entries), size: async () => fail('database is locked') };
	const { sent } = await run({ options: { skipUnchanged: false }, store });
	expect([sent.length, entries.size > 0]).toEqual([3, true]);
});

it('sends everyone beside another run, and says why', async () => {
	const { run, entries } = nightly();
	await run();
	// What a run leaves that began a moment ago.
	entries.add(`sync:busy:${Math.floor((start + 2 * DAY) / 600_000)}:0`);
	expect(await run({ names: ['Ana', 'Bo!', 'Cy'] })).toMatchObject({
		sent: ['Ana', 'Bo!', 'Cy'],
		summary: expect.stringContaining(
			'All rows were sent, because another run of this node is in progress or was interrupted recently',
		) as string,
	});
});

it('sends no one where a column was renamed, also after nights in which it was empty', async () => {
	const { run } = nightly();
	await run({ column: 'full_name' });
	expect((await run({ column: 'Full Name' })).failure).toBeUndefined();
	await run({ column: 'Full Name', names: [' ', ' '] });
	const { sent, failure } = await run({ column: 'Who' });
	expect(sent).toEqual([]);
	expect(failure).toMatchObject({
		kind: 'held',
		message: expect.stringContaining("Name ('Full Name'). Choose the columns") as string,
	});
	const columnsToUse = { columns: [{ field: 'name', column: 'Who' }] };
	expect((await run({ column: 'Who', options: { columnsToUse } })).sent).toHaveLength(3);
});

describe('where n8n cannot remember', () => {
	const broken = brokenDedupeStore('the workflow is not saved');

	it('sends everyone, and says why', async () => {
		const { run } = nightly();
		const first = await run({ store: broken });
		expect(first.sent).toEqual(['Ana', 'Bo', 'Cy']);
		expect(first.summary).toContain(
			'Unchanged rows could not be skipped, because n8n cannot remember them (the workflow is not saved)',
		);
	});

	it('sends no one while it knows of earlier runs', async () => {
		const { run } = nightly();
		await run();
		const { sent, failure } = await run({ store: broken });
		expect(sent).toEqual([]);
		expect(failure).toMatchObject({
			kind: 'held',
			message: expect.stringContaining('could not record that customers are being sent') as string,
		});
	});
});
