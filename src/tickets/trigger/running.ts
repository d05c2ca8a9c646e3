import type { CallError } from '../../core/client';
import type { Ticket } from '../ticket';
import type { TriggerInput } from './input';
import type { reports } from './reports';
import type { TriggerState } from './state';

/** A poll in progress. */
export interface Poll extends TriggerInput {
	/** When it began, by our clock and by that of the service. */
	readonly startMs: number;
	readonly nowMs: number;
	/** Whether it has to end with what it has. */
	readonly isLate: () => boolean;
	/** What another poll may have saved meanwhile. */
	readonly load: () => TriggerState | undefined;
}

/** Settles a poll that has read, by what another one may have saved meanwhile. */
export type Settle = () => Polled;

/** What a poll came to: what to hand out, and how far the trigger has come. */
export interface Polled {
	readonly fresh: readonly Ticket[];
	readonly failure?: CallError;
	readonly malformed?: readonly Ticket[];
	readonly after?: Pick<TriggerState, 'cursorMs' | 'floorMs' | 'seen'>;
	readonly told?: ReadonlyArray<keyof typeof reports>;
}
