import { duplicatesGuard } from '../../../src/bulk/duplicates';
import type { Outcome } from '../../../src/bulk/outcomes';
import { leftOut } from '../../../src/bulk/outcomes';
import { create } from '../../../src/conversations/create/create';
import { createBatch } from '../../../src/customers/createBatch';
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
	const rows = (options: object) => [
		customer('a', 'Pat', options),
		customer('b', 'other', options),
		customer('a', 'Pat Bo', options),
	];
	const run = async (options: object) => {
		const runtime = fakeRuntime(inTurn(FINE));
		const { rows: results } = await runRows(createBatch, rows(options), runtime.context());
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
		expect(run.summary).toContain('Dry run: 2 people could be called in 1 request.');
	});

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
		const options = { dryRun: true, batchSize: 2, outputAs: 'requests', sendSource: false };
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

describe('duplicates of duplicates', () => {
	const DUPLICATE = 'left out as duplicates';

	/** What the guard says of values with these names, of which some are left out already. */
	async function withheld(
		names: readonly string[],
		duplicates: 'keepFirst' | 'keepLast' | 'sendAll' | 'stop',
		outcomes: ReadonlyArray<Outcome | undefined> = [],
	) {
		const plan = planOf(names.map((name, i) => ({ values: [name], outcomes: [outcomes[i]] })));
		const guard = duplicatesGuard<string>({
			duplicates,
			describe: (name) => `number (${name})`,
			parameter: 'phone',
		});
		const findings = await guard.open?.(plan);
		const said = plan.values.map(({ outcome }) =>
			outcome && 'failure' in outcome && outcome.failure.kind === 'skipped'
				? [outcome.failure.message, outcome.failure.countedAs]
				: outcome,
		);
		return { said, problems: plan.rows.map(({ problems }) => problems), findings };
	}

	it('name the row that counts', async () => {
		expect((await withheld(['a', 'a', 'a'], 'keepFirst')).said).toEqual([
			undefined,
			['Not sent, because Row 1 has the same number (a)', DUPLICATE],
			['Not sent, because Row 1 has the same number (a)', DUPLICATE],
		]);
		expect((await withheld(['a', 'a', 'a'], 'keepLast')).said).toEqual([
			['Not sent, because Row 2 has the same number (a) and comes later', DUPLICATE],
			['Not sent, because Row 3 has the same number (a) and comes later', DUPLICATE],
			undefined,
		]);
		expect(await withheld(['a', 'a'], 'sendAll')).toEqual({
			said: [undefined, undefined],
			problems: [undefined, undefined],
			findings: {},
		});
		expect(await withheld(['a', 'b', 'a'], 'stop')).toEqual({
			said: [undefined, undefined],
			problems: [
				undefined,
				undefined,
				[{ path: ['phone'], message: 'appears twice: Row 1 has the same number (a). Remove one' }],
			],
			findings: {
				stop: 'Not sent, because some rows appear twice. Remove the duplicates, or keep the first',
			},
		});
		expect((await withheld(['a', 'b'], 'stop')).findings).toEqual({});
	});

	it.each(['keepFirst', 'keepLast', 'stop'] as const)(
		'do not count where they are left out for another reason: %s',
		async (duplicates) => {
			const mark = leftOut('Marked', 'marked Do Not Call');
			const { said, findings } = await withheld(['a', 'a', 'b'], duplicates, [mark]);
			expect(said).toEqual([['Marked', 'marked Do Not Call'], undefined, undefined]);
			expect(findings).toEqual({});
		},
	);
});
