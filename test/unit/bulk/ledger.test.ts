import fc from 'fast-check';
import { ledgerKeys, markSent, recall, settle } from '../../../src/bulk/ledger';
import type { Outcome } from '../../../src/bulk/outcomes';
import { jsonLedger } from '../../support/fakeWorld';

const failure = { kind: 'held', message: 'no' } as const;
const accepted: Outcome = { outcome: 'accepted', batch: 3, reply: { jobId: 'j', list: [1] } };

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

	it.each<Outcome>([accepted, { outcome: 'unknown', batch: 2, failure }])(
		'answers %j from memory, across JSON',
		(outcome) => {
			const ledger = jsonLedger();
			markSent(ledger, ['k', 'l'], 3);
			settle(ledger, ['k'], outcome);
			const later = jsonLedger(ledger.save());
			expect(recall(later, 'k')).toEqual(outcome);
			expect(recall(later, 'l')).toMatchObject({ outcome: 'unknown' });
		},
	);

	it.each<Outcome>([
		{ outcome: 'rejected', batch: 1, failure },
		{ outcome: 'notSent', failure },
	])('forgets %j, so that it goes again', (outcome) => {
		const ledger = jsonLedger();
		markSent(ledger, ['k'], 1);
		settle(ledger, ['k'], outcome);
		expect(recall(ledger, 'k')).toBeUndefined();
		expect(ledger.save()).toBe('{}');
	});
});
