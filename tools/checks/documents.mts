import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { command, listVerdict, root } from './check.mts';
import type { Check } from './check.mts';
import { listQuotes, partsOf } from './markdown.mts';
import { isColumnName, panelWords } from './panelWords.mts';

/** The names of n8n's settings, menus and nodes in the documents. */
const N8N_WORDS = [
	'On Error',
	'Continue',
	'Continue (using error output)',
	'Retry On Fail',
	'Retry',
	'Stop',
	'Wait',
	'If',
	'Import from File',
	'Settings > Community Nodes > Install',
	'Fetch Test Event',
	'Predefined Credential Type',
	'Execute Workflow',
	'Remove Duplicates',
	'Map Automatically',
	'Map Each Column Manually',
	'Test step',
	'Execute step',
	'Schedule Trigger',
	'Fixed',
	'File(s) Selector',
	'File Path and Name',
	'Split Out',
	'Include Empty Cells',
];

/** The name of a test in a document: "unit/core/client: _waits_". */
const TEST = /\b((?:unit|engine|e2e|restarts|queue|reliability)\/[\w./]+):\s_[^_]+_/g;

/** The names that a document may use. */
export interface Names {
	readonly words: ReadonlySet<string>;
	readonly scripts: readonly string[];
	/** All files of the checkout, relative to it. */
	readonly files: readonly string[];
	readonly anchors: ReadonlyMap<string, readonly string[]>;
	/** The sources, which contain every quoted text. */
	readonly source: string;
}

/** Lists the names in a document that do not exist; `file` is its path in the checkout. */
export function findProblems(file: string, text: string, names: Names): string[] {
	const { italics, code, links } = partsOf(text.replace(TEST, ''));
	const tests = Array.from(text.matchAll(TEST), ([, test = '']) => test);
	const scripts = code.flatMap((span) =>
		Array.from(span.matchAll(/npm run ([\w:-]+)/g), ([, script = '']) => script),
	);
	const isTest = (test: string) => names.files.some((each) => each.startsWith(`test/${test}.test`));
	return [
		...italics.filter((word) => !isWord(word, names)).map((word) => `no parameter "${word}"`),
		...scripts
			.filter((script) => !names.scripts.includes(script))
			.map((script) => `no npm script ${script}`),
		...code.filter((span) => !isFile(span, names)).map((span) => `no file ${span}`),
		...tests.filter((test) => !isTest(test)).map((test) => `no test file for ${test}`),
		...links.filter((link) => !isLink(file, link, names)).map((link) => `dead link ${link}`),
		...(file.endsWith('troubleshooting.md') ? listQuotes(text) : [])
			.filter((quote) => !isQuote(quote, names))
			.map((quote) => `nothing in the sources says "${quote}"`),
	].map((problem) => `${file}: ${problem}`);
}

function isWord(word: string, { words }: Names): boolean {
	if (words.has(word) || N8N_WORDS.includes(word) || isColumnName(word)) return true;
	// Words of other programs are in quotes, and "greater than" is the operator Is Greater Than.
	const operator = word
		.replace(/^(?!is )/, 'is ')
		.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
	return word.startsWith('"') || (/^[a-z]/.test(word) && words.has(operator));
}

/** Whether a span of code names an existing file, or is no path of the checkout. */
function isFile(span: string, { files }: Names): boolean {
	const path = span.replace(/\/$/, '');
	if (!/^[\w.@-]+(\/[\w.@-]+)*$/.test(path)) return true;
	const folder = path.includes('/') && path.split('/')[0];
	const isPath = folder
		? files.some((file) => file.startsWith(`${folder}/`))
		: /^[^.].*\.(ts|mts|mjs|json|yml|md)$/.test(path);
	if (!isPath) return true;
	return files.some(
		(file) => file === path || file.startsWith(`${path}/`) || basename(file) === path,
	);
}

function isLink(file: string, link: string, { files, anchors }: Names): boolean {
	if (/^(https?:|mailto:)/.test(link)) return true;
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? file : relative(root, resolve(root, dirname(file), path));
	const exists = files.some((each) => each === target || each.startsWith(`${target}/`));
	return exists && (anchor === undefined || anchors.get(target)?.includes(anchor) === true);
}

/** Whether the sources contain every part of a quote, which has … between its parts. */
const isQuote = (quote: string, { source }: Names): boolean =>
	quote.split('…').every((part) => source.includes(part.trim()));

/** Checks the names, links and quotes of the documents. */
export const documentCheck: Check = {
	name: 'documents name only what exists',
	work: async () => {
		const read = async (file: string) => await readFile(join(root, file), 'utf8');
		const { output } = await command('git', ['ls-files', '-co', '--exclude-standard']);
		const files = output.trim().split('\n');
		const documents = files.filter((file) =>
			/^(docs\/(internals\/)?|workflows\/)?[\w.-]+\.md$/.test(file),
		);
		const texts = await Promise.all(documents.map(read));
		const sources = files.filter((file) => /^(src|nodes|credentials)\/.*\.ts$/.test(file));
		const { scripts } = JSON.parse(await read('package.json')) as { scripts: object };
		const names: Names = {
			words: await panelWords(),
			scripts: Object.keys(scripts),
			files,
			anchors: new Map(documents.map((file, i) => [file, partsOf(texts[i] ?? '').anchors])),
			source: (await Promise.all(sources.map(read))).join('\n').replaceAll("\\'", "'"),
		};
		return listVerdict(documents.flatMap((file, i) => findProblems(file, texts[i] ?? '', names)));
	},
};
