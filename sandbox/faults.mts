import { z } from 'zod/v4';
import { operations } from './operations.mts';
import { ticketPart } from './ticket.mts';

/** Which requests a rule is about; every condition that is given must hold. */
const match = {
	operation: z.enum([...operations, '*']).default('*'),
	/** First and last request of that operation since the reset, counted from 1. */
	from: z.int().min(1).default(1),
	to: z.int().min(1).optional(),
	/** Every n-th request of that operation. */
	every: z.int().min(1).optional(),
	/** A text that the path or the body holds, for requests that arrive in any order. */
	holding: z.string().optional(),
	/** The most requests that are hit. */
	times: z.int().min(1).optional(),
};

/** Before the work nothing is stored; after it everything is. */
const when = z.enum(['before', 'after']).default('before');
const status = z.int().min(200).max(599);
const headers = z.record(z.string(), z.string()).default({});
/** Seconds, or an HTTP date. */
const retryAfter = z.union([z.number(), z.string()]).optional();

/** Changes of tickets right before a request is processed. */
export const mutation = z.strictObject({
	create: z
		.strictObject({ count: z.int().min(1).default(1), template: ticketPart.default({}) })
		.optional(),
	delete: z
		.strictObject({ ids: z.array(z.string()).default([]), random: z.int().min(0).default(0) })
		.optional(),
	change: z
		.strictObject({
			ids: z.array(z.string()).default([]),
			random: z.int().min(0).default(0),
			set: ticketPart,
		})
		.optional(),
});

function kind<K extends string, S extends z.core.$ZodLooseShape>(name: K, shape: S) {
	return z.strictObject({ ...match, kind: z.literal(name), ...shape });
}

/** A rule: which requests it hits and what it does to them. */
export const faultRule = z.discriminatedUnion('kind', [
	kind('latency', { ms: z.number().min(0) }),
	kind('status', {
		status,
		/** A text is sent as it is, anything else as JSON; without it, the service's own error body. */
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
	/** A token bucket that holds one second's worth unless `burst` says otherwise. */
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
