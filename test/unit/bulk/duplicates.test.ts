import { createBatch } from '../../../src/customers/batch';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';
import { customerRow } from '../../support/customerRows';
import { listOf, members } from '../../support/samples';
import { outcomeOf, reasonOf, runRows } from '../../support/runRows';
import { callOf, startAll } from '../../support/startConversations';

const FINE = reply(200, { jobId: 'job' });

describe('customers with the same identifier', () => {
	const run = async (options: object, ...more: string[]) => {
		const runtime = fakeRuntime(inTurn(FINE));
		const all = [
			customerRow('a', options, 'Pat'),
			customerRow('b', options, 'other'),
			...['Pat Bo', ...more].map((name) => customerRow('a', options, name)),
		];
		const { rows } = await runRows(createBatch, all, runtime.context());
		return {
			names: runtime.sent.flatMap(({ body }) =>
				listOf(body, 'customers').map((one) => members(one)['name']),
			),
			outcomes: rows.map(outcomeOf),
			reasons: rows.map(reasonOf),
		};
	};
	const sameAs = (n: number) => `Row ${n} has the same identifier (a)`;

	it('are sent once, and each row that is left out names the row that counts', async () => {
		const first = await run({}, 'Pat Bo');
		expect(first.names).toEqual(['Pat', 'other']);
		expect(first.outcomes).toEqual(['accepted', 'accepted', 'notSent', 'notSent']);
		expect(first.reasons.slice(2)).toEqual([sameAs(1), sameAs(1)]);
		const last = await run({ duplicates: 'keepLast' }, 'Pat Bo');
		expect(last.names).toEqual(['other', 'Pat Bo']);
		expect(last.reasons).toEqual([sameAs(4), 'Sent', sameAs(4), 'Sent']);
	});

	it('stop the run and are named, where that is wanted', async () => {
		const stopped = await run({ duplicates: 'stop', invalidRows: 'sendValid' });
		expect(stopped.names).toEqual([]);
		expect(stopped.outcomes).toEqual(['notSent', 'notSent', 'notSent']);
		const reason =
			'Not sent, because rows 1 and 3 have the same identifier (a). Remove the duplicates, or keep the first';
		expect(stopped.reasons).toEqual([reason, reason, reason]);
	});
});

it.each([
	['phone number (+14155550001)', {}, {}],
	['Person ID (P-1)', { conversationType: 'chat', toPhoneNumber: '' }, { personId: 'P-1' }],
])(
	'a dry run in which duplicates stop the run says so for every row: %s',
	async (same, more, options) => {
		const stop = { dryRun: true, duplicates: 'stop' };
		const run = await startAll([
			callOf(1, { ...stop, ...options }, more),
			callOf(2, stop),
			callOf(1, { ...stop, ...options }, more),
		]);
		expect(run.summary).toContain(
			`Dry run: nothing would be sent, because rows 1 and 3 have the same ${same}`,
		);
		expect(run.outcomes).toEqual(['notSent', 'notSent', 'notSent']);
	},
);
