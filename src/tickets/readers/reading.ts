import type { CallError } from '../../core/client';
import type { Ticket } from '../ticket';

/** What a reader read: the rows, and where it stopped, if it did not reach the end. */
export interface Reading {
	readonly rows: readonly Ticket[];
	readonly failure?: CallError;
	/** Where to go on after a failure, as facts for the details of the error. */
	readonly position?: Readonly<Record<string, number>>;
	/** Shifts of the pages that were noticed and repaired. */
	readonly shifts?: number;
	/** Rows that came a second time because others were put before them. */
	readonly repeated?: number;
}
