import GithubSlugger from 'github-slugger';
import type { Root, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { toString } from 'mdast-util-to-string';
import { gfm } from 'micromark-extension-gfm';
import { SKIP, visit } from 'unist-util-visit';

/** The parts of a document that can be checked. */
export interface Parts {
	/** Texts in italics outside of links. */
	readonly italics: readonly string[];
	readonly code: readonly string[];
	readonly links: readonly string[];
	readonly anchors: readonly string[];
}

const parseMarkdown = (document: string): Root =>
	fromMarkdown(document, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });

const textOf = (node: unknown): string => toString(node).replace(/\s+/g, ' ');

/** Lists the parts of a document in Markdown. */
export function partsOf(document: string): Parts {
	const tree = parseMarkdown(document);
	const italics: string[] = [];
	const anchors: string[] = [];
	const code: string[] = [];
	const links: string[] = [];
	const slugger = new GithubSlugger();
	visit(tree, (node) => {
		if (node.type === 'heading') anchors.push(slugger.slug(textOf(node)));
		if (node.type === 'code' || node.type === 'inlineCode') code.push(node.value);
		if (node.type === 'link' || node.type === 'image' || node.type === 'definition')
			links.push(node.url);
	});
	visit(tree, (node) => {
		if (node.type === 'emphasis') italics.push(textOf(node));
		return node.type === 'link' ? SKIP : undefined;
	});
	return { italics, anchors, code, links };
}

/** Lists the nodes below a heading, up to the next heading of its rank or above. */
function listSection(document: string, title: string): readonly RootContent[] {
	const { children } = parseMarkdown(document);
	const start = children.findIndex((node) => node.type === 'heading' && textOf(node) === title);
	const head = children[start];
	if (head?.type !== 'heading') return [];
	const below = children.slice(start + 1);
	const end = below.findIndex((node) => node.type === 'heading' && node.depth <= head.depth);
	return end < 0 ? below : below.slice(0, end);
}

/** Lists the tables of a section, as the texts of their cells. */
export function listTables(document: string, title: string): string[][][] {
	return listSection(document, title).flatMap((node) =>
		node.type === 'table' ? [node.children.map(({ children }) => children.map(textOf))] : [],
	);
}

/** Lists the texts between double quotes in the tables of a section. */
export const listQuotes = (document: string, title: string): string[] =>
	listTables(document, title)
		.flat(2)
		.flatMap((cell) => Array.from(cell.matchAll(/"([^"]+)"/g), ([, quote = '']) => quote));
