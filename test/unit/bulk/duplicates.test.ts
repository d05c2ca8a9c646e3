import { duplicatesGuard } from '../../../src/bulk/duplicates';
import { leftOut } from '../../../src/bulk/outcomes';
import { create } from '../../../src/conversations/create/create';
import { createBatch } from '../../../src/customers/batch';
import { describeFailure } from '../../../src/core/describeFailure';
import type { RowResult } from '../../../src/core/operation';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';
import { planOf } from '../../support/plan';
import { AGENT, listOf, members, phoneOf } from '../../support/samples';
import { runRows } from '../../support/runRows';

const FINE = reply(200, { jobId: 'job' });

const customer = (identifier: string, name: string, options: object = {}) => ({
	parameters: { inputMode: 'fields', customer: { identifier, name }, options },
});

const call = (n: number, options: object = {}) => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(n), options },
});

const told = ({ failure }: RowResult): string | undefined =>
	failure && describeFailure(failure, (path) => path.join('.')).message;

describe('customers with the same identifier', () => {
	const run = async (options: object, ...more: string[]) => {
		const runtime = fakeRuntime(inTurn(FINE));
		const all = [customer('a', 'Pat', options), customer('b', 'other', options)];
		all.push(...['Pat Bo', ...more].map((name) => customer('a', name, options)));
		const { rows: results } = await runRows(createBatch, all, runtime.context());
		const names = runtime.sent.flatMap(({ body }) =>
			listOf(body, 'customers').map((one) => members(one)['name']),
		);
		return {
			names,
			told: results.map(told),
			outcomes: results.map(({ details }) => details?.['outcome']),
		};
	};

	it('are sent once, and the row that is left out says which one counts', async () => {
		const first = await run({});
		expect(first.names).toEqual(['Pat', 'other']);
		expect(first.outcomes).toEqual([undefined, undefined, 'notSent']);
		expect(first.told[2]).toBe('Not sent, because Row 1 has the same identifier (a)');
		const last = await run({ duplicates: 'keepLast' });
		expect(last.names).toEqual(['other', 'Pat Bo']);
		expect(last.told[0]).toBe(
			'Not sent, because Row 3 has the same identifier (a) and comes later',
		);
	});

	it('name the row that counts, however many there are', async () => {
		const ofRow = (n: number) => `Not sent, because Row ${n} has the same identifier (a)`;
		expect((await run({}, 'Pat Bo')).told).toEqual([undefined, undefined, ofRow(1), ofRow(1)]);
		const { told } = await run({ duplicates: 'keepLast' }, 'Pat Bo');
		const later = [3, 4].map((n) => `${ofRow(n)} and comes later`);
		expect(told).toEqual([later[0], undefined, later[1], undefined]);
	});

	it('are all sent, or stop the run, where that is wanted', async () => {
		expect((await run({ duplicates: 'sendAll' })).names).toEqual(['Pat', 'other', 'Pat Bo']);
		const stopped = await run({ duplicates: 'stop', invalidRows: 'sendValid' });
		expect(stopped.names).toEqual([]);
		expect(stopped.outcomes).toEqual(['notSent', 'notSent', 'rejected']);
		expect(stopped.told[2]).toBe(
			"'customer' appears twice: Row 1 has the same identifier (a). Remove one",
		);
	});
});

describe('phone numbers that are the same', () => {
	it('do not count against the maximum when they are not called', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const limited = [call(1), call(1), call(1)].map(({ parameters }) => ({
			parameters: { ...parameters, safeguards: { maximumConversations: 1 } },
		}));
		await runRows(create, limited, runtime.context());
		expect(runtime.sent).toHaveLength(1);
	});
});

describe('a dry run', () => {
	it('counts no one twice where duplicates stop the run', async () => {
		const options = { dryRun: true, duplicates: 'stop', outputAs: 'run' };
		const rows = [call(1), call(2), call(1)].map(({ parameters }) => ({
			parameters: { ...parameters, options },
		}));
		const run = await runRows(create, rows, fakeRuntime(inTurn(FINE)).context());
		expect(run.shared?.[0]?.item).toMatchObject({ wouldSend: 2, rejected: 1, planCovers: 2 });
		expect(run.summary).toContain('Dry run: nothing would be sent, because some rows appear twice');
	});

	it.each(['rows', 'requests'])(
		'says of every row that it would not be sent where one would stop the run, as %s',
		async (outputAs) => {
			const options = { dryRun: true, duplicates: 'stop', outputAs };
			const rows = [call(1), call(2), call(1)].map(({ parameters }) => ({
				parameters: { ...parameters, options },
			}));
			const run = await runRows(create, rows, fakeRuntime(inTurn(FINE)).context());
			const items = [
				...run.rows.flatMap((row) => row.items),
				...(run.shared ?? []).map((s) => s.item),
			];
			expect(items).toHaveLength(outputAs === 'rows' ? 2 : 1);
			for (const item of items) expect(item).toMatchObject({ outcome: 'notSent', dryRun: true });
			if (outputAs === 'rows')
				expect(items[0]).toMatchObject({ reason: expect.stringMatching(/^Not sent/) });
		},
	);

	it('shows for every row what would be sent, and sends nothing', async () => {
		const runtime = fakeRuntime(inTurn(FINE));
		const options = { dryRun: true, batchSize: 2 };
		const rows = ['a', 'b', 'c', 'a'].map((id) => customer(id, `name of ${id}`, options));
		const run = await runRows(
			createBatch,
			[...rows, customer('', 'bad', options)],
			runtime.context(),
		);
		expect(runtime.sent).toEqual([]);
		expect(run.summary).toBe(
			'Dry run: 3 customers would be sent in 2 requests. Turn off Dry Run to send them. 1 left out as duplicates',
		);
		const dryRun = true;
		expect(run.rows.map(({ items }) => items[0])).toEqual([
			...[1, 1, 2].map((batch, i) => ({
				row: i + 1,
				identifier: 'abc'[i],
				name: `name of ${'abc'[i]}`,
				outcome: 'wouldSend',
				reason: '',
				batch,
				dryRun,
			})),
			{
				row: 4,
				identifier: 'a',
				name: 'name of a',
				outcome: 'notSent',
				reason: 'Not sent, because Row 1 has the same identifier (a)',
				dryRun,
			},
			undefined,
		]);
		expect(run.rows[4]).toMatchObject({
			failure: { kind: 'input' },
			failureItem: { row: 5, identifier: '', outcome: 'rejected', dryRun },
		});
	});

	it('shows whole requests where they come out together', async () => {
		const runtime = fakeRuntime(inTurn(FINE));
		const options = { dryRun: true, batchSize: 2, outputAs: 'requests', leaveOutSource: true };
		const rows = ['a', 'b', 'c'].map((id) => customer(id, id, options));
		const { rows: results, shared } = await runRows(createBatch, rows, runtime.context());
		expect(runtime.sent).toEqual([]);
		expect(results.map(({ items }) => items)).toEqual([[], [], []]);
		const request = (batch: number, ids: string[]) => ({
			dryRun: true,
			outcome: 'wouldSend',
			batch,
			count: ids.length,
			body: {
				customers: ids.map((id) => ({ identifier: id, name: id })),
				strategy: 'insert',
				partial: false,
			},
		});
		expect(shared).toEqual([
			{ item: request(1, ['a', 'b']), rows: [0, 1] },
			{ item: request(2, ['c']), rows: [2] },
		]);
	});

	it('calls no one and remembers nothing', async () => {
		const runtime = fakeRuntime(inTurn(reply(200, '')));
		const context = runtime.context();
		await runRows(create, [call(1, { dryRun: true })], context);
		expect(runtime.sent).toEqual([]);
		await runRows(create, [call(1)], context);
		expect(runtime.sent).toHaveLength(1);
	});
});

it.each(['keepFirst', 'keepLast', 'stop'] as const)(
	'a duplicate does not count where it is left out for another reason: %s',
	async (duplicates) => {
		const marked = leftOut('Marked', 'marked Do Not Call');
		const { values, ...plan } = planOf([{ values: ['a', 'a', 'b'], outcomes: [marked] }]);
		const settings = { duplicates, describe: String, parameter: 'phone' };
		expect(await duplicatesGuard<string>(settings).open?.({ ...plan, values })).toEqual({});
		expect(values.map(({ outcome }) => outcome)).toEqual([marked, undefined, undefined]);
	},
);
