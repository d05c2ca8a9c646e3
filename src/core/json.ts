import { z } from 'zod/v4';

/** A JSON parameter: an object or array as it is, or text that holds one. */
export const jsonParameter = z.unknown().transform((value, context) => {
	if (typeof value !== 'string') return value;
	const read = readJson(value);
	if ('value' in read) return read.value;
	// What follows in a pipe would judge a value that is not there.
	context.addIssue({ code: 'custom', message: read.problem, continue: false });
	return z.NEVER;
});

function readJson(text: string): { value: unknown } | { problem: string } {
	if (text.trim() === '') return { problem: 'is empty. Enter JSON, e.g. {}' };
	try {
		const value = JSON.parse(text) as unknown;
		const twice = keyTwice(text);
		return twice === undefined
			? { value }
			: {
					problem: `holds ${twice} twice in one object, of which only one would count. Remove one`,
				};
	} catch (error) {
		const reason = error instanceof Error ? error.message : '';
		return { problem: `is not valid JSON (${reason}). Check quotes, commas and brackets` };
	}
}

const TOKENS = /"(?:\\.|[^"\\])*"(\s*:)?|[{}]/g;

/** A key that stands twice in one object of valid JSON: JSON itself keeps the last one and says nothing. */
function keyTwice(text: string): string | undefined {
	const open: Array<Set<string>> = [];
	for (const [token, colon] of text.matchAll(TOKENS)) {
		if (token === '{') open.push(new Set());
		else if (token === '}') open.pop();
		else if (colon !== undefined) {
			const key = token.slice(0, -colon.length);
			const keys = open.at(-1);
			if (keys?.has(key)) return key;
			keys?.add(key);
		}
	}
	return undefined;
}
