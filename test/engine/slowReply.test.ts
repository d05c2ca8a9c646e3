import { runNode } from '../support/runNode';
import type { RunningSandbox } from '../support/sandbox.mts';
import { startSandbox } from '../support/sandbox.mts';

const service: { sandbox?: RunningSandbox } = {};

beforeAll(async () => {
	service.sandbox = await startSandbox();
}, 20_000);

afterAll(async () => await service.sandbox?.stop());

it('gives up a reply that drips for longer than the timeout, and says that it may have arrived', async () => {
	const { sandbox } = service;
	if (!sandbox) throw new Error('The sandbox does not run');
	await sandbox.fault({ kind: 'slowBody', msPerChunk: 300, chunks: 100 });
	const { main, error } = await runNode({
		rows: [{ phone: '+14155550178' }],
		parameters: {
			resource: 'conversation',
			operation: 'create',
			dryRun: false,
			agentId: '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60',
			toPhoneNumber: '={{ $json.phone }}',
			options: { sending: { requests: { timeout: 1 } } },
		},
		settings: { onError: 'continueRegularOutput' },
		credential: sandbox.credential,
	});
	expect(error).toBeUndefined();
	expect(main[0]?.json['details']).toMatchObject({ outcome: 'unknown', code: 'ETIMEDOUT' });
	expect((await sandbox.counts()).conversationsCreated).toBe(1);
}, 30_000);
