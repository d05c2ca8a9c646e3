import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import ts from 'typescript';
import { root } from '../../tools/checks/check.mts';
import { partsOf, readSources } from '../support/sources.mts';
import type { Source } from '../support/sources.mts';

// Names and comments in the source: one meaning per name, short docblocks, plain phrases.

const MAX_SHARED_NAMES = 3;
const MAX_WORDS = 20;

/** Names that mean nothing without their sentence. */
const ROLES = /^(own|others|rest|said|told|known|found|asked|given|meant)$/;
/** Names that hide their verb. */
const UNVERBED = /^isOf[A-Z]|[a-z]In$/;
/** Names of n8n's and the language's. */
const FOREIGN = /^(continueOnFail|runIn|loggedIn)$/;

/** Phrases that no native speaker would write in a comment, or that leave out their noun. */
const PHRASES: readonly RegExp[] = [
	/^What\b|\bwhat (failed|is there|was there|comes|follows|waits)\b/i,
	/\b(whoever|whatever|who(m)? it is for|the first of them|of which|by which)\b/i,
	/\bso (often|long|many)\b(?! (as|that)\b)|\bas (it is|they are)(?=[.,;:]|$)/i,
	/\b(says? (so|no)|(is|are) told|nor (is|are)|in the end|without a word|anew)\b/i,
	/\b(comes? (back|out|along)|goes? (again|along|on)|went well|leads? out)\b/i,
	/\bstands? (there|twice|alone|apart|among|in(?! for\b))\b|\blooks? at\b|\btwo looks\b/i,
	/\b(be?came? of|leaves? (\w+ )?behind|sign of life|at a stretch|of no interest)\b/i,
	/\b((?<!there )is none|are none|(that|it) is some|nothing of)\b|, too\b/i,
];

/** A line of a drawing in a comment. */
const DRAWN_LINE = /^.*[─│└┘▲▶].*$/gm;

/** The sources of the package. */
const shipped = readSources();
/** All sources whose comments and names are read. */
const sources = [...shipped, ...readSources('{tools,sandbox,test}/**/*.{ts,mts,mjs}')];

/** The top-level names of a file. */
function listDefinitions({ file }: Source): string[] {
	return file.statements.flatMap((statement) => {
		if (ts.isVariableStatement(statement))
			return statement.declarationList.declarations.flatMap(({ name }) =>
				ts.isIdentifier(name) ? [name.text] : [],
			);
		const isNamed =
			ts.isFunctionDeclaration(statement) ||
			ts.isInterfaceDeclaration(statement) ||
			ts.isTypeAliasDeclaration(statement) ||
			ts.isClassDeclaration(statement);
		return isNamed && statement.name ? [statement.name.text] : [];
	});
}

/** The names that a file declares at any level. */
function listNames({ file }: Source): string[] {
	return Array.from(partsOf(file)).flatMap((node) => {
		const isDeclared =
			ts.isVariableDeclaration(node) ||
			ts.isFunctionDeclaration(node) ||
			ts.isParameter(node) ||
			ts.isBindingElement(node);
		return isDeclared && node.name && ts.isIdentifier(node.name) ? [node.name.text] : [];
	});
}

/** The comments of a file, each as one text: lines in a row belong together. */
function listComments({ file }: Source): string[] {
	const text = file.getFullText();
	const lines = [...text.matchAll(/(?:^|\s)\/\/ .+(?:\n\s*\/\/ .+)*/g)].map(([lines]) =>
		lines.replace(/\s*\n?\s*\/\/ /g, ' ').trim(),
	);
	const blocks = [...text.matchAll(/(?<!\S)\/\*+([\s\S]*?)\*\//g)].map(([, block = '']) =>
		block
			.replace(DRAWN_LINE, ' *')
			.replace(/(?:\n[\t ]*\*[\t ]*)+(?=\n)/g, '.')
			.replace(/\s*\n\s*\*\s?/g, ' ')
			.trim(),
	);
	return [...lines, ...blocks];
}

/** The docblocks of a file, without drawings. */
const listDocblocks = ({ file }: Source): string[] =>
	[...file.getFullText().matchAll(/\/\*\*([\s\S]*?)\*\//g)]
		.map(([, block = '']) => block.replace(/^\s*\*/gm, ' ').trim())
		.filter((block) => !/[─│└┘▲▶]/.test(block));

/** Replaces code, quotes and brackets of a comment by one word each. */
const withoutCode = (comment: string): string => comment.replace(/`[^`]*`|"[^"]*"|\([^)]*\)/g, 'x');

/** Sentences of a comment; a drawing, a list and code have none. */
const splitSentences = (comment: string): string[] =>
	withoutCode(comment)
		.split(/[.:;?!](?=\s|$)/)
		.map((sentence) => sentence.trim());

const countWords = (sentence: string): number => sentence.split(/\s+/).filter(Boolean).length;

function assertAtMost(max: number, faults: readonly string[]): void {
	assert.ok(faults.length <= max, `${faults.length} faults, max ${max}\n${faults.join('\n')}`);
}

/** Lists the names that several files define, with their files. */
function listShared(group: readonly Source[]): string[] {
	const files = new Map<string, string[]>();
	for (const source of group)
		for (const name of new Set(listDefinitions(source)))
			files.set(name, [...(files.get(name) ?? []), source.path]);
	return [...files]
		.filter(([name, paths]) => paths.length > 1 && name !== 'require')
		.map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

test('one name has one meaning', () => {
	assertAtMost(MAX_SHARED_NAMES, listShared(shipped));
	for (const folder of ['sandbox', ...globSync('tools/*/', { cwd: root })])
		assertAtMost(0, listShared(readSources(`${folder}/*.mts`)));
});

test('a name says what it names', () => {
	const faults = sources.flatMap((source) =>
		listNames(source)
			.filter((name) => (ROLES.test(name) || UNVERBED.test(name)) && !FOREIGN.test(name))
			.map((name) => `${source.path}: ${name}`),
	);
	assertAtMost(0, faults);
});

test(`a sentence of a comment has at most ${MAX_WORDS} words`, () => {
	const faults = sources.flatMap((source) =>
		listComments(source)
			.flatMap(splitSentences)
			.filter((sentence) => countWords(sentence) > MAX_WORDS)
			.map((sentence) => `${source.path}: ${sentence}`),
	);
	assertAtMost(0, faults);
});

test(`a docblock of the package has at most ${MAX_WORDS} words`, () => {
	const faults = shipped.flatMap((source) =>
		listDocblocks(source)
			.filter((block) => countWords(withoutCode(block)) > MAX_WORDS)
			.map((block) => `${source.path}: ${block}`),
	);
	assertAtMost(0, faults);
});

test('comments use plain phrases', () => {
	const faults = sources.flatMap((source) =>
		listComments(source)
			.filter((comment) => PHRASES.some((phrase) => phrase.test(comment)))
			.map((comment) => `${source.path}: ${comment}`),
	);
	assertAtMost(0, faults);
});
