import { statSync } from 'node:fs';
import { join } from 'node:path';
import partition from 'lodash/partition.js';
import { itemsOf } from '../host/execution.mts';
import type { Execution, Json } from '../host/execution.mts';
import type { Example } from './examples.mts';

/** The outcomes of rows that were not accepted. */
export const misses = ['rejected', 'unknown', 'notSent'] as const;

type Miss = (typeof misses)[number];

/** The figures of one execution of an example. */
export interface Figures extends Record<Miss, number> {
	example: Example;
	inputCount: number;
	/** The rows that were accepted, or the tickets. */
	accepted: Json[];
	errors: string[];
	/** The files on disk with their number of rows. */
	files: Array<{ name: string; rows: number }>;
}

/** Reads the figures of an execution; missing files are left out. */
export function readFigures(execution: Execution, example: Example, folder: string): Figures {
	// The outcome is a column, or a detail of an error.
	const rows = [0, 1]
		.flatMap((output) => itemsOf(execution, example.node, output))
		.map((json): Json => ({ ...json, ...Object(json['details']) }));
	const [failed, accepted] = partition(rows, ({ outcome }) => misses.includes(outcome as Miss));
	const count = (miss: Miss) => failed.filter(({ outcome }) => outcome === miss).length;
	const files = Object.entries(example.writes)
		.map(([name, node]) => ({ name, rows: itemsOf(execution, node).length }))
		.filter(({ name }) => statSync(join(folder, name), { throwIfNoEntry: false })?.size);
	return {
		example,
		inputCount: itemsOf(execution, example.input).length,
		accepted,
		rejected: count('rejected'),
		unknown: count('unknown'),
		notSent: count('notSent'),
		errors: failed.map(({ reason }) => String(reason)),
		files,
	};
}
