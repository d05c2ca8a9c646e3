import { basename, dirname, relative, resolve } from 'node:path';
import { root } from './check.mts';
import { partsOf, quotesIn } from './markdown.mts';

/** What n8n itself calls its settings, menus and nodes. */
const ofN8n = [
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

/** What a document may name. */
export interface Known {
	readonly words: ReadonlySet<string>;
	readonly isHeader: (name: string) => boolean;
	readonly scripts: readonly string[];
	/** All files of the checkout, relative to it. */
	readonly files: readonly string[];
	readonly anchors: ReadonlyMap<string, readonly string[]>;
	/** The sources, in which quoted texts have to stand. */
	readonly source: string;
}

/** What a document says that is not so; `file` is its path in the checkout. */
export function problemsIn(file: string, text: string, known: Known): string[] {
	const { italics, code, links, tests } = partsOf(text);
	return [
		...italics.filter((word) => !isWord(word, known)).map((word) => `no parameter "${word}"`),
		...code
			.flatMap(scriptsIn)
			.filter((name) => !known.scripts.includes(name))
			.map(noScript),
		...code.filter((span) => !isFine(span, known)).map((span) => `no file ${span}`),
		...tests.filter((name) => !isTest(name, known)).map((name) => `no test file for ${name}`),
		...links
			.filter((link) => !leadsSomewhere(file, link, known))
			.map((link) => `dead link ${link}`),
		...quotesIn(text, 'Troubleshooting')
			.filter((quote) => !isSaid(quote, known))
			.map((quote) => `nothing in the sources says "${quote}"`),
	].map((problem) => `${file}: ${problem}`);
}

function isWord(word: string, { words, isHeader }: Known): boolean {
	if (words.has(word) || ofN8n.includes(word) || isHeader(word)) return true;
	// Words of other programs are in quotes, and operators may stand inside a sentence.
	return word.startsWith('"') || (/^[a-z]/.test(word) && words.has(titleOf(word)));
}

/** The operator that is meant: "greater than" is Is Greater Than. */
const titleOf = (words: string): string =>
	words.replace(/^(?!is )/, 'is ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const scriptsIn = (span: string): string[] =>
	[...span.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);

const noScript = (name: string): string => `no npm script ${name}`;

/** Whether a span of code is no file of ours, or one that is there. */
function isFine(span: string, { files }: Known): boolean {
	const path = span.replace(/\/$/, '');
	if (!/^[\w.@-]+(\/[\w.@-]+)*$/.test(path)) return true;
	const isThere = files.some((file) => file === path || file.startsWith(`${path}/`));
	const isOurs = path.includes('/')
		? files.some((file) => file.startsWith(`${path.split('/')[0] ?? ''}/`))
		: /\.(ts|mts|mjs|json|yml|md)$/.test(path) && !path.startsWith('.');
	return isThere || !isOurs || files.some((file) => basename(file) === path);
}

const isTest = (name: string, { files }: Known): boolean =>
	files.some((file) => file.startsWith(`test/${name}.test.`));

function leadsSomewhere(file: string, link: string, { files, anchors }: Known): boolean {
	if (/^(https?:|mailto:)/.test(link)) return true;
	const [path = '', anchor] = link.split('#');
	const target = path === '' ? file : relative(root, resolve(root, dirname(file), path));
	const isThere = files.some((known) => known === target || known.startsWith(`${target}/`));
	return isThere && (anchor === undefined || (anchors.get(target) ?? []).includes(anchor));
}

/** Whether the sources hold all that a quote shows of a text; … stands for what differs. */
const isSaid = (quote: string, { source }: Known): boolean =>
	quote
		.split('…')
		.map((part) => part.trim())
		.every((part) => source.includes(part));
