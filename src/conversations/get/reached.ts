import { z } from 'zod/v4';
import type { Conversation } from './conversation';

const NAMES = 'must be names of end reasons separated by commas, e.g. user_did_not_answer';

/** The end reasons after which a person may be called again: text separated by commas, or a list. */
export const endReasons = z.preprocess(
	(value) => (typeof value === 'string' ? value.split(',') : value),
	z
		.array(z.string({ error: NAMES }), { error: NAMES })
		.transform((names) => names.map(normal).filter((name) => name !== '')),
);

const normal = (reason: string): string => reason.trim().toLowerCase();

/** How a conversation is judged: whether it is over, and which end reasons mean that the person was not reached. */
export interface ReachedSettings {
	readonly finished: boolean;
	readonly notReached: readonly string[];
}

/** Whether a conversation reached its person, and whether to call again: never for a reason that is not listed. */
export function reachedBy(
	{ endReason, userJoinTime }: Conversation,
	{ finished, notReached }: ReachedSettings,
): { readonly reached: boolean | 'unknown'; readonly callAgain: boolean } {
	const hasJoined = (userJoinTime ?? '').trim() !== '';
	const isListed = finished && notReached.includes(normal(endReason ?? ''));
	// A conversation that says both is not clear.
	if (isListed && hasJoined) return { reached: 'unknown', callAgain: false };
	return { reached: hasJoined ? true : isListed ? false : 'unknown', callAgain: isListed };
}
