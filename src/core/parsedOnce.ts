import { z } from 'zod/v4';
import { problemsOf } from './operation';

/** The schema of a value that many rows share, e.g. their options: one and the same object is parsed once. */
export function parsedOnce<T>(schema: z.ZodType<T>): z.ZodType<T> {
	const known = new WeakMap<object, T>();
	return z.unknown().transform((value, context) => {
		const shared = typeof value === 'object' && value !== null ? value : undefined;
		const before = shared && known.get(shared);
		if (before !== undefined) return before;
		const parsed = schema.safeParse(value);
		if (parsed.success) {
			if (shared) known.set(shared, parsed.data);
			return parsed.data;
		}
		for (const { path, message } of problemsOf(parsed.error))
			context.addIssue({ code: 'custom', path: [...path], message });
		return z.NEVER;
	});
}
