import { z } from 'zod/v4';
import type { Problem } from './failures';
import { problemsOf } from './operation';
import type { Result } from './result';
import { fail, ok } from './result';

/** Reads some of the parameters of a row. */
export type ReadShared<T> = (parameters: object) => Result<T, readonly Problem[]>;

/**
 * Reads parameters that most rows share: while they are the very same as those of the row before, they are not parsed again,
 * and `complete`, which makes something of them, is not called again.
 */
export function sharedParameters<Shape extends z.ZodRawShape, T>(
	shape: Shape,
	complete: (parsed: z.infer<z.ZodObject<Shape>>) => T,
): ReadShared<T> {
	const schema = z.object(shape);
	const names = Object.keys(shape);
	let before:
		{ readonly values: readonly unknown[]; readonly read: ReturnType<ReadShared<T>> } | undefined;
	return (parameters) => {
		if (before && names.every((name, i) => Reflect.get(parameters, name) === before?.values[i]))
			return before.read;
		const parsed = schema.safeParse(parameters);
		const read = parsed.success ? ok(complete(parsed.data)) : fail(problemsOf(parsed.error));
		before = { values: names.map((name): unknown => Reflect.get(parameters, name)), read };
		return read;
	};
}
