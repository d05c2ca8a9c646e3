import { z } from 'zod/v4';

/** Spelling of sort and select that ticket search accepts: of the schema or the narrative. */
export type Spelling = z.infer<typeof spelling>;

const spelling = z.enum(['formal', 'narrative']);
/** The shapes of the undocumented reply to POST /conversations. */
const conversationReply = z.enum(['array', 'wrapped', 'ids', 'single', 'empty']);
const milliseconds = z.number().min(0);

/** The options that can change while the sandbox is running. */
export const runtimeOptions = z.strictObject({
	/** Milliseconds that every request waits before its work. */
	latencyMs: milliseconds.default(0),
	spelling: spelling.default('formal'),
	conversationReply: conversationReply.default('wrapped'),
	/** The time from the creation of a conversation to `completed`, drawn between these. */
	finishAfterMs: z
		.strictObject({ min: milliseconds, max: milliseconds })
		.default({ min: 0, max: 0 }),
});

/** All options that can change while the sandbox is running. */
export type RuntimeOptions = z.infer<typeof runtimeOptions>;

/** A change of some of the runtime options. */
export type OptionsChange = Partial<RuntimeOptions>;

/** The options of `startSandbox`. */
export interface SandboxOptions extends OptionsChange {
	/** Port on 127.0.0.1; 0 takes any free one. */
	port?: number;
	/** The number of invented tickets at the start. */
	tickets?: number;
	/** The seed of all random values. */
	seed?: number;
	/** The clock, in ms since the epoch. */
	now?: () => number;
	/** Key and certificate in PEM; with them the sandbox speaks https. */
	tls?: { key: string; cert: string };
}

/** Replaces some options; undefined keeps an option. */
export function changeOptions(current: RuntimeOptions, change: OptionsChange): RuntimeOptions {
	const changed = Object.entries(change).filter(([, value]) => value !== undefined);
	return runtimeOptions.parse({ ...current, ...Object.fromEntries(changed) });
}
