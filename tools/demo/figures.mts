import { statSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf } from '../host/execution.mts';
import type { Execution, Json } from '../host/execution.mts';
import type { Example } from './examples.mts';

/** The outcomes of failed rows, as `details.outcome` of their items names them. */
export const misses = ['rejected', 'unknown', 'notSent'] as const;

type Miss = (typeof misses)[number];

/** The figures of one execution of an example. */
export interface Figures extends Record<Miss, number> {
	example: Example;
	inputCount: number;
	/** The items of the success output: accepted rows, or tickets. */
	accepted: Json[];
	errors: string[];
	/** The files on disk with their number of rows. */
	files: Array<{ name: string; rows: number }>;
}

/** Reads the figures of an execution; missing files are left out. */
export function readFigures(execution: Execution, example: Example, folder: string): Figures {
	const failed = itemsOf(execution, example.node, 1);
	const count = (outcome: Miss) =>
		failed.filter(({ details }) => (details as Json | undefined)?.['outcome'] === outcome).length;
	const files = Object.entries(example.writes)
		.map(([name, node]) => ({ name, rows: itemsOf(execution, node).length }))
		.filter(({ name }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size);
	return {
		example,
		inputCount: itemsOf(execution, example.input).length,
		accepted: itemsOf(execution, example.node),
		rejected: count('rejected'),
		unknown: count('unknown'),
		notSent: count('notSent'),
		errors: failed.map(({ error }) => String(error)),
		files,
	};
}
