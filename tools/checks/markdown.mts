import GithubSlugger from 'github-slugger';
import type { Nodes, Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { EXIT, SKIP, visit } from 'unist-util-visit';

/** The parts of a document that can be checked: what stands in italics, in code, in links and in headings. */
export interface Parts {
	readonly italics: readonly string[];
	readonly code: readonly string[];
	readonly links: readonly string[];
	readonly headings: readonly string[];
	readonly anchors: readonly string[];
	/** Tests that are named as `unit/core/client: _their name_`. */
	readonly tests: readonly string[];
}

const TEST = /\b((?:unit|engine|e2e|restarts|queue|sandbox|tools|reliability)\/[\w./]+):\s$/;

const treeOf = (document: string): Root =>
	fromMarkdown(document, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

const textOf = (node: unknown): string => toString(node).replace(/\s+/g, ' ');

/** Takes a document in Markdown apart. */
export function partsOf(document: string): Parts {
	const tree = treeOf(document);
	const headings: string[] = [];
	const code: string[] = [];
	const links: string[] = [];
	const slugger = new GithubSlugger();
	visit(tree, (node) => {
		if (node.type === 'heading') headings.push(textOf(node));
		if (node.type === 'code' || node.type === 'inlineCode') code.push(node.value);
		if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
			links.push(node.url);
	});
	const anchors = headings.map((heading) => slugger.slug(heading));
	return { headings, anchors, code, links, ...emphasised(tree) };
}

/** What stands in italics outside of links: names of tests, and all else. */
function emphasised(tree: Root): Pick<Parts, 'italics' | 'tests'> {
	const italics: string[] = [];
	const tests: string[] = [];
	visit(tree, (node, index, parent) => {
		if (node.type === 'link') return SKIP;
		if (node.type !== 'emphasis') return undefined;
		const before = parent?.children[(index ?? 0) - 1];
		const [, test] = before?.type === 'text' ? (TEST.exec(before.value) ?? []) : [];
		if (test === undefined) italics.push(textOf(node));
		else tests.push(test);
		return undefined;
	});
	return { italics, tests };
}

/** What stands below a heading, up to the next one of its rank or above. */
export function sectionOf(document: string, title: string): readonly RootContent[] {
	const { children } = treeOf(document);
	const start = children.findIndex((node) => node.type === 'heading' && textOf(node) === title);
	const head = children[start];
	if (head?.type !== 'heading') return [];
	const rest = children.slice(start + 1);
	const end = rest.findIndex((node) => node.type === 'heading' && node.depth <= head.depth);
	return end < 0 ? rest : rest.slice(0, end);
}

/** The tables of a section, as the texts of their cells. */
export function tablesIn(document: string, title: string): string[][][] {
	return sectionOf(document, title).flatMap((node) =>
		node.type === 'table' ? [node.children.map(({ children }) => children.map(textOf))] : [],
	);
}

/** Whether a section has this span of code. */
export function hasCode(document: string, title: string, span: string): boolean {
	let found = false;
	const section: Nodes = { type: 'root', children: [...sectionOf(document, title)] };
	visit(section, 'inlineCode', ({ value }) => {
		found ||= value === span;
		return found ? EXIT : undefined;
	});
	return found;
}

/** The texts between double quotes in the tables of a section. */
export const quotesIn = (document: string, section: string): string[] =>
	tablesIn(document, section)
		.flat(2)
		.flatMap((cell) => [...cell.matchAll(/"([^"]+)"/g)].map(([, quote = '']) => quote));
