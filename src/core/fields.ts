import { z } from 'zod/v4';
import { textOf } from './text';

/** A whole number in bounds; text that holds one, as expressions give it, counts. */
export const wholeNumber = (
	least: number,
	greatest = Number.MAX_SAFE_INTEGER,
): z.ZodType<number> => {
	const error =
		greatest === Number.MAX_SAFE_INTEGER
			? `must be a whole number, ${least} or more`
			: `must be a whole number from ${least} to ${greatest}`;
	return z.preprocess(
		(value) => (typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value),
		z.int({ error }).min(least, { error }).max(greatest, { error }),
	);
};

/** A choice of one name, as an expression may give it. */
export const choice = <T extends string>(names: readonly [T, ...T[]]): z.ZodEnum<{ [K in T]: K }> =>
	z.enum(names, { error: `must be one of ${names.join(', ')}` });

/** A switch; an expression has to give it as it is. */
export const trueOrFalse = z.boolean({ error: 'must be true or false' });

/** A choice of several names: a list, or text separated by commas as expressions give it. */
export const listOf = <T extends string>(names: readonly T[], what: string): z.ZodType<T[]> =>
	z.preprocess(
		(value) =>
			typeof value === 'string'
				? value
						.split(',')
						.map((part) => part.trim())
						.filter((part) => part !== '')
				: value,
		z.array(
			z.enum(names as [T, ...T[]], {
				error: `holds a name that is no ${what}. They are ${names.join(', ')}`,
			}),
			{ error: `must be a list of names, each a ${what}` },
		),
	);

const TRUE = ['true', 'yes', 'y', '1'];
const FALSE = ['false', 'no', 'n', '0'];

/** A yes or no in the words of spreadsheets. */
export const yesOrNo = z.unknown().transform((value, context) => {
	const text = textOf(value).trim().toLowerCase();
	if (TRUE.includes(text)) return true;
	if (FALSE.includes(text)) return false;
	context.addIssue({
		code: 'custom',
		message: `'${text.slice(0, 40)}' is neither yes nor no. Use true or false`,
	});
	return z.NEVER;
});

/** A number in bounds, named by its unit: "a number of minutes"; text that holds one, as expressions give it, counts. */
export const numberOf = (unit: string, least: number, greatest: number): z.ZodType<number> => {
	const error = `must be a number of ${unit} from ${least} to ${greatest}`;
	return z.preprocess(
		(value) =>
			typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value,
		z.number({ error }).min(least, { error }).max(greatest, { error }),
	);
};

const SECONDS = 'must be a number of seconds from 0 to 3600';

/** A pause in seconds. */
export const seconds = z
	.number({ error: SECONDS })
	.min(0, { error: SECONDS })
	.max(3600, { error: SECONDS });

const TIMEOUT = 'must be a number of seconds from 1 to 3600';

/** How long to wait for a reply: seconds as entered, ms as read. */
export const timeout = z
	.number({ error: TIMEOUT })
	.min(1, { error: TIMEOUT })
	.max(3600, { error: TIMEOUT })
	.transform((entered) => entered * 1000);
