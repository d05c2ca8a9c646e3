import fc from 'fast-check';
import { sleep } from 'n8n-workflow';
import { prefetch, mapConcurrent } from '../../../src/core/concurrency';

/** A source that counts what it made, and fails after some where that is wanted. */
function counted(count: number, failAfter = Infinity) {
	const made: number[] = [];
	function* source(): Generator<number, void, undefined> {
		for (let i = 0; i < count; i++) {
			if (i === failAfter) throw new Error('broken');
			made.push(i);
			yield i;
		}
	}
	return { made, source: source() };
}

const later = async (): Promise<void> => await sleep(0);

describe('what is made ahead', () => {
	it('is made while the caller waits, up to the most, and nothing before the first is asked for', async () => {
		const { made, source } = counted(9);
		const numbers = prefetch(source, { max: 2, turn: later });
		await later();
		expect(made).toEqual([]);
		expect(numbers.next().value).toBe(0);
		expect(made).toEqual([0]);
		for (let i = 0; i < 9; i++) await later();
		expect(made).toEqual([0, 1, 2]);
		expect([numbers.next().value, numbers.next().value]).toEqual([1, 2]);
		expect(made).toEqual([0, 1, 2]);
	});

	it('is made when it is asked for where there was no time before', () => {
		const { source } = counted(4);
		expect([...prefetch(source, { max: 2, turn: later })]).toEqual([0, 1, 2, 3]);
	});

	it('comes in order, each once, whatever takes how long', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(30),
				fc.integer({ min: 1, max: 5 }),
				fc.array(fc.nat(4), { minLength: 1, maxLength: 8 }),
				async (count, max, turns) => {
					const { made, source } = counted(count);
					const begun: number[] = [];
					await mapConcurrent(prefetch(source, { max, turn: later }), max, async (item, index) => {
						begun.push(item);
						for (let i = 0; i < (turns[index % turns.length] ?? 0); i++) await later();
					});
					expect(begun).toEqual(Array.from({ length: count }, (_, i) => i));
					expect(made).toEqual(begun);
				},
			),
			{ numRuns: 60 },
		);
	});

	it('throws what the source threw, after all that was made before', async () => {
		const { source } = counted(9, 2);
		const numbers = prefetch(source, { max: 5, turn: later });
		expect(numbers.next().value).toBe(0);
		for (let i = 0; i < 9; i++) await later();
		expect(numbers.next().value).toBe(1);
		expect(() => numbers.next()).toThrow('broken');
	});
});
