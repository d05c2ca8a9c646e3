import { DataDeduplicationService } from 'n8n-core';
import type { DeduplicationItemTypes, IDataDeduplicator, INodeExecutionData } from 'n8n-workflow';
import { start } from '../support/runNode';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

/** n8n's store as it is: each call reads everything, and writes everything after a while. */
let stored: readonly DeduplicationItemTypes[] = [];

const moment = async () => {
	for (let i = 0; i < 20; i++) await Promise.resolve();
};

const store: Partial<IDataDeduplicator> = {
	checkProcessedAndRecord: async (items) => {
		const before = stored;
		await moment();
		const processed = items.filter((item) => before.includes(item));
		const fresh = items.filter((item) => !before.includes(item));
		stored = [...before, ...fresh];
		return { new: fresh, processed };
	},
	removeProcessed: async (items) => {
		const before = stored;
		await moment();
		stored = before.filter((item) => !items.includes(item));
	},
};

beforeAll(async () => await DataDeduplicationService.init(store as IDataDeduplicator));
beforeEach(() => {
	stored = [];
});
afterEach(forget);

const rows = Array.from({ length: 24 }, (_, n) => ({ phone: `+1415555${1000 + n}` }));

const campaign = {
	resource: 'conversation',
	operation: 'create',
	agentId: '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
	toPhoneNumber: '={{ $json.phone }}',
	options: { skipContacted: true, batchSize: 3, parallelRequests: 2 },
};

const setup = { rows, parameters: campaign, settings: { onError: 'continueErrorOutput' } } as const;

const called = (received: readonly Received[]): string[] =>
	received.flatMap(({ body }) =>
		(body as { conversations: Array<{ toPhoneNumber: string }> }).conversations.map(
			({ toPhoneNumber }) => toPhoneNumber,
		),
	);

const FINE: Scripted = { status: 200 };

const outcomeOf = ({ json }: INodeExecutionData): unknown =>
	json['outcome'] ?? (json['details'] as { outcome: string }).outcome;

it('lets two executions at once call everybody once between them', async () => {
	const received = serve(() => FINE);
	const both = await Promise.all([start(setup).done, start(setup).done]);
	expect(called(received).sort()).toEqual(rows.map(({ phone }) => phone));
	for (const { main, errors } of both) {
		const places = [...main, ...errors].map(
			({ pairedItem }) => (pairedItem as { item: number }).item,
		);
		expect(places.sort((a, b) => a - b)).toEqual(rows.map((_, i) => i));
	}
	expect(both.flatMap(({ main }) => main)).toHaveLength(rows.length);
	const others = both.flatMap(({ errors }) => errors);
	expect(others).toHaveLength(rows.length);
	for (const item of others) expect(['unknown', 'notSent']).toContain(outcomeOf(item));
	const texts = others.map(({ json }) => String(json['error']));
	for (const text of texts)
		expect(text).toMatch(
			/another run of this node is contacting this person|an earlier run contacted/,
		);
});

it('remembers everybody whom two executions at once called', async () => {
	serve(() => FINE);
	await Promise.all([start(setup).done, start(setup).done]);
	forget();
	const received = serve(() => FINE);
	const { main, errors } = await start(setup).done;
	expect(received).toEqual([]);
	expect(main).toEqual([]);
	expect(errors.map(outcomeOf)).toEqual(rows.map(() => 'notSent'));
});

it('goes on for the others when the store fails one of them', async () => {
	const received = serve(() => FINE);
	const check = store.checkProcessedAndRecord;
	let calls = 0;
	store.checkProcessedAndRecord = async (...given) => {
		calls += 1;
		if (calls === 1) throw new Error('database is locked');
		return (await check?.(...given)) ?? { new: [], processed: [] };
	};
	const both = await Promise.all([start(setup).done, start(setup).done]);
	store.checkProcessedAndRecord = check as IDataDeduplicator['checkProcessedAndRecord'];
	const lists = called(received);
	expect(new Set(lists).size).toBe(lists.length);
	expect(both.map(({ main, errors }) => main.length + errors.length)).toEqual([24, 24]);
	const texts = both.flatMap(({ errors }) => errors.map(({ json }) => String(json['error'])));
	expect(texts.filter((text) => text.includes('database is locked'))).toHaveLength(3);
});
