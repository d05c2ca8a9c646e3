import type { Known, Memory } from '../core/memory';
import type { Result } from '../core/result';
import type { Outcome } from './outcomes';

/** The memory across executions, and the key of a value in it. */
export interface Remembering<T> {
	readonly memory: Memory;
	readonly keyOf: (value: T) => string;
}

/** Why a value is not sent, from what the memory knew of it, or undefined where it may be. */
export function rememberedOutcome(
	claimed: Result<ReadonlyMap<string, Known>, string>,
	key: string,
): Outcome | undefined {
	if (!claimed.ok) {
		const message = `Not sent, because the memory of people already contacted failed (${claimed.failure}). Save the workflow, or turn 'Skip People Already Contacted' off`;
		return { outcome: 'notSent', failure: { kind: 'held', message } };
	}
	switch (claimed.value.get(key)) {
		case 'done':
			return {
				outcome: 'notSent',
				failure: {
					kind: 'skipped',
					message: 'Not sent, because an earlier run contacted this person already',
				},
			};
		case 'sent':
			return {
				outcome: 'unknown',
				failure: {
					kind: 'connection',
					call: 'another run of this node',
					sent: 'unknown',
					code: 'CLAIMED',
					message: 'it is under way, or ended before the reply came',
				},
			};
		default:
			return undefined;
	}
}

/** Writes down how sent values ended: accepted ones are done, unknown ones stay as sent, the others are released. */
export async function writeDown(
	memory: Memory,
	sent: ReadonlyArray<{ key: string; outcome: Outcome | undefined }>,
): Promise<void> {
	const keysOf = (...names: ReadonlyArray<Outcome['outcome']>) =>
		sent.flatMap(({ key, outcome }) => (outcome && names.includes(outcome.outcome) ? [key] : []));
	const done = keysOf('accepted');
	const released = keysOf('rejected', 'notSent');
	// A failure here leaves them as sent, which at worst reports them as unknown next time.
	if (done.length > 0) await memory.settle(done);
	if (released.length > 0) await memory.release(released);
}
