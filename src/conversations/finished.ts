import { z } from 'zod/v4';
import type { Conversation } from './conversation';

const NAMES = 'must be names of states separated by commas, e.g. completed, failed';

/** The states in which a conversation is finished: text separated by commas, or a list. */
export const finishedStates = z.preprocess(
	(value) => (typeof value === 'string' ? value.split(',') : value),
	z
		.array(z.string({ error: NAMES }), { error: NAMES })
		.transform((names) => names.map(normal).filter((name) => name !== ''))
		.refine((names) => names.length > 0, {
			error: 'is empty. Enter at least one state, e.g. completed',
		}),
);

const normal = (state: string): string => state.trim().toLowerCase();

/** Whether a conversation is over: by its status, or because it has an end (interface: States and transitions). */
export const isFinished = (
	{ conversationStatus, callEndTime }: Conversation,
	states: readonly string[],
): boolean =>
	states.includes(normal(conversationStatus ?? '')) || (callEndTime ?? '').trim() !== '';
