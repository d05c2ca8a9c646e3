import type { IExecuteFunctions } from 'n8n-workflow';
import type { Known, Memory } from '../../src/core/memory';
import type { Result } from '../../src/core/result';
import { fail, ok } from '../../src/core/result';
import { createTurns } from '../../src/core/turns';

/** Two entries a person; n8n rewrites all of them with every call, and drops the oldest above this. */
const MOST_ENTRIES = 100_000;

const OPTIONS = { mode: 'entries', maxEntries: MOST_ENTRIES } as const;

/** n8n reads its store, then writes it: executions of one workflow at the same moment have to take turns. */
const turns = createTurns();

const sentKey = (key: string): string => `sent:${key}`;
const doneKey = (key: string): string => `done:${key}`;

/** A memory in n8n's own database, for this node of a saved workflow; its calls take turns in this process. */
export function memoryOf(context: IExecuteFunctions): Memory {
	const { helpers } = context;
	const turn = turns.of(JSON.stringify([context.getWorkflow().id, context.getNode().id]));
	const attempt = async <T>(call: () => Promise<T>): Promise<Result<T, string>> => {
		try {
			return ok(await turn(call));
		} catch (error) {
			return fail(error instanceof Error ? error.message : String(error));
		}
	};
	const known = async (keys: string[]): Promise<Set<unknown>> =>
		new Set((await helpers.checkProcessedAndRecord(keys, 'node', OPTIONS)).processed);
	return {
		claim: async (keys) =>
			await attempt(async () => {
				const sent = await known(keys.map(sentKey));
				const before = keys.filter((key) => sent.has(sentKey(key)));
				// To ask is to record, so that what was not done yet is forgotten again.
				const done = before.length > 0 ? await known(before.map(doneKey)) : new Set();
				const notDone = before.map(doneKey).filter((key) => !done.has(key));
				if (notDone.length > 0) await helpers.removeProcessed(notDone, 'node', OPTIONS);
				const stateOf = (key: string): Known =>
					!sent.has(sentKey(key)) ? 'new' : done.has(doneKey(key)) ? 'done' : 'sent';
				return new Map(keys.map((key) => [key, stateOf(key)]));
			}),
		settle: async (keys) =>
			await attempt(async () => {
				await known(keys.map(doneKey));
			}),
		release: async (keys) =>
			await attempt(async () => await helpers.removeProcessed(keys.map(sentKey), 'node', OPTIONS)),
	};
}
