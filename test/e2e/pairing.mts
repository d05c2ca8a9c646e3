import assert from 'node:assert/strict';
import { itemsOf, runsOf } from '../../tools/host/execution.mts';
import type { Execution, Json } from '../../tools/host/execution.mts';

/** An output item with the input row it belongs to. */
export interface Paired {
	row: number;
	input: Json;
	json: Json;
}

/** The items of an output of a node, each with its input row, which `before` put out. */
export function pairedItems(
	execution: Execution,
	{ node, before }: { node: string; before: string },
	output: 0 | 1,
): Paired[] {
	const inputs = itemsOf(execution, before);
	return (runsOf(execution, node)[0]?.data?.main[output] ?? []).map(({ json, pairedItem }) => {
		const row = (pairedItem as { item: number }).item;
		return { row, input: inputs[row] ?? {}, json };
	});
}

/** Asserts that every input row ended in exactly one item of one of the outputs. */
export function eachRowOnce(count: number, ...outputs: ReadonlyArray<readonly Paired[]>): void {
	const rows = outputs.flat().map(({ row }) => row);
	assert.deepEqual(
		rows.sort((a, b) => a - b),
		Array.from({ length: count }, (_, row) => row),
	);
}
