import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Check } from './check.mts';
import { root, verdict } from './check.mts';
import { citationsIn, uncovered } from './citations.mts';
import { problemsIn } from './documents.mts';
import type { Known } from './documents.mts';
import { partsOf } from './markdown.mts';
import { isKnownHeader, panelWords } from './panelWords.mts';

/** The documents name only what there is: parameters, files, scripts, tests, links and error texts. */
export const documentCheck: Check = {
	name: 'documents name only what there is',
	work: async () => {
		const files = await filesOf(root);
		const documents = files.filter((file) =>
			/^(docs\/(internals\/)?|workflows\/)?[\w.-]+\.md$/.test(file),
		);
		const texts = await Promise.all(documents.map((file) => readFile(join(root, file), 'utf8')));
		const sources = files.filter((file) => /^(src|nodes|credentials)\/.*\.ts$/.test(file));
		const code = await Promise.all(sources.map((file) => readFile(join(root, file), 'utf8')));
		const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
			scripts: Record<string, string>;
		};
		const known: Known = {
			words: await panelWords(),
			isHeader: isKnownHeader,
			scripts: Object.keys(manifest.scripts),
			files,
			anchors: new Map(documents.map((file, i) => [file, partsOf(texts[i] ?? '').anchors])),
			source: code.join('\n').replaceAll("\\'", "'"),
		};
		const found = documents.flatMap((file, i) => problemsIn(file, texts[i] ?? '', known));
		return verdict(found.length > 0 ? found.join('\n') : undefined);
	},
};

/** The sections of the interface that comments cite are in its document. */
export const citationCheck: Check = {
	name: 'cited sections of the interface are in its document',
	work: async () => {
		const files = (await filesOf(root)).filter((file) => CITING.test(file));
		const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
		const citations = sources.flatMap(citationsIn);
		const document = await readFile(join(root, 'docs', 'internals', 'interface.md'), 'utf8');
		const missing = uncovered(document, citations);
		if (citations.length === 0) return verdict('nothing cites the interface any more');
		return verdict(missing.length > 0 ? `no section for ${missing.join(', ')}` : undefined);
	},
};

const CITING = /^(src|nodes|credentials|sandbox|test\/support)\/.*\.m?ts$/;
const skipped = ['node_modules', '.git', 'test-results'];

/** All files below a folder, relative to the checkout. */
async function filesOf(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { withFileTypes: true });
	const found = await Promise.all(
		entries
			.filter(({ name }) => !skipped.includes(name))
			.map(async (entry) => {
				const path = join(folder, entry.name);
				return entry.isDirectory() ? await filesOf(path) : [relative(root, path)];
			}),
	);
	return found.flat();
}
