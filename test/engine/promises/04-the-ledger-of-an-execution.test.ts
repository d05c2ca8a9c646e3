import type { IRunExecutionData } from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { ConversationDesk } from '../../../nodes/ConversationDesk/ConversationDesk.node';
import { nodeContext } from '../../support/nodeContext';
import {
	called,
	calls,
	createBatch,
	mapped,
	outcomeOf,
	retries,
	upsertBatch,
} from '../../support/panel';
import type { Outcome } from '../../support/runNode';
import { runNode, savedOf } from '../../support/runNode';
import { PHONE, phoneOf, uuidOf } from '../../support/samples';
import type { Received, Scripted } from '../../support/service';
import { forget, serve } from '../../support/service';

afterEach(forget);

const create = { ...calls, options: { batching: { batch: { batchSize: 1 } } } };
const rows = [1, 2, 3].map((n) => ({ phone: phoneOf(n) }));
const taken: Scripted = { status: 200 };

it.each<[string, Scripted, string]>([
	['the connection breaks', { broken: 'ECONNRESET' }, 'unknown'],
	['the service fails', { status: 500 }, 'unknown'],
	['the response is broken JSON', { status: 200, body: '{"conv' }, 'unknown'],
	['the service rejects', { status: 400, body: { code: 'BAD_REQUEST' } }, 'rejected'],
])('calls no one twice under Retry On Fail when %s', async (_, fault, outcome) => {
	const received = serve((__, number) => (number === 1 ? fault : taken));
	const settings = { onError: 'continueRegularOutput', ...retries } as const;
	const { main } = await runNode({ rows, parameters: create, settings });
	const again = outcome === 'rejected' ? [phoneOf(1)] : [];
	expect(called(received)).toEqual([...rows.map(({ phone }) => phone), ...again]);
	expect(main.map(outcomeOf)).toEqual([
		again.length > 0 ? 'accepted' : outcome,
		'accepted',
		'accepted',
	]);
});

/** Retries a failed execution from its saved data, with other parameters. */
async function retry(failed: Outcome, parameters: typeof calls, input: typeof rows) {
	forget();
	const received = serve(() => taken);
	const after: IRunExecutionData = savedOf(failed);
	const { error } = await runNode({ rows: input, parameters, after });
	return { error, called: called(received) };
}

it('calls no one again when a failed execution is retried with other settings', async () => {
	serve((_, number) => (number === 2 ? { broken: 'ECONNRESET' } : taken));
	const failed = await runNode({ rows, parameters: create });
	const again = await retry(failed, calls, rows);
	expect(again.called).toEqual([]);
	for (const { error } of [failed, again])
		expect(error?.description).toMatch(/2 called, 1 unknown \(may have arrived\)/);
});

it.each([
	['an upsert again', upsertBatch, [9, 3]],
	['only the rejected customer again', createBatch, [5, 1]],
])('sends %s by Retry On Fail, and by a retry of the execution', async (_, operation, requests) => {
	const { options } = create;
	const parameters = {
		...operation,
		options,
		customer: mapped({ identifier: '={{ $json.phone }}' }),
	};
	const refused = { status: 400, body: { code: 'BAD_REQUEST' } };
	const isBad = ({ body }: Received) => JSON.stringify(body).includes(phoneOf(2));
	const stored = { status: 200, body: { jobId: 'job-1' } };
	const first = serve((request) => (isBad(request) ? refused : stored));
	const failed = await runNode({ rows, parameters, settings: retries });
	forget();
	const second = serve(() => stored);
	const { main } = await runNode({ rows, parameters, after: savedOf(failed) });
	expect([first.length, second.length]).toEqual(requests);
	expect(main.map(outcomeOf)).toEqual(['accepted', 'accepted', 'accepted']);
});

it('remembers a mark in a retry of the execution with another answer', async () => {
	serve(() => ({ status: 400, body: {} }));
	const marked = rows.slice(0, 2).map((row, i) => ({ ...row, mark: i === 0 ? 'yes' : 'no' }));
	const parameters = { ...calls, whoMayBeCalled: 'notMarked', doNotCallColumn: 'mark' };
	const failed = await runNode({ rows: marked, parameters });
	expect((await retry(failed, calls, marked)).called).toEqual([phoneOf(2)]);
});

it.each([
	['one person', [PHONE, PHONE, PHONE], {}, 1],
	['more people than may be called', [1, 2, 3].map(phoneOf), { maximumConversations: 2 }, 2],
])(
	'calls as few where a model calls several times at once: %s',
	async (_, phones, guard, count) => {
		const received = serve(() => ({ status: 200, body: [{ id: uuidOf(1) }] }));
		const desk = new ConversationDesk();
		const inside = {
			description: desk.description,
			parameters: { ...calls, safeguards: guard },
			execution: createRunExecutionData(),
			type: 'conversationDeskTool',
		};
		const runs = phones.map(async (phone) => {
			await desk.execute.call(nodeContext({ ...inside, rows: [{ phone }] }));
		});
		await Promise.allSettled(runs);
		expect(called(received)).toHaveLength(count);
	},
);
