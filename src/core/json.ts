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

/** A key that stands twice in one object of valid JSON: JSON itself keeps the last one and says nothing. */
function keyTwice(text: string): string | undefined {
	const open: Array<Set<string>> = [];
	for (let at = 0; at < text.length; at++) {
		if (text[at] === '{') open.push(new Set());
		else if (text[at] === '}') open.pop();
		if (text[at] !== '"') continue;
		const start = at;
		at = endOfText(text, start);
		COLON.lastIndex = at + 1;
		if (!COLON.test(text)) continue;
		const key = text.slice(start, at + 1);
		const keys = open.at(-1);
		if (keys?.has(key)) return key;
		keys?.add(key);
	}
	return undefined;
}

const COLON = /\s*:/y;

/** Where the text that begins at a quote ends; a pattern would run out of stack on a long one. */
function endOfText(text: string, start: number): number {
	let at = start + 1;
	while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
	return at;
}

/** Whether a value can be written as JSON, which what expressions give may not, e.g. where it is nested too deeply. */
export function fitsJson(value: unknown): boolean {
	try {
		return JSON.stringify(value) !== undefined;
	} catch {
		return false;
	}
}
