import { z } from 'zod/v4';

/** A JSON parameter: an object or array as it is, or text that holds one. */
export const jsonParameter = z.unknown().transform((value, context) => {
	if (typeof value !== 'string') return value;
	if (value.trim() === '') {
		context.addIssue({ code: 'custom', message: 'is empty. Enter JSON, e.g. {}' });
		return z.NEVER;
	}
	try {
		return JSON.parse(value) as unknown;
	} catch (error) {
		const reason = error instanceof Error ? error.message : '';
		context.addIssue({
			code: 'custom',
			message: `is not valid JSON (${reason}). Check quotes, commas and brackets`,
		});
		return z.NEVER;
	}
});
