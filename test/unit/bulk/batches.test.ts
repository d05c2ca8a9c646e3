import fc from 'fast-check';
import { batchesOf } from '../../../src/bulk/send';
import { planOfValues } from '../../support/plan';
import { propertyRuns } from '../../support/propertyRuns.mjs';

const MAX_BYTES = 4_000_000;

/** The texts of each request, made as they are asked for. */
function* cut(
	texts: readonly string[],
	batchSize: number,
	toBody: (text: string) => object = (text) => [text],
) {
	const settings = { batchSize } as Parameters<typeof batchesOf>[2];
	for (const batch of batchesOf(planOfValues(texts), { toBody }, settings))
		yield batch.map((value) => value.content);
}

describe('the requests of a run', () => {
	it('keep every value in its place, and are no more of them than needed within both bounds', () => {
		const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify([text])) + 1;
		fc.assert(
			fc.property(
				fc.array(
					fc.constantFrom('a', 'b'.repeat(1_300_000), 'ü'.repeat(1_000_000), 'c'.repeat(5e6)),
					{
						maxLength: 8,
					},
				),
				fc.integer({ min: 1, max: 4 }),
				(texts, batchSize) => {
					const batches = [...cut(texts, batchSize)];
					expect(batches.flat()).toEqual(texts);
					const sizes = batches.map((batch) => batch.reduce((sum, each) => sum + bytesOf(each), 0));
					for (const [i, batch] of batches.entries()) {
						expect(batch.length).toBeLessThanOrEqual(batchSize);
						if (batch.length > 1) expect(sizes[i]).toBeLessThanOrEqual(MAX_BYTES);
						const [next] = batches[i + 1] ?? [];
						const isFull = (sizes[i] ?? 0) + bytesOf(next ?? '') > MAX_BYTES;
						if (next !== undefined) expect(batch.length === batchSize || isFull).toBe(true);
					}
				},
			),
			propertyRuns(50),
		);
	});

	it('are made one by one, as they are asked for', () => {
		const asked: string[] = [];
		const toBody = (text: string) => [asked.push(text)];
		cut(['1', '2', '3', '4', '5'], 2, toBody).next();
		expect(asked).toEqual(['1', '2', '3']);
	});
});
