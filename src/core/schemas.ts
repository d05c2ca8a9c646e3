import { compact, get, has, isEmpty, isObject, omit } from 'lodash';
import { z } from 'zod/v4';
import { addFault, IS_EMPTY } from './problems';
import { cleanText } from './plainText';
import { MAX_DEPTH } from './json';
import { shorten } from './words';

/** A UUID as the interface defines it: version 1-8 and variant 8-b, or all zeros, or all f. */
export const UUID =
	/^([0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$/i;

/** An example of a UUID. */
export const EXAMPLE_ID = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

/** Converts the text of a number with up to two decimals. Other values stay: "1.000" may mean 1 or 1,000. */
export const toNumber = (value: unknown): unknown =>
	typeof value === 'string' && /^\s*[+-]?\d+(\.\d\d?)?\s*$/.test(value) ? Number(value) : value;

/** A whole number in bounds. Also reads it from a text, which expressions give. */
export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER): z.ZodType<number> => {
	const error =
		max === Number.MAX_SAFE_INTEGER
			? `must be a whole number, ${min} or more`
			: `must be a whole number from ${min} to ${max}`;
	return z.preprocess(toNumber, z.int({ error }).min(min, { error }).max(max, { error }));
};

/** Builds the schema of one of several names. Its error lists all names. */
export const choice = <T extends string>(names: readonly T[]): z.ZodEnum<{ [K in T]: K }> =>
	z.enum(names as [T, ...T[]], { error: `must be one of ${names.join(', ')}` });

/** False for a text that an empty expression writes: "undefined", "null", "NaN" or "[object Object]", in any case. */
export const isRealText = (text: string): boolean =>
	!/^(undefined|null|NaN|\[object \w+\])$/i.test(text.trim());
export const NOT_REAL_TEXT =
	'is what an expression writes where there is no value. Correct the expression';

/** Whether a text contains what an empty or unevaluated expression writes, e.g. "crm-undefined". */
export const isUnresolved = (text: string): boolean =>
	/\bundefined\b|\[object Object\]|\{\{/.test(text);

/** The schema of text. It rejects traces of an empty or unevaluated expression, e.g. "crm-undefined". */
export const resolvedText = z
	.string({ error: 'must be text' })
	.refine((text) => !isUnresolved(text), {
		error: ({ input }) =>
			`'${shorten(String(input), 60)}' contains an expression that gave nothing. Correct it`,
	});

/** A switch, also as the text true or false, which expressions give. */
export const trueOrFalse = z.preprocess(
	(value) =>
		typeof value === 'string'
			? ({ true: true, false: false }[value.trim().toLowerCase()] ?? value)
			: value,
	z.boolean({ error: 'must be true or false' }),
);

/** Splits a text, by default by lines, commas and semicolons, into trimmed parts without empty ones; other values unchanged. */
export const splitList = (value: unknown, separator = /[,;\n\r]+/): unknown =>
	typeof value === 'string' ? compact(value.split(separator).map((part) => part.trim())) : value;

/** Builds the schema of a list of names. Expressions may also give it as text with commas. */
export const listOf = <T extends string>(names: readonly T[], what: string): z.ZodType<T[]> =>
	z.preprocess(
		(value) => splitList(value),
		z.array(choice(names), { error: `must be a list of names, each a ${what}` }),
	);

/** The fault of a parameter whose expression gave no value. */
export const NO_VALUE =
	'is empty because its expression gave no value. Correct the expression, or enter a value';

/** Makes a schema reject parameters that are or contain undefined, which defaults would hide. Parameters in `mayHaveGaps` may contain it. */
export const rejectGaps = <T>(
	schema: z.ZodType<T>,
	mayHaveGaps: readonly string[] = [],
): z.ZodType<T> =>
	z
		.unknown()
		.superRefine((value, context) => {
			for (const [name, member] of Object.entries(Object(value) as object)) {
				// An expression without a value gives undefined, so no parameter may be undefined itself.
				const gaps = mayHaveGaps.includes(name) && member !== undefined ? [] : findGaps(member);
				for (const path of gaps)
					context.addIssue({ code: 'custom', path: [name, ...path], message: NO_VALUE });
			}
		})
		.pipe(schema);

type GapPath = Array<string | number>;

/** Lists the paths at which a value is or contains undefined. Levels below MAX_DEPTH are not checked. */
export function findGaps(value: unknown, path: GapPath = []): GapPath[] {
	if (value === undefined) return [path];
	if (!isObject(value) || path.length > MAX_DEPTH) return [];
	const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
	return members.flatMap(([key, member]) => findGaps(member, [...path, key]));
}

/** A number in bounds, with its unit for the error, e.g. "minutes". Also reads text, which expressions give. */
export const numberBetween = (unit: string, min: number, max: number): z.ZodType<number> => {
	const error = `must be a number of ${unit} from ${min} to ${max}`;
	return z.preprocess(toNumber, z.number({ error }).min(min, { error }).max(max, { error }));
};

/** How long to wait for a response: seconds as entered, ms as read. */
export const timeout = numberBetween('seconds', 1, 3600).transform((entered) => entered * 1000);

/** Returns the value of a resource locator, which n8n marks with __rl. Other values stay. */
export const chosenValue = (value: unknown): unknown =>
	has(value, '__rl') ? get(value, 'value') : value;

/** Removes invisible characters, and checks a UUID. Returns lower case, because a service may compare it as text. */
export const uuid = z
	.preprocess((value) => value ?? '', z.string({ error: `must be a UUID, e.g. ${EXAMPLE_ID}` }))
	.overwrite(cleanText)
	.superRefine((value, context) => {
		if (UUID.test(value)) return;
		const fix = `It should look like ${EXAMPLE_ID}`;
		if (value === '')
			addFault(context, { reason: IS_EMPTY, fix: `Enter a UUID, e.g. ${EXAMPLE_ID}` });
		else addFault(context, { value, reason: 'is not a UUID', fix });
	})
	.overwrite((id) => id.toLowerCase());

/** Builds the schema of a list's rows in the panel. n8n omits them if an expression replaces the list. */
export const rowsOf = <T>(row: z.ZodType<T>): z.ZodType<T[]> =>
	// Missing rows are rejected, because without filters a search matches everything.
	z.array(row, {
		error:
			'is empty because an expression replaces the whole list. Add rows and use expressions in their fields, or use JSON',
	});

/** Builds the schema of a collection. Rejects one replaced by an expression, because n8n passes only `{ length }` then. */
export const collectionOf = <T>(membersSchema: z.ZodType<T>): z.ZodType<T> =>
	z.preprocess((entered, context) => {
		if (!has(entered, 'length')) return entered;
		const members = omit(Object(entered) as object, 'length');
		// An empty list has the length 0 and no members. Beside members, the length is left from an earlier expression.
		const isReplaced = isEmpty(members) && get(entered, 'length') !== 0;
		if (isReplaced) context.addIssue({ code: 'custom', message: REPLACED });
		return members;
	}, membersSchema);

/** Builds the schema of a group in a collection. Rejects an expression in its place, which n8n loses. */
export const groupOf = <T>(fields: z.ZodType<T>): z.ZodType<T> =>
	z.preprocess((entered, context) => {
		// For an expression in place of the group, n8n passes only its length, in the hidden field `length` ('' by default).
		// A missing group means an expression in place of its collection.
		const { length, ...members } = Object(entered) as Record<string, unknown>;
		if (entered === undefined || Number(length ?? 0) > 0)
			context.addIssue({ code: 'custom', message: REPLACED });
		return members;
	}, fields);

const REPLACED =
	'is one expression, and n8n keeps nothing of it. Remove it, add it again and use expressions in its fields';
