import partition from 'lodash/partition';
import { good } from '../../support/credential';
import { useN8nStore } from '../../support/n8nStore';
import { MemoryDedupeStore } from '../../support/dedupeStore';
import { called, calls, outcomeOf } from '../../support/panel';
import { start } from '../../support/runNode';
import type { Scripted } from '../../support/service';
import { forget, serve } from '../../support/service';

let store: MemoryDedupeStore;

beforeEach(async () => {
	store = await useN8nStore();
});
afterEach(forget);

const rows = Array.from({ length: 24 }, (_, n) => ({ phone: `+1415555${1000 + n}` }));

const campaign = {
	...calls,
	options: { batching: { batch: { batchSize: 3, parallelRequests: 2 } } },
	safeguards: { attempts: { limit: { campaignKey: 'spring', maximum: 1 } } },
};

const setup = { rows, parameters: campaign, settings: { onError: 'continueErrorOutput' } } as const;

const FINE: Scripted = { status: 200 };

it.each([
	['with Attempts', campaign],
	['without', { ...campaign, safeguards: {} }],
])('lets two executions at once call everybody once between them, %s', async (_, parameters) => {
	const received = serve(() => FINE);
	const execution = { ...setup, parameters };
	const both = await Promise.all([start(execution).done, start(execution).done]);
	expect(called(received).sort()).toEqual(rows.map(({ phone }) => phone));
	for (const { main, errors } of both) {
		const places = [...main, ...errors].map(
			({ pairedItem }) => (pairedItem as { item: number }).item,
		);
		expect(places.sort((a, b) => a - b)).toEqual(rows.map((_, i) => i));
	}
	const [accepted, otherItems] = partition(
		both.flatMap(({ main, errors }) => [...main, ...errors]),
		(item) => outcomeOf(item) === 'accepted',
	);
	expect([accepted.length, otherItems.length]).toEqual([rows.length, rows.length]);
	for (const item of otherItems) expect(['unknown', 'notSent']).toContain(outcomeOf(item));
	const texts = otherItems.map(({ json }) => String(json['error'] ?? json['reason']));
	for (const text of texts)
		expect(text).toMatch(
			/Called, or maybe called, (?:once in this campaign|in the last 12 hours)$/,
		);
});

it('goes on for the others when the store fails one of them', async () => {
	const received = serve(() => FINE);
	const flaky = new MemoryDedupeStore();
	const check = flaky.checkProcessedAndRecord.bind(flaky);
	let calls = 0;
	flaky.checkProcessedAndRecord = async (items, scope, ...options) => {
		if (scope === 'node') calls += 1;
		if (scope === 'node' && calls === 1) throw new Error('database is locked');
		return await check(items, scope, ...options);
	};
	await useN8nStore(flaky);
	const both = await Promise.all([start(setup).done, start(setup).done]);
	const lists = called(received);
	expect(new Set(lists).size).toBe(lists.length);
	expect(both.map(({ main, errors }) => main.length + errors.length)).toEqual([24, 24]);
	const texts = both.flatMap(({ errors }) => errors.map(({ json }) => String(json['error'])));
	expect(texts.some((text) => text.includes('database is locked'))).toBe(true);
});

it('takes one exchange with the store per request', async () => {
	serve(() => FINE);
	let locks = 0;
	const clear = store.clearAllProcessedItems.bind(store);
	store.clearAllProcessedItems = async (scope, ...options) => {
		if (scope === 'workflow') locks += 1;
		await clear(scope, ...options);
	};
	const parameters = {
		...campaign,
		options: { batching: { batch: { batchSize: 3, parallelRequests: 1 } } },
	};
	await start({ ...setup, parameters }).done;
	expect(locks).toBe(8);
});

it("previews calls without n8n's store", async () => {
	store.failure = new Error('the database is gone');
	const { main } = await start({ ...setup, parameters: { ...campaign, dryRun: true } }).done;
	expect(main.map(outcomeOf)).toEqual(rows.map(() => 'wouldSend'));
	expect(store.records.size).toBe(0);
});

describe('where no one counts attempts', () => {
	const once = { ...setup, parameters: { ...campaign, safeguards: {} } };

	it('starts 60 executions of one person each at once, all called and none twice', async () => {
		const received = serve(() => FINE);
		const people = Array.from({ length: 60 }, (_, n) => ({ phone: `+1415555${2000 + n}` }));
		await Promise.all(people.map(async (person) => await start({ ...once, rows: [person] }).done));
		expect(called(received).sort()).toEqual(people.map(({ phone }) => phone));
	}, 60_000);

	it('calls no one again when the same rows are executed three times', async () => {
		const received = serve(() => FINE);
		await start(once).done;
		for (let i = 0; i < 2; i++) {
			const { main, errors } = await start(once).done;
			expect([main, errors.map(outcomeOf)]).toEqual([[], rows.map(() => 'notSent')]);
			expect(errors[0]?.json['error']).toBe('Row 1: Called, or maybe called, in the last 12 hours');
		}
		expect(called(received).sort()).toEqual(rows.map(({ phone }) => phone));
	});

	it('calls no one again when the address or the workspace of the credential is spelt otherwise', async () => {
		const received = serve(() => FINE);
		await start(once).done;
		for (const credential of [
			{ ...good, baseUrl: 'https://DESK.test:443' },
			{ ...good, workspaceId: good.workspaceId.toUpperCase() },
		])
			expect((await start({ ...once, credential }).done).errors.map(outcomeOf)).toEqual(
				rows.map(() => 'notSent'),
			);
		expect(called(received).sort()).toEqual(rows.map(({ phone }) => phone));
	});

	it('leaves the data of a Remove Duplicates node with scope workflow alone', async () => {
		const theirs = { mode: 'entries', data: ['a', 'b'] };
		store.records.set('test/', theirs);
		const received = serve(() => FINE);
		await Promise.all([start(once).done, start(once).done]);
		expect(called(received)).toHaveLength(rows.length);
		expect(store.records.get('test/')).toEqual(theirs);
	});
});
