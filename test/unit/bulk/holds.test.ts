import { create } from '../../../src/conversations/create';
import { createBatch } from '../../../src/customers/createBatch';
import { explain } from '../../../src/core/explain';
import type { RowResult } from '../../../src/core/operation';
import { fakeWorld, inTurn, reply } from '../../support/fakeWorld';
import { AGENT, listOf, members, phoneOf } from '../../support/samples';

const FINE = reply(200, { jobId: 'job' });

const customer = (identifier: string, name: string, options: object = {}) => ({
	parameters: { inputMode: 'fields', customer: { identifier, name }, options },
});

const call = (n: number, options: object = {}) => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber: phoneOf(n), options },
});

const told = ({ failure }: RowResult): string | undefined =>
	failure && explain(failure, (path) => path.join('.')).message;

describe('customers with the same identifier', () => {
	const rows = (options: object) => [
		customer('a', 'first', options),
		customer('b', 'other', options),
		customer('a', 'last', options),
	];
	const run = async (options: object) => {
		const world = fakeWorld(inTurn(FINE));
		const { rows: results } = await createBatch.run(rows(options), world.desk());
		const names = world.sent.flatMap(({ body }) =>
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
		expect(first.names).toEqual(['first', 'other']);
		expect(first.outcomes).toEqual([undefined, undefined, 'notSent']);
		expect(first.told[2]).toBe('Not sent, because Row 1 has the same identifier (a)');
		const last = await run({ duplicates: 'keepLast' });
		expect(last.names).toEqual(['other', 'last']);
		expect(last.told[0]).toBe(
			'Not sent, because Row 3 has the same identifier (a) and comes later',
		);
	});

	it('are all sent, or stop the run, where that is wanted', async () => {
		expect((await run({ duplicates: 'sendAll' })).names).toEqual(['first', 'other', 'last']);
		const stopped = await run({ duplicates: 'stop', invalidRows: 'sendValid' });
		expect(stopped.names).toEqual([]);
		expect(stopped.outcomes).toEqual(['notSent', 'notSent', 'rejected']);
		expect(stopped.told[2]).toBe(
			"'customer' is there twice: Row 1 has the same identifier (a). Remove one",
		);
	});
});

describe('phone numbers that are the same', () => {
	it('are called once', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const { rows } = await create.run([call(1), call(2), call(1)], world.desk());
		expect(world.sent.flatMap(({ body }) => listOf(body, 'conversations'))).toHaveLength(2);
		expect(told(rows[2] ?? { items: [] })).toBe(
			`Not sent, because Row 1 has the same phone number (${phoneOf(1)})`,
		);
	});

	it('do not count against the maximum when they are not called', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const limited = [call(1), call(1), call(1)].map(({ parameters }) => ({
			parameters: { ...parameters, maximumConversations: 1 },
		}));
		await create.run(limited, world.desk());
		expect(world.sent).toHaveLength(1);
	});
});

describe('rows marked do not call', () => {
	it.each(['true', 'Yes', true, 1])('are not called when the mark is %j', async (doNotCall) => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const { rows } = await create.run([call(1, { doNotCall }), call(2)], world.desk());
		expect(world.sent).toHaveLength(1);
		expect(told(rows[0] ?? { items: [] })).toBe(
			'Not called, because the row is marked do not call',
		);
		expect(rows[1]?.items).toHaveLength(1);
	});

	it('keep other rows with the same number from being called, whichever comes first', async () => {
		const marked = call(1, { doNotCall: 'yes' });
		for (const rows of [
			[marked, call(1)],
			[call(1), marked],
			[call(1, { duplicates: 'callEvery' }), marked],
		]) {
			const world = fakeWorld(inTurn(reply(200, '')));
			const run = await create.run(rows, world.desk());
			expect(world.sent).toEqual([]);
			expect(run.rows.map(({ details }) => details?.['outcome'])).toEqual(['notSent', 'notSent']);
		}
	});

	it('are not checked any further, and hold nobody back', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const damaged = call(1, { doNotCall: 'yes' });
		const rows = [
			{ parameters: { ...damaged.parameters, toPhoneNumber: '+14155550103 ext. 4' } },
			{ parameters: { ...damaged.parameters, toPhoneNumber: undefined } },
			call(2),
		];
		const run = await create.run(rows, world.desk());
		expect(world.sent).toHaveLength(1);
		expect(run.rows.map(({ details }) => details?.['outcome'])).toEqual([
			'notSent',
			'notSent',
			undefined,
		]);
	});

	it.each(['', undefined, null, 'no', false])(
		'are called when the mark is %j',
		async (doNotCall) => {
			const world = fakeWorld(inTurn(reply(200, '')));
			await create.run([call(1, { doNotCall })], world.desk());
			expect(world.sent).toHaveLength(1);
		},
	);

	it('are refused when the mark cannot be read, rather than called', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const { rows } = await create.run([call(1, { doNotCall: 'maybe' })], world.desk());
		expect(world.sent).toEqual([]);
		expect(told(rows[0] ?? { items: [] })).toContain('is neither yes nor no');
	});
});

describe('a dry run', () => {
	it('shows for every row what would be sent, and sends nothing', async () => {
		const world = fakeWorld(inTurn(FINE));
		const options = { dryRun: true, batchSize: 2 };
		const rows = ['a', 'b', 'c', 'a'].map((id) => customer(id, `name of ${id}`, options));
		const run = await createBatch.run([...rows, customer('', 'bad', options)], world.desk());
		expect(world.sent).toEqual([]);
		expect(run.summary).toBe('Dry run, nothing was sent: 3 would go in 2 requests');
		expect(run.rows.map(({ items }) => items[0])).toEqual([
			...[1, 1, 2].map((batch, i) => ({
				dryRun: true,
				outcome: 'notSent',
				request: 'POST /customers/batch',
				batch,
				sent: { source: { method: 'api' }, identifier: 'abc'[i], name: `name of ${'abc'[i]}` },
				with: { strategy: 'insert' },
			})),
			undefined,
			undefined,
		]);
		expect(run.rows[4]?.failure?.kind).toBe('input');
	});

	it('shows whole requests where they come out together', async () => {
		const world = fakeWorld(inTurn(FINE));
		const options = { dryRun: true, batchSize: 2, outputAs: 'requests', sendSource: false };
		const rows = ['a', 'b', 'c'].map((id) => customer(id, id, options));
		const { rows: results, shared } = await createBatch.run(rows, world.desk());
		expect(world.sent).toEqual([]);
		expect(results.map(({ items }) => items)).toEqual([[], [], []]);
		const request = (batch: number, ids: string[]) => ({
			dryRun: true,
			outcome: 'notSent',
			request: 'POST /customers/batch',
			batch,
			count: ids.length,
			body: {
				customers: ids.map((id) => ({ identifier: id, name: id })),
				strategy: 'insert',
			},
		});
		expect(shared).toEqual([
			{ item: request(1, ['a', 'b']), rows: [0, 1] },
			{ item: request(2, ['c']), rows: [2] },
		]);
	});

	it('of one value says so of one request', async () => {
		const run = await createBatch.run(
			[customer('a', 'a', { dryRun: true })],
			fakeWorld(inTurn(FINE)).desk(),
		);
		expect(run.summary).toBe('Dry run, nothing was sent: 1 would go in 1 request');
	});

	it('calls nobody and remembers nothing', async () => {
		const world = fakeWorld(inTurn(reply(200, '')));
		const desk = world.desk();
		await create.run([call(1, { dryRun: true })], desk);
		expect(world.sent).toEqual([]);
		await create.run([call(1)], desk);
		expect(world.sent).toHaveLength(1);
	});
});
