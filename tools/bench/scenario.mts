import type { Tarball } from '../host/pack.mts';
import type { Contender, Rounds } from './rounds.mts';

/** A figure that a scenario has to show. */
export interface Bound {
	readonly text: string;
	readonly figure: (rounds: Rounds) => number;
	readonly least?: number;
	readonly most?: number;
	readonly unit?: string;
}

/** Part of the benchmark: contenders, and what has to come out of them. */
export interface Scenario {
	readonly id: string;
	readonly title: string;
	/** What is to be known about how it is measured. */
	readonly method: string;
	/** Whether it belongs into the chart: contenders that do the same work, by their time. */
	readonly chart?: readonly string[];
	readonly bounds: readonly Bound[];
	/** Starts what is needed; `stop` ends it. */
	readonly prepare: (setting: Setting) => Promise<Prepared>;
}

/** Contenders that are ready, and how to end what they need. */
export interface Prepared {
	readonly contenders: readonly Contender[];
	readonly stop: () => Promise<void>;
}

/** What all scenarios of a run share. */
export interface Setting {
	/** The packed package. */
	readonly tarball: Tarball;
	/** A size, much smaller in quick runs. */
	readonly size: (full: number) => number;
}
