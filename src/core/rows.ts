import { z } from 'zod/v4';

/**
 * The rows of a list in the panel. n8n turns an expression in their place into nothing before a node sees it, so a list
 * that is there without its rows is refused: a filter that is gone would match everything.
 */
export const rowsOf = <T>(row: z.ZodType<T>): z.ZodType<T[]> =>
	z.array(row, {
		error:
			'has lost its rows, as happens when an expression stands in their place. Add the rows one by one with expressions in their fields, or choose JSON instead',
	});
