/** What one round of a contender gave: figures by name, e.g. `ms`. */
export type Figures = Readonly<Record<string, number>>;

/** Someone who does the work of a scenario. */
export interface Contender {
	readonly name: string;
	readonly run: () => Promise<Figures>;
}

/** All rounds of each contender, in the order of the rounds. */
export type Rounds = Readonly<Record<string, readonly Figures[]>>;

/** Lets all contenders do their work in turn, in every round in another order, so drift of the machine hits all alike. */
export async function playRounds(
	contenders: readonly Contender[],
	rounds: number,
	report: (line: string) => void,
): Promise<Rounds> {
	const played: Record<string, Figures[]> = Object.fromEntries(
		contenders.map(({ name }) => [name, []]),
	);
	for (let round = 0; round < rounds; round += 1) {
		const shift = round % contenders.length;
		for (const { name, run } of [...contenders.slice(shift), ...contenders.slice(0, shift)]) {
			const figures = rounded(await run());
			played[name]?.push(figures);
			const shown = Object.entries(figures).map(([key, value]) => `${key} ${round3(value)}`);
			report(`  round ${round + 1} of ${rounds}, ${name}: ${shown.join(', ')}`);
		}
	}
	return played;
}

/** More digits than these would only pretend to be measured. */
const rounded = (figures: Figures): Figures =>
	Object.fromEntries(
		Object.entries(figures)
			.filter(([, value]) => Number.isFinite(value))
			.map(([name, value]) => [name, Number(value.toPrecision(5))]),
	);

/** The median of numbers. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** The median of one figure of a contender. */
export const medianOf = (rounds: Rounds, name: string, figure = 'ms'): number =>
	median((rounds[name] ?? []).map((figures) => figures[figure] ?? NaN));

/** The median of the ratios of two contenders, each taken within one round. */
export function ratioOf(rounds: Rounds, [above, below]: [string, string], figure = 'ms'): number {
	const divisors = rounds[below] ?? [];
	const ratios = (rounds[above] ?? []).map(
		(figures, round) => (figures[figure] ?? NaN) / (divisors[round]?.[figure] ?? NaN),
	);
	return median(ratios);
}

/** A number with three significant digits. */
export const round3 = (value: number): string => String(Number(value.toPrecision(3)));
