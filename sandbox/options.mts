import { z } from 'zod/v4';

/** Spelling of sort and select that ticket search accepts: of the schema, the narrative, or both. */
export type Spelling = z.infer<typeof spelling>;

const spelling = z.enum(['formal', 'narrative', 'both']);
/** Shapes of the reply to POST /conversations, which the document does not show. */
const conversationReply = z.enum(['array', 'wrapped', 'ids', 'single', 'empty']);
const milliseconds = z.number().min(0);

/** The options that can change while the sandbox runs, with their defaults. */
export const runtimeOptions = z.strictObject({
	/** Milliseconds that every request waits before its work. */
	latencyMs: milliseconds.default(0),
	/** From how many requests at once on each waits longer, in proportion to them. Null: never. */
	capacity: z.int().min(1).nullable().default(null),
	spelling: spelling.default('formal'),
	conversationReply: conversationReply.default('wrapped'),
	/** How many of the last requests are remembered with their bodies. */
	keepRequests: z.int().min(0).default(10_000),
	/** The most bytes of a request body; above it, 413. */
	maxBytes: z.int().min(1).default(20_000_000),
	/** How long a conversation takes from its creation to `completed`, drawn between the two. */
	finishAfterMs: z
		.strictObject({ min: milliseconds, max: milliseconds })
		.default({ min: 0, max: 0 }),
});

/** The options that can change while the sandbox runs, all set. */
export type RuntimeOptions = z.infer<typeof runtimeOptions>;

/** A change of some of the runtime options; what is missing keeps its value. */
export const optionsChange = runtimeOptions.partial();

/** A change of some of the runtime options. */
export type OptionsChange = Partial<RuntimeOptions>;

/** What `startSandbox` takes. */
export interface SandboxOptions extends OptionsChange {
	/** Port on 127.0.0.1; 0 takes any free one. */
	port?: number;
	/** How many tickets to invent at the start. */
	tickets?: number;
	/** Seed of everything drawn at random. */
	seed?: number;
	/** The clock, in ms since the epoch. */
	now?: () => number;
	/** Key and certificate in PEM; with them the sandbox speaks https. */
	tls?: { key: string; cert: string };
}

/** Replaces the members of `current` that `change` holds; a member set to undefined does not count. */
export function changeOptions(current: RuntimeOptions, change: OptionsChange): RuntimeOptions {
	const given = Object.entries(change).filter(([, value]) => value !== undefined);
	return runtimeOptions.parse({ ...current, ...Object.fromEntries(given) });
}
