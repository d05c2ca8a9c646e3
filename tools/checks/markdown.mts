import GithubSlugger from 'github-slugger';
import type { Root } from 'mdast';
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

/** Lists the texts between double quotes in the tables of a document. */
export function listQuotes(document: string): string[] {
	const quotes: string[] = [];
	visit(parseMarkdown(document), 'tableCell', (cell) => {
		for (const [, quote = ''] of textOf(cell).matchAll(/"([^"]+)"/g)) quotes.push(quote);
	});
	return quotes;
}
