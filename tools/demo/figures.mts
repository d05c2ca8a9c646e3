import { statSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOf } from '../host/execution.mts';
import type { Execution, Json } from '../host/execution.mts';
import type { Example } from './examples.mts';

/** How rows that did not go through are named in `details.outcome` of their error items. */
export const misses = ['rejected', 'unknown', 'notSent'] as const;

type Miss = (typeof misses)[number];

/** What one run of an example did, as n8n saved it. */
export interface Figures extends Record<Miss, number> {
	example: Example;
	rowsIn: number;
	/** The items of the success output: rows that were accepted, or tickets. */
	accepted: Json[];
	errors: string[];
	/** The files on disk with their number of rows. */
	files: Array<{ name: string; rows: number }>;
}

/** Reads the figures of an execution; a file that should be there and is not is left out. */
export function readFigures(execution: Execution, example: Example, folder: string): Figures {
	const failed = itemsOf(execution, example.node, 1);
	const count = (outcome: Miss) =>
		failed.filter(({ details }) => (details as Json | undefined)?.['outcome'] === outcome).length;
	const files = Object.entries(example.writes)
		.map(([name, node]) => ({ name, rows: itemsOf(execution, node).length }))
		.filter(({ name }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size);
	return {
		example,
		rowsIn: itemsOf(execution, example.input).length,
		accepted: itemsOf(execution, example.node),
		rejected: count('rejected'),
		unknown: count('unknown'),
		notSent: count('notSent'),
		errors: failed.map(({ error }) => String(error)),
		files,
	};
}
