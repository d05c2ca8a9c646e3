import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { partsOf, readSources } from '../support/sources.mts';

const root = join(import.meta.dirname, '../..');

/** Phrases that no one would say in a panel; what to say instead stands behind each. */
const phrases: ReadonlyArray<readonly [RegExp, string]> = [
	[/;(\s|$)/, 'two sentences'],
	[/(?<!\bthere )\b(is|are) no (?!longer|such|tickets?\b|response)[a-z]/i, 'is not a valid ...'],
	[/\b(holds|bears)\b/i, 'contains, has'],
	[/\b(comes? out|goes again|is told)\b/i, 'is returned, is resent, is reported'],
	[/\bso that\b|\bof which\b|\bbut the first\b|(?<!\bsoon )\bas it is\b/i, 'a new sentence'],
	[/\bat most$/i, 'max'],
	[/\b(under way|by itself|anybody|nobody|whom)\b/i, 'in progress, automatically, anyone, who'],
	[/\b(reply|replies|asks again)\b/i, 'response, checks again'],
	[/\brefuse[sd]?\b(?! the connection)/i, 'rejected'],
	[/\bdid not end well\b|\bMend\b/i, 'ended with an error, fix'],
	[/\bcall(s|ed)? no(body| one) twice\b(?<!no one twice)/i, 'no one twice'],
	[/\bto blame\b|\blast look\b|\bsecond look\b|\bWhat becomes of\b/i, 'a plain word'],
];

/** Phrases of a translation, which no document for users may have. */
const translated: ReadonlyArray<readonly [RegExp, string]> = [
	[/^(#+ .*|)You want to\b/, 'what the page is about'],
	[/,? too(?=[.,:]|$)/, 'also'],
	[/\bNor (are|is|do|does) (those|they|that|it)\b/, 'and ... not'],
	[/\bpass(ed|es)? on\b/, 'kept, returned as they were'],
	[/\b(were|was|are|is) not accepted\b|\b(rows?|cells?) not accepted\b/, 'rejected'],
	[/\bas far as they differ\b|\bhave to agree\b|\bOf a row that\b/, 'a plain sentence'],
];

/** The text of a node if it is a sentence: if it has words between spaces. */
function sentenceOf(node: ts.Node): string[] {
	const text = ts.isTemplateExpression(node)
		? node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('')
		: ts.isStringLiteralLike(node)
			? node.text
			: '';
	return /[a-z]{2,} [a-z]/i.test(text) && !text.startsWith('={{') ? [text] : [];
}

/** What is wrong with a sentence, and what to say instead. */
const complaints = (text: string, refused = phrases): string[] =>
	refused.flatMap(([phrase, instead]) =>
		phrase.test(text) ? [`"${text.slice(0, 90)}": say ${instead}`] : [],
	);

async function sources(folder: string, ending: string): Promise<string[]> {
	const names = await readdir(join(root, folder), { recursive: true });
	return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

test('no text of src, nodes and the credential has a phrase that no one would say', async () => {
	const sentences = readSources().flatMap(({ path, file }) =>
		[...partsOf(file)].flatMap(sentenceOf).map((sentence) => [path, sentence] as const),
	);
	const found = sentences.flatMap(([path, sentence]) =>
		complaints(sentence).map((complaint) => `${path}: ${complaint}`),
	);
	assert.deepEqual(found, []);
	assert.ok(sentences.length > 400, `${sentences.length} sentences were read`);
});

test('the notes and descriptions of the example workflows have none either', async () => {
	const found: string[] = [];
	for (const file of await sources('workflows', '.json')) {
		const { nodes } = JSON.parse(await readFile(join(root, file), 'utf8')) as {
			nodes: Array<{ type: string; notes?: string; parameters: { content?: string } }>;
		};
		for (const { type, notes = '', parameters } of nodes) {
			const text = type.endsWith('stickyNote') ? (parameters.content ?? '') : notes;
			for (const line of text.split('\n'))
				for (const complaint of complaints(line, [...phrases, ...translated]))
					found.push(`${file}: ${complaint}`);
		}
	}
	assert.deepEqual(found, []);
});

/** The documents for people who use or change the package. Pages in docs/internals quote the service, tests and figures. */
const documents = async (): Promise<string[]> => {
	const pages = await sources('docs', '.md');
	const internals = join('docs', 'internals');
	return [
		'README.md',
		'CHANGELOG.md',
		'CONTRIBUTING.md',
		'SECURITY.md',
		join('workflows', 'README.md'),
		...pages.filter((page) => !page.startsWith(internals) || page.endsWith('security.md')),
	];
};

test('the documents have none either', async () => {
	const found: string[] = [];
	for (const file of await documents()) {
		const text = await readFile(join(root, file), 'utf8');
		// Lines of a paragraph belong together. Code is not read aloud, and the links are addresses.
		const prose = text
			.replace(/```[\s\S]*?```/g, '')
			.replace(/<!-- names -->[\s\S]*<!-- names -->/, '')
			.replace(/`[^`]*`/g, 'x')
			.replace(/\]\([^)]*\)/g, ']')
			.replace(/([^\n|])\n(?![\n|#*\d-])/g, '$1 ');
		for (const line of prose.split(/\n|\|/))
			for (const complaint of complaints(line.trim(), [...phrases, ...translated]))
				found.push(`${file}: ${complaint}`);
	}
	assert.deepEqual(found, []);
});
