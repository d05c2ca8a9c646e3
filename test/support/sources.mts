import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/checks/check.mts';

/** A source of the checkout. */
export interface Source {
	readonly path: string;
	readonly file: ts.SourceFile;
}

/** The sources that fit a pattern; without one, those of the package. */
export const readSources = (pattern = '{src,nodes,credentials}/**/*.ts'): Source[] =>
	globSync(pattern, { cwd: root }).map((path) => {
		const text = readFileSync(join(root, path), 'utf8');
		return { path, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
	});

/** A part of a source, and all parts of it. */
export function* partsOf(node: ts.Node): Generator<ts.Node> {
	yield node;
	for (const child of node.getChildren()) yield* partsOf(child);
}
