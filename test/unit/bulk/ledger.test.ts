import fc from 'fast-check';
import {
	lastBatch,
	ledgerKey,
	markSent,
	recall,
	settle,
	settleEach,
} from '../../../src/bulk/ledger';
import type { Outcome } from '../../../src/bulk/outcomes';
import type { Answer, Reply } from '../../../src/core/request';
import { createBatch } from '../../../src/customers/createBatch';
import { fakeWorld, jsonLedger, lost, reply } from '../../support/fakeWorld';

const failure = { kind: 'held', message: 'no' } as const;
const accepted: Outcome = {
	outcome: 'accepted',
	batch: 3,
	reply: { jobId: 'j', list: [1] },
	paired: false,
};

const ledgerKeys = (operation: string, texts: readonly string[]): string[] => {
	const seen = new Map<string, number>();
	return texts.map((text) => ledgerKey(operation, text, seen));
};

describe('the key of a value', () => {
	it('comes of its content and its occurrence', () => {
		const [a1, b1, a2] = ledgerKeys('x', ['a', 'b', 'a']);
		expect(new Set([a1, b1, a2]).size).toBe(3);
		expect(ledgerKeys('x', ['a', 'a'])).toEqual([a1, a2]);
		expect(ledgerKeys('x', ['b', 'c', 'a'])[2]).toBe(a1);
		expect(ledgerKeys('y', ['a'])[0]).not.toBe(a1);
	});

	it('is one for each value, and does not hold its content', () => {
		fc.assert(
			fc.property(fc.array(fc.constantFrom('+14155550178', '+14155550179', 'x')), (texts) => {
				const keys = ledgerKeys('x', texts);
				expect(new Set(keys).size).toBe(texts.length);
				expect(keys.join()).not.toContain('4155550');
			}),
		);
	});

	it('is of the same set, in whatever order the values come', () => {
		fc.assert(
			fc.property(
				fc
					.array(fc.constantFrom('a', 'b', 'c'))
					.chain((texts) =>
						fc.tuple(
							fc.constant(texts),
							fc.shuffledSubarray(texts, { minLength: texts.length, maxLength: texts.length }),
						),
					),
				([texts, shuffled]) => {
					expect(ledgerKeys('x', shuffled).sort()).toEqual(ledgerKeys('x', texts).sort());
				},
			),
		);
	});
});

describe('the ledger', () => {
	it('knows nothing of what was never sent', () => {
		expect(recall(jsonLedger(), 'k')).toBeUndefined();
	});

	it('calls unknown what was sent and never settled', () => {
		const ledger = jsonLedger();
		markSent(ledger, ['k'], 7);
		expect(recall(jsonLedger(ledger.save()), 'k')).toMatchObject({
			outcome: 'unknown',
			batch: 7,
			failure: { kind: 'connection', code: 'INTERRUPTED', sent: 'unknown' },
		});
	});

	it.each<Outcome>([accepted, { outcome: 'unknown', batch: 3, failure }])(
		'answers %j from memory, across JSON, and says so once for all of its batch',
		(outcome) => {
			const ledger = jsonLedger();
			markSent(ledger, ['k', 'l'], 3);
			markSent(ledger, ['m'], 4);
			settle(ledger, ['k', 'l'], 3, outcome);
			const later = jsonLedger(ledger.save());
			expect([recall(later, 'k'), recall(later, 'l')]).toEqual([outcome, outcome]);
			expect(recall(later, 'm')).toMatchObject({ outcome: 'unknown', batch: 4 });
		},
	);

	it('answers each value with the reply of its own, where there was one', () => {
		const ledger = jsonLedger();
		markSent(ledger, ['k', 'l', 'm'], 1);
		settleEach(ledger, ['k', 'l', 'm'], 1, [{ id: 'a' }, undefined, null]);
		const later = jsonLedger(ledger.save());
		const own = { outcome: 'accepted', batch: 1, paired: true };
		expect(recall(later, 'k')).toEqual({ ...own, reply: { id: 'a' } });
		expect(recall(later, 'l')).toEqual({ ...own, reply: undefined });
		expect(recall(later, 'm')).toEqual({ ...own, reply: null });
	});

	it.each<Outcome>([
		{ outcome: 'rejected', batch: 1, failure },
		{ outcome: 'notSent', failure },
	])('forgets %j but for the number of its batch, so that it goes again', (outcome) => {
		const ledger = jsonLedger();
		markSent(ledger, ['k'], 1);
		settle(ledger, ['k'], 1, outcome);
		expect(recall(ledger, 'k')).toBeUndefined();
		expect(JSON.parse(ledger.save())).toEqual({ '#': 1 });
	});

	it('keeps the number of the last batch before that is sent', () => {
		const ledger = jsonLedger();
		expect(lastBatch(ledger)).toBe(0);
		markSent(ledger, ['k'], 1);
		markSent(ledger, ['l'], 2);
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
		const attempt = async (...script: Answer[]) => {
			const ledger = jsonLedger(saved);
			const world = fakeWorld((_, number) => script[number - 1] ?? reply(500));
			const run = await createBatch.run(rows, world.desk(ledger));
			saved = ledger.save();
			expect(world.sent).toHaveLength(script.length);
			return run.rows.map(({ items, details }) => items[0] ?? details);
		};
		const two = (facts: object) => [facts, facts];
		const taken = (batch: number, { text }: Reply) =>
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
