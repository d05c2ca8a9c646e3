import { create } from '../../../src/conversations/create/create';
import { createBatch } from '../../../src/customers/batch';
import type { Script } from '../../support/fakeRuntime';
import { fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import { fieldsRow } from '../../support/startConversations';
import { phoneOf } from '../../support/samples';

/** Calls so many people, with these settings. */
const call = async (people: number, script: Script, more: object = {}) =>
	await runRows(
		create,
		Array.from({ length: people }, (_, n) => fieldsRow({ toPhoneNumber: phoneOf(n), ...more })),
		fakeRuntime(script).context(),
	);

const accept: Script = () => reply(200, '');
const reject: Script = () => reply(400, { code: 'BAD_REQUEST', message: 'no' });

it.each<[string, number, Script, object, string | undefined]>([
	['one person', 1, accept, {}, '1 person was called'],
	['several', 3, accept, {}, '3 people were called'],
	['no one of several', 2, reject, {}, '0 people were called'],
	['no one of one row, which says so itself', 1, reject, {}, undefined],
	['no one as far as is known', 2, () => lost(), {}, undefined],
	['no one in a dry run', 2, accept, { dryRun: true }, undefined],
])('a run begins with what happened: %s', async (_, people, script, more, happened) => {
	expect((await call(people, script, more)).happened).toBe(happened);
});

const customers = (dryRun: boolean) =>
	['a', 'b', 'a', '', 'c'].map((identifier) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier },
			dryRun,
			options: { batchSize: 2, parallelRequests: 1, outputAs: 'run', invalidRows: 'sendValid' },
		},
	}));

it('the item for a run counts what became of its rows, in a dry run and sent', async () => {
	const script = inTurn(reply(200, { jobId: 'job-1' }), reply(400));
	const { context, sent } = fakeRuntime(script);
	const dry = await runRows(createBatch, customers(true), context());
	expect(sent).toEqual([]);
	const reasons = [
		{ outcome: 'rejected', reason: expect.stringMatching(/^Identifier is empty/), count: 1 },
		{ outcome: 'notSent', reason: 'left out as duplicates', count: 1 },
	];
	const counts = { rows: 5, unchanged: 0, unknown: 0, notSent: 1 };
	expect(dry.runItem).toEqual({
		...counts,
		dryRun: true,
		wouldSend: 3,
		rejected: 1,
		jobIds: [],
		reasons,
	});
	expect(dry.summary).toBe(
		'Dry run: 3 customers would be sent in 2 requests. Turn off Dry Run to send them. 1 rejected before sending · 1 left out as duplicates',
	);
	const run = await runRows(createBatch, customers(false), context());
	expect(run.runItem).toMatchObject({
		...counts,
		requests: 2,
		accepted: 2,
		rejected: 2,
		jobIds: ['job-1'],
		reasons: expect.arrayContaining(reasons),
	});
	for (const { rows } of [dry, run]) expect(rows.flatMap(({ items }) => items)).toEqual([]);
	// Only the row that the service rejected is an error.
	expect(run.rows.map(({ failure, isShown }) => (isShown ? undefined : failure?.kind))).toEqual([
		...[undefined, undefined, undefined, undefined, 'api'],
	]);
	expect(run.summary).toBe(
		'5 rows, 2 requests: 2 accepted, 1 rejected by the service, 1 rejected before sending, 1 left out as duplicates',
	);
});
