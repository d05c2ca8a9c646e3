import { z } from 'zod/v4';
import { jsonParameter } from '../core/json';
import { problemsOf } from '../core/operation';

/** A JSON parameter that holds one value or a list of them; a problem names the place in the list. */
export const listed = <T>(schema: z.ZodType<T>, what: string): z.ZodType<T[]> =>
	jsonParameter.transform((value, context) => {
		const many = Array.isArray(value);
		const list: readonly unknown[] = many ? value : [value];
		if (list.length === 0)
			context.addIssue({ code: 'custom', message: `is an empty list. Enter a ${what}` });
		return list.flatMap((entry, index) => {
			const parsed = schema.safeParse(entry);
			if (parsed.success) return [parsed.data];
			for (const { path, message } of problemsOf(parsed.error, many ? [index] : [])) {
				context.addIssue({ code: 'custom', path: [...path], message });
			}
			return [];
		});
	});
