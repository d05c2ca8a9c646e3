import { map } from 'lodash';
import { ConversationDesk } from '../../../nodes/ConversationDesk/ConversationDesk.node';
import { connect } from '../../../nodes/ConversationDesk/transport';
import { nodeContext } from '../../support/nodeContext';
import { called, calls, outcomeOf, retries } from '../../support/panel';
import { start } from '../../support/runNode';
import { phoneOf } from '../../support/samples';
import { forget, serve } from '../../support/service';

afterEach(forget);

it('starts no request after a stop', async () => {
	const execution: { cancel?: () => void } = {};
	const received = serve((_, number) => {
		if (number === 2) execution.cancel?.();
		return { status: 200 };
	});
	const { done, cancel } = start({
		rows: [1, 2, 3].map((n) => ({ phone: phoneOf(n) })),
		parameters: { ...calls, options: { batching: { batch: { batchSize: 1 } } } },
	});
	execution.cancel = cancel;
	await done;
	expect(called(received)).toEqual([phoneOf(1), phoneOf(2)]);
});

it('answers from memory what was sent before a stop, if n8n tries again', async () => {
	const execution: { cancel?: () => void } = {};
	const received = serve((_, number) => {
		if (number === 2) execution.cancel?.();
		return { status: 200, body: { conversations: [{ conversationId: `id-${number}` }] } };
	});
	const { done, cancel } = start({
		rows: [0, 1, 2, 3].map((n) => ({ phone: phoneOf(n), dnc: n === 0 ? 'yes' : '' })),
		parameters: {
			...calls,
			whoMayBeCalled: 'notMarked',
			doNotCallColumn: 'dnc',
			options: { batching: { batch: { batchSize: 1 } } },
		},
		// n8n tries again, because the first item is an error.
		settings: { ...retries, onError: 'continueErrorOutput' },
	});
	execution.cancel = cancel;
	const { main, errors } = await done;
	expect(called(received)).toEqual([phoneOf(1), phoneOf(2)]);
	expect(main.map(outcomeOf)).toEqual(['accepted']);
	expect(map(errors, 'json.details.outcome')).toEqual(['notSent', 'unknown', 'notSent']);
});

it('tells a request that was in flight from one that was never sent', async () => {
	const user = new AbortController();
	const received = serve(() => {
		user.abort();
		return { status: 200, body: {} };
	});
	const { description } = new ConversationDesk();
	const runtime = await connect(nodeContext({ description, stop: user.signal }));
	if (!runtime.ok) throw new Error('There is no connection');
	const request = { method: 'GET', path: '/conversations/1', idempotent: true } as const;
	expect(await runtime.value.send(request)).toMatchObject({ sent: 'unknown', code: 'ABORTED' });
	expect(await runtime.value.send(request)).toMatchObject({ sent: 'no', code: 'CANCELED' });
	expect(received).toHaveLength(1);
});

it('ends a wait for conversations at once', async () => {
	const execution: { cancel?: () => void } = {};
	const received = serve(({ path }) => {
		void Promise.resolve().then(() => execution.cancel?.());
		return { status: 200, body: { id: path.split('/').at(-1), conversationStatus: 'queued' } };
	});
	const { done, cancel } = start({
		rows: [{ id: '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40' }],
		parameters: {
			resource: 'conversation',
			operation: 'get',
			conversationId: '={{ $json.id }}',
			waitUntilFinished: true,
			options: { firstPause: 120 },
		},
	});
	execution.cancel = cancel;
	const startedAt = Date.now();
	await done;
	expect(Date.now() - startedAt).toBeLessThan(20_000);
	expect(received).toHaveLength(1);
});
