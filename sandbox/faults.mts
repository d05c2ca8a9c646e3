import { z } from 'zod/v4';
import { operations } from './operations.mts';
import type { Operation } from './operations.mts';
import { ticketPart } from './ticket.mts';
import { createTokenBucket } from './tokenBucket.mts';

/** The conditions of a rule, which all must hold. */
const match = {
	operation: z.enum([...operations, '*']).default('*'),
	/** First and last request of that operation since the reset, counted from 1. */
	from: z.int().min(1).default(1),
	to: z.int().min(1).optional(),
	/** Every n-th request of that operation. */
	every: z.int().min(1).optional(),
	/** A text in the path or the body, for requests in any order. */
	holding: z.string().optional(),
	/** The maximum number of hit requests. */
	times: z.int().min(1).optional(),
};

/** Before the work nothing is stored, after it everything. */
const when = z.enum(['before', 'after']).default('before');
const status = z.int().min(200).max(599);
const headers = z.record(z.string(), z.string()).default({});
/** Seconds, or an HTTP date. */
const retryAfter = z.union([z.number(), z.string()]).optional();

/** Tickets by their IDs, and a number of random ones. */
const chosenTickets = {
	ids: z.array(z.string()).default([]),
	random: z.int().min(0).default(0),
};

const mutation = z.strictObject({
	create: z
		.strictObject({ count: z.int().min(1).default(1), template: ticketPart.default({}) })
		.optional(),
	delete: z.strictObject(chosenTickets).optional(),
	change: z.strictObject({ ...chosenTickets, set: ticketPart }).optional(),
});

function kind<K extends string, S extends z.core.$ZodLooseShape>(name: K, shape: S) {
	return z.strictObject({ ...match, kind: z.literal(name), ...shape });
}

/** A rule: the requests that it hits, and their fault. */
export const faultRule = z.discriminatedUnion('kind', [
	kind('latency', { ms: z.number().min(0) }),
	kind('status', {
		status,
		/** A text is sent unchanged, other values as JSON; without it, the error body of the service. */
		body: z.unknown().optional(),
		headers,
		retryAfter,
		when,
	}),
	kind('resetBefore', {}),
	kind('resetAfter', {}),
	kind('hang', { when }),
	kind('malformedJson', {}),
	kind('emptyBody', {}),
	kind('html', { status: status.default(502), when }),
	kind('slowBody', { msPerChunk: z.number().min(0), chunks: z.int().min(1) }),
	kind('redirect', { location: z.string(), status: z.int().min(300).max(399).default(302) }),
	/** A token bucket for one second, or for `burst` requests. */
	kind('rateLimit', {
		perSecond: z.number().positive(),
		burst: z.number().min(1).optional(),
		retryAfter,
	}),
	kind('mutate', mutation.shape),
]);

/** A rule with its defaults filled in. */
export type FaultRule = z.output<typeof faultRule>;

/** A rule as a caller writes it. */
export type FaultInput = z.input<typeof faultRule>;

/** Changes of tickets right before a request is processed. */
export type Mutation = z.output<typeof mutation>;

type Addition = Extract<FaultRule, { kind: 'latency' | 'mutate' }>;

/** A rule that decides the reply. */
export type Ending = Exclude<FaultRule, Addition>;

/** The request with a number within its operation, and all of its text. */
interface Arrival {
	operation: Operation;
	count: number;
	text: string;
}

/** The faults that are switched on. */
export type FaultBook = ReturnType<typeof createFaultBook>;

/** Creates a book without rules; `now` is in ms. */
export function createFaultBook(now: () => number) {
	let armed: Array<{ rule: FaultRule; left: number; takeToken: () => boolean }> = [];
	const arm = (rule: FaultRule) => {
		const isLimit = rule.kind === 'rateLimit';
		const take = isLimit && createTokenBucket({ burst: Math.max(1, rule.perSecond), ...rule });
		return { rule, left: rule.times ?? Infinity, takeToken: () => take && take(now()) };
	};
	const isHit = (rule: FaultRule, { operation, count, text }: Arrival): boolean =>
		(rule.operation === '*' || rule.operation === operation) &&
		count >= rule.from &&
		count <= (rule.to ?? Infinity) &&
		count % (rule.every ?? 1) === 0 &&
		text.includes(rule.holding ?? '');
	return {
		replace: (rules: readonly FaultRule[]): void => {
			armed = rules.map(arm);
		},
		/** Takes the faults of a request: all additions and the first ending. */
		take: (arrival: Arrival): { additions: Addition[]; ending: Ending | undefined } => {
			const additions: Addition[] = [];
			let ending: Ending | undefined;
			for (const each of armed.filter(({ rule, left }) => left > 0 && isHit(rule, arrival))) {
				const { rule } = each;
				each.left -= 1;
				if (rule.kind === 'latency' || rule.kind === 'mutate') additions.push(rule);
				else if (!each.takeToken()) ending ??= rule;
			}
			return { additions, ending };
		},
	};
}
