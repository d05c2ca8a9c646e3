/** The parts of a document that can be checked: what stands in italics, in code, in links and in headings. */
export interface Parts {
	readonly italics: readonly string[];
	readonly code: readonly string[];
	readonly links: readonly string[];
	readonly anchors: readonly string[];
	/** Tests that are named as `unit/core/client: _their name_`. */
	readonly tests: readonly string[];
}

const FENCE = /^```[^\n]*\n([\s\S]*?)^```$/gm;
const COMMENT = /<!--[\s\S]*?-->/g;
const CODE = /`([^`\n]+)`/g;
const TEST = /\b((?:unit|engine|e2e|queue|sandbox|reliability)\/[\w./]+): _(?:\\_|[^_])+_/g;
const LINK = /!?\[(?:[^\][]|\[[^\]]*\])*\]\(([^()\s]+)\)/g;
const ITALICS = /(?<![\w\\])_((?:\\_|[^_])+?)_(?!\w)/g;

const all = (text: string, pattern: RegExp): string[] =>
	[...text.matchAll(pattern)].map(([, found = '']) => found.replace(/\s+/g, ' '));

/** Takes a document in Markdown apart. */
export function partsOf(document: string): Parts {
	const text = document.replace(COMMENT, '');
	const fenced = all(text, FENCE);
	const prose = text.replace(FENCE, '');
	const bare = prose.replace(CODE, '``');
	return {
		italics: all(bare.replace(TEST, '').replace(LINK, ''), ITALICS),
		code: [...fenced, ...all(prose, CODE)],
		links: all(prose, LINK),
		anchors: all(prose, /^#{1,6} (.+)$/gm).map(anchorOf),
		tests: all(bare, TEST),
	};
}

/** The anchor that a heading gets on GitHub. */
const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

/** The texts between double quotes in the tables of a section. */
export function quotesIn(document: string, section: string): string[] {
	const [, rest = ''] = document.split(`\n## ${section}\n`);
	const [body = ''] = rest.split('\n## ');
	const rows = body.split('\n').filter((line) => line.startsWith('|'));
	return all(rows.join('\n'), /"([^"\n]+)"/g);
}
