import { get } from '../../src/conversations/get/get';
import type { Script } from './fakeRuntime';
import { fakeRuntime, reply } from './fakeRuntime';
import { uuidOf } from './samples';
import { runRows } from './runRows';

type Settings = Parameters<typeof fakeRuntime>[1];

/** Conversations that finish some ms after the start of the clock, the n-th of them after `ends[n]`. */
export const endingAt =
	(...ends: readonly number[]): Script =>
	({ path, at }) => {
		const id = path.split('/')[2] ?? '';
		const end = ends[Number.parseInt(id.slice(-12), 16)] ?? Infinity;
		return reply(200, { id, conversationStatus: at >= end ? 'completed' : 'in_progress' });
	};

/** Waits for conversations, from 0 ms on, and tells the requests by number of the conversation and time. */
export async function wait(script: Script, rows: readonly object[], settings: Settings = {}) {
	const w = fakeRuntime(script, { start: 0, ...settings });
	const run = await runRows(
		get,
		rows.map((row) => ({ parameters: { waitUntilFinished: true, ...row } })),
		w.context(),
	);
	const asked = w.sent.map(
		({ path, at }) => [Number.parseInt(path.slice(-12), 16), at / 1000] as const,
	);
	return { ...run, asked, now: w.runtime.now(), pauses: w.pauses };
}

/** The parameters of a row that waits for the n-th conversation. */
export const rowOf = (n: number, options: object = {}) => ({ conversationId: uuidOf(n), options });
/** One row, for conversation 0. */
export const one = (options: object = {}) => [rowOf(0, options)];
/** When requests were made, in seconds. */
export const seconds = (asked: ReadonlyArray<readonly [number, number]>) =>
	asked.map(([, at]) => at);
