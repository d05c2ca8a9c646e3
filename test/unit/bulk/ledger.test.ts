import {
	lastBatch,
	ledgerKeys,
	markSent,
	recall,
	recallSent,
	settle,
	settleEach,
} from '../../../src/bulk/ledger';
import type { SendSettings } from '../../../src/bulk/operation';
import type { Outcome } from '../../../src/bulk/outcomes';
import type { HttpResult, HttpResponse } from '../../../src/core/http';
import { createBatch } from '../../../src/customers/createBatch';
import { fakeRuntime, jsonLedger, lost, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';

const failure = { kind: 'held', message: 'no' } as const;
const accepted: Outcome = {
	outcome: 'accepted',
	batch: 3,
	reply: { jobId: 'j', list: [1] },
	paired: false,
};

const settings = { duplicates: 'keepFirst' } as SendSettings;
const context = { account: 'workspace', round: 0 };
const operation = {
	identity: { of: ({ id }: Value) => id, describe: ({ id }: Value) => id, parameter: 'id' },
	ledgerScope: () => 'create',
	toBody: (value: Value) => value,
};

interface Value {
	readonly id: string;
	readonly note?: string;
}

const listed = (values: readonly Value[], keyOf: (index: number) => string) =>
	values.map((_, index) => keyOf(index));

describe('the key of a value', () => {
	const keysOf = (values: readonly Value[], more: object = {}, of: object = {}) =>
		listed(values, ledgerKeys(values, { ...operation, ...more }, settings, { ...context, ...of }));

	it('is who it is for, whatever travels along, and does not hold it', () => {
		const [key] = keysOf([{ id: '+14155550178' }]);
		expect(keysOf([{ id: 'x' }, { id: '+14155550178', note: 'now' }])[1]).toBe(key);
		expect(key).not.toContain('4155550');
	});

	it('is the same in every version, so a retry after an update knows what was sent', () => {
		const update = { resendsChanged: () => true };
		const attempts = { attempts: () => ({ max: 2 }) };
		const all = { duplicates: 'sendAll' } as SendSettings;
		const values = [{ id: 'a' }, { id: 'a' }];
		expect([
			...keysOf([{ id: 'a' }]),
			...keysOf([{ id: 'a' }], update),
			...keysOf([{ id: 'a' }], attempts, { round: 2 }),
			...listed(values, ledgerKeys(values, operation, all, context)),
		]).toEqual([
			'dA8dQLf3VtoyyXHP',
			'gEbhM3cGTmS1PWyD',
			'C6vIpmu4O_kzUCOb',
			'f7SsMamizL1cnOi7',
			'AIJ5xc77sdwLsznP',
		]);
	});

	it('differs by operation, workspace and address', () => {
		const keys = [
			...keysOf([{ id: 'a' }]),
			...keysOf([{ id: 'a' }], { ledgerScope: () => 'other' }),
			...keysOf([{ id: 'a' }], {}, { account: 'other' }),
		];
		expect(new Set(keys).size).toBe(3);
	});

	it('counts content only where a changed value goes again', () => {
		const update = { resendsChanged: () => true };
		const [a, b, c] = keysOf(
			[
				{ id: 'a', note: '1' },
				{ id: 'a', note: '2' },
				{ id: 'a', note: '1' },
			],
			update,
		);
		expect(a).toBe(c);
		expect(a).not.toBe(b);
	});

	it('counts occurrences and rounds only where duplicates are sent by choice', () => {
		const all = { duplicates: 'sendAll' } as SendSettings;
		const values = [{ id: 'a' }, { id: 'a' }];
		const first = listed(values, ledgerKeys(values, operation, all, context));
		const next = { ...context, round: 1 };
		const second = listed(values, ledgerKeys(values, operation, all, next));
		expect(new Set([...first, ...second]).size).toBe(4);
		expect(new Set(keysOf(values)).size).toBe(1);
	});
});

describe('the ledger', () => {
	it('knows nothing of what was never sent', () => {
		expect(recall(jsonLedger(), 'k', 0)).toBeUndefined();
	});

	it('calls unknown what was sent and never settled', () => {
		const ledger = jsonLedger();
		markSent(ledger, { number: 7, keys: ['k'] }, 0);
		expect(recall(jsonLedger(ledger.save()), 'k', 0)).toMatchObject({
			outcome: 'unknown',
			batch: 7,
			failure: {
				kind: 'connection',
				call: 'an earlier attempt of this node',
				code: 'INTERRUPTED',
				sent: 'unknown',
				message: 'it was interrupted before the response came',
			},
		});
	});

	it('calls unknown what has no batch any more', () => {
		const ledger = jsonLedger();
		ledger.record('k', 5);
		expect(recall(ledger, 'k', 0)).toMatchObject({ outcome: 'unknown', batch: 5 });
		ledger.record('l', { batch: 6, reply: 1 });
		expect(recall(ledger, 'l', 0)).toMatchObject({ outcome: 'accepted', batch: 6, reply: 1 });
	});

	it('keeps what it needs and no more', () => {
		const ledger = jsonLedger();
		markSent(ledger, { number: 1, keys: ['k', 'l'] }, 3);
		expect(JSON.parse(ledger.save())).toEqual({
			'#': 1,
			'+': 2,
			'#1': { round: 3, outcome: 'sent' },
			k: 1,
			l: 1,
		});
		settleEach(ledger, { number: 1, keys: ['k', 'l'] }, { replies: ['x', 'y'], round: 3 });
		expect(JSON.parse(ledger.save())).toMatchObject({
			'#1': { round: 3, outcome: 'accepted' },
			k: { batch: 1, reply: 'x' },
		});
		settle(
			ledger,
			{ number: 1, keys: ['k', 'l'] },
			{ outcome: { outcome: 'unknown', failure }, round: 3 },
		);
		expect(JSON.parse(ledger.save())).toMatchObject({
			'#1': { round: 3, outcome: 'unknown', failure },
		});
	});

	it('notes outcomes of what is known, and says which', () => {
		const ledger = jsonLedger();
		const outcomes = [undefined, accepted, undefined];
		const keyOf = (index: number) => `k${index}`;
		const recalled = () => recallSent({ outcomes }, keyOf, { ledger, round: 0 });
		expect(recalled()).toEqual([]);
		markSent(ledger, { number: 1, keys: ['k1', 'k2'] }, 0);
		expect(recalled()).toEqual([2]);
		expect(outcomes).toEqual([undefined, accepted, recall(ledger, 'k2', 0)]);
	});

	it.each<Outcome>([accepted, { outcome: 'unknown', batch: 3, failure }])(
		'answers %j from memory, across JSON, and says so once for all of its batch',
		(outcome) => {
			const ledger = jsonLedger();
			markSent(ledger, { number: 3, keys: ['k', 'l'] }, 0);
			markSent(ledger, { number: 4, keys: ['m'] }, 0);
			settle(ledger, { number: 3, keys: ['k', 'l'] }, { outcome, round: 0 });
			const later = jsonLedger(ledger.save());
			expect([recall(later, 'k', 0), recall(later, 'l', 0)]).toEqual([outcome, outcome]);
			expect(recall(later, 'm', 0)).toMatchObject({ outcome: 'unknown', batch: 4 });
		},
	);

	it('answers each value with the reply of its own, where there was one', () => {
		const ledger = jsonLedger();
		markSent(ledger, { number: 1, keys: ['k', 'l', 'm'] }, 0);
		settleEach(
			ledger,
			{ number: 1, keys: ['k', 'l', 'm'] },
			{ replies: [{ id: 'a' }, undefined, null], round: 0 },
		);
		const later = jsonLedger(ledger.save());
		const own = { outcome: 'accepted', batch: 1, paired: true };
		expect(recall(later, 'k', 0)).toEqual({ ...own, reply: { id: 'a' } });
		expect(recall(later, 'l', 0)).toEqual({ ...own, reply: undefined });
		expect(recall(later, 'm', 0)).toEqual({ ...own, reply: null });
	});

	it.each<Outcome>([
		{ outcome: 'rejected', batch: 1, failure },
		{ outcome: 'notSent', failure },
	])('forgets %j but for the number of its batch, so it goes again', (outcome) => {
		const ledger = jsonLedger();
		markSent(ledger, { number: 1, keys: ['k'] }, 0);
		settle(ledger, { number: 1, keys: ['k'] }, { outcome, round: 0 });
		expect(recall(ledger, 'k', 0)).toBeUndefined();
		expect(JSON.parse(ledger.save())).toEqual({ '#': 1, '+': 0 });
	});

	it('keeps the number of the last batch before that is sent', () => {
		const ledger = jsonLedger();
		expect(lastBatch(ledger)).toBe(0);
		markSent(ledger, { number: 1, keys: ['k'] }, 0);
		markSent(ledger, { number: 2, keys: ['l'] }, 0);
		expect(lastBatch(jsonLedger(ledger.save()))).toBe(2);
	});
});

const customers = (count: number, batchSize: number) =>
	Array.from({ length: count }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `C-${100_000 + i}`, name: `Customer ${i}`, phoneNumber: '' },
			options: { batchSize, parallelRequests: 1 },
		},
	}));

const job = (n: number) => reply(200, { jobId: `5f0c6a3e-9d1b-4e7a-8c25-${String(n).repeat(12)}` });

describe('the ledger of a run', () => {
	it('answers every row from the batch that took it, in every later attempt', async () => {
		const rows = customers(6, 2);
		let saved = '{}';
		const attempt = async (...script: HttpResult[]) => {
			const ledger = jsonLedger(saved);
			const runtime = fakeRuntime((_, number) => script[number - 1] ?? reply(500));
			const run = await runRows(createBatch, rows, runtime.context(ledger));
			saved = ledger.save();
			expect(runtime.sent).toHaveLength(script.length);
			return run.rows.map(({ items, details }) => items[0] ?? details);
		};
		const two = (facts: object) => [facts, facts];
		const taken = (batch: number, { text }: HttpResponse) =>
			two({ outcome: 'accepted', batch, ...(JSON.parse(text) as object) });
		const unknown = two({ outcome: 'unknown', batch: 2 });
		expect(await attempt(job(1), lost(), reply(400))).toMatchObject([
			...[...taken(1, job(1)), ...unknown, ...two({ outcome: 'rejected', batch: 3 })],
		]);
		const told = [...taken(1, job(1)), ...unknown, ...taken(4, job(2))];
		expect(await attempt(job(2))).toMatchObject(told);
		expect(await attempt()).toMatchObject(told);
	});
});
