/** The figures of one run: ms of time (`ms`), of processor time (`cpu`), of the longest stretch, and MB of heap. */
export type Figures = Readonly<Partial<Record<'ms' | 'cpu' | 'stretch' | 'mb', number>>>;

/** A way to do the work of a trial. */
export interface Contender {
	readonly name: string;
	readonly run: () => Promise<Figures>;
}

/** The figures of each contender, in the order of the rounds. */
export type Rounds = Readonly<Record<string, readonly Figures[]>>;

/** A figure of one contender divided by that of another one, and the bound of the quotient. */
export interface Ratio {
	readonly above: string;
	readonly below: string;
	readonly figure: keyof Figures;
	readonly atLeast?: number;
	readonly atMost?: number;
}

/** Reduces a size in a quick run. */
export type Size = (full: number) => number;

/** One setting of a question. */
export interface Trial {
	readonly title: string;
	readonly ratios: readonly Ratio[];
	/** Prepares the contenders; `stop` ends their services. */
	readonly prepare: (
		size: Size,
	) => Promise<{ contenders: Contender[]; stop?: () => Promise<void> }>;
}

/** A question of the benchmark, and what its figures mean, as one line of Markdown. */
export interface Question {
	readonly letter: string;
	readonly meaning: string;
	readonly trials: readonly Trial[];
}

/** Runs all contenders in turn, each round in another order, after one round that is not counted. */
export async function playRounds(
	contenders: readonly Contender[],
	count: number,
	report: (line: string) => void,
): Promise<Rounds> {
	const rounds: Record<string, Figures[]> = {};
	for (let round = 0; round <= count; round += 1) {
		const first = round % contenders.length;
		for (const { name, run } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
			const figures = await run();
			report(`  round ${round} of ${count}, ${name}: ${JSON.stringify(figures)}`);
			if (round > 0) (rounds[name] ??= []).push(figures);
		}
	}
	return rounds;
}

/** The smallest, the median and the largest of some values. */
export type Spread = readonly [smallest: number, median: number, largest: number];

/** Finds the spread of values; NaN if there is none. */
export function findSpread(values: readonly number[]): Spread {
	const sorted = values.toSorted((a, b) => a - b);
	const valueAt = (index: number) => sorted[index] ?? NaN;
	const median = (valueAt((sorted.length - 1) >> 1) + valueAt(sorted.length >> 1)) / 2;
	return [valueAt(0), median, valueAt(sorted.length - 1)];
}

/** Divides the figures of two contenders within each round. */
export function divideRounds(rounds: Rounds, { above, below, figure }: Ratio): Spread {
	const divisors = rounds[below] ?? [];
	const quotients = (rounds[above] ?? []).map(
		(figures, round) => (figures[figure] ?? NaN) / (divisors[round]?.[figure] ?? NaN),
	);
	return findSpread(quotients);
}

/** Judges a bound. If some rounds keep it and others miss it, nothing can be told. */
export function judgeBound(
	[smallest, , largest]: Spread,
	{ atLeast = -Infinity, atMost = Infinity }: Ratio,
): 'kept' | 'missed' | 'cannot be told' {
	if (smallest >= atLeast && largest <= atMost) return 'kept';
	return largest < atLeast || smallest > atMost ? 'missed' : 'cannot be told';
}
