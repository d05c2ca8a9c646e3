import type { FaultRule } from './faults.mts';
import type { Operation } from './operations.mts';
import { createTokenBucket } from './tokenBucket.mts';

type Addition = Extract<FaultRule, { kind: 'latency' | 'mutate' }>;

/** A rule that decides what becomes of the reply. */
export type Ending = Exclude<FaultRule, Addition>;

/** What is in store for one request: additions all happen, of the endings only the first. */
export interface Verdict {
	additions: Addition[];
	ending: Ending | undefined;
}

/** The faults that are switched on. */
export type FaultBook = ReturnType<typeof createFaultBook>;

interface Armed {
	rule: FaultRule;
	/** How many requests it may still hit. */
	left: number;
	takeToken: () => boolean;
}

/** A request as rules see it: the `count`-th of its operation, and all the text in it. */
interface Arrival {
	operation: Operation;
	count: number;
	text: string;
}

/** Creates a book without rules; `now` is in ms. */
export function createFaultBook(now: () => number) {
	let armed: Armed[] = [];

	const tokensOf = (rule: FaultRule): Armed['takeToken'] => {
		if (rule.kind !== 'rateLimit') return () => false;
		const { perSecond, burst = Math.max(1, perSecond) } = rule;
		const take = createTokenBucket({ perSecond, burst });
		return () => take(now());
	};

	const arm = (rule: FaultRule): Armed => ({
		rule,
		left: rule.times ?? Infinity,
		takeToken: tokensOf(rule),
	});

	const hits = ({ rule, left }: Armed, { operation, count, text }: Arrival): boolean =>
		left > 0 &&
		(rule.operation === '*' || rule.operation === operation) &&
		count >= rule.from &&
		count <= (rule.to ?? Infinity) &&
		count % (rule.every ?? 1) === 0 &&
		text.includes(rule.holding ?? '');

	return {
		replace: (rules: readonly FaultRule[]): void => {
			armed = rules.map(arm);
		},
		/** Judges a request; it counts as taken. */
		judge: (arrival: Arrival): Verdict => {
			const verdict: Verdict = { additions: [], ending: undefined };
			for (const each of armed.filter((candidate) => hits(candidate, arrival))) {
				const { rule } = each;
				each.left -= 1;
				if (rule.kind === 'latency' || rule.kind === 'mutate') verdict.additions.push(rule);
				else if (!each.takeToken()) verdict.ending ??= rule;
			}
			return verdict;
		},
	};
}
