import { compact, uniqBy } from 'lodash';
import type { z } from 'zod/v4';
import type { Fault, Problem } from './failures';
import { shorten } from './words';

const MAX_VALUE_LENGTH = 60;

/** Formats a fault as a sentence with its fix: `"12" is not a valid phone number. Check it for missing digits`. */
export const toSentence = ({ value, reason, fix }: Fault): string =>
	compact([
		value === undefined ? reason : `"${shorten(value, MAX_VALUE_LENGTH)}" ${reason}`,
		fix,
	]).join('. ');

/** Adds a fault to the issues of a schema. A transform may return the result, because its type is `never`. */
export function addFault(
	context: z.RefinementCtx,
	fault: Fault,
	path: Array<string | number> = [],
): never {
	context.addIssue({ code: 'custom', path, message: toSentence(fault), params: { fault } });
	return undefined as never;
}

/** The reason for a missing value. */
export const IS_EMPTY = 'is empty';

/** Turns zod issues into problems, one per value. `under` is the path of the checked value. */
export const problemsOf = (error: z.ZodError, under: Problem['path'] = []): Problem[] =>
	uniqBy(error.issues, ({ path }) => JSON.stringify(path)).map((issue) => ({
		path: [...under, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))],
		...readFault(issue),
	}));

/** Returns the fault that addFault put into an issue, or else builds one from the issue's message. */
function readFault(issue: z.core.$ZodIssue): Fault {
	const params = issue.code === 'custom' ? issue.params : undefined;
	return (params?.['fault'] as Fault | undefined) ?? toFault(issue.message);
}

const TYPE_WORDS: ReadonlyMap<string | undefined, string> = new Map([
	['string', 'text'],
	['number', 'a number'],
	['boolean', 'true or false'],
	['array', 'a list'],
	['object', 'an object'],
]);

/** Rewords a message of zod about a wrong or missing value, e.g. "must be a list". Other messages stay. */
function toFault(message: string): Fault {
	const [, kind, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
	if (received === undefined) return { reason: message };
	if (received === 'undefined' || received === 'null')
		return { reason: IS_EMPTY, fix: 'Enter a value' };
	return { reason: `must be ${TYPE_WORDS.get(kind) ?? kind}` };
}
