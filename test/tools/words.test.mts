import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { partsOf, readSources } from '../support/sources.mts';

const root = join(import.meta.dirname, '../..');

/** Phrases that no one would say in a panel, each with a better one. */
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
	[
		/\bReturn All gives\b|\bIf (Customers|Numbers) Are the Same\b|\bIsolate Bad Rows\b/,
		'its new name',
	],
	[/\bdid not end well\b|\bMend\b/i, 'ended with an error, fix'],
	[/\bare not left out\b/, 'would be called'],
	[/\bMay (\d+|x|\{\{.*\}\}) people be called\b|\bAmong them:/, 'Call these people? For example:'],
	[/\bThey are released\b/, 'may be called again'],
	[/\bcontacted this person\b|\bremember across executions\b/, 'called this person'],
	[/\bone kind with different values\b/, 'cannot be ... and ... at once. Use Is Any Of'],
	[/\bSent to the service unchanged\b/, 'As the service defines it'],
	[/\bcall(s|ed)? no(body| one) twice\b(?<!no one twice)/i, 'no one twice'],
	[/\bto blame\b|\blast look\b|\bsecond look\b|\bof which an expression\b/i, 'a plain word'],
	[/\bWhat becomes of\b|\bPartial$|\bOlder Than Days\b/, 'its new name'],
	[/\bUse Columns as Variables\b|\bSend All Again\b|\bSelected Columns\b/, 'its new name'],
	[/\bFinished States\b|\b(First|Longest) Pause\b|\bRepeat After Lost Replies\b/, 'its new name'],
];

/** Phrases of a translation, which no document for users may have. */
const translated: ReadonlyArray<readonly [RegExp, string]> = [
	[/^(#+ .*|)You want to\b/, 'what the page is about'],
	[/,? too(?=[.,:]|$)/, 'also'],
	[/\bNor (are|is|do|does) (those|they|that|it)\b/, 'and ... not'],
	[/\bpass(ed|es)? on\b/, 'kept, returned as they were'],
	[/\b(were|was|are|is) not accepted\b|\b(rows?|cells?) not accepted\b/, 'rejected'],
	[/\bit ends instead\b/, 'to exit when it is done'],
	[/\bknows what is in the row\b/, 'to give the agent the data of the row'],
	[/\bNow the calls are made\b/, 'This makes the calls'],
	[/\bSuch hours belong\b/, 'count towards the day they start on'],
	[/\bas far as they differ\b|\bhave to agree\b/, 'Keep clocks in sync'],
	[/\beveryone it could be\b/, 'every person the number might belong to'],
	[/\bmade up for\b/, 'n8n does not catch up on schedules missed while it was down'],
	[/\bOf a row that\b/, 'Failed rows keep ...'],
	[/\bof two _?[A-Z][\w ]+_? the stricter\b|\bbecome a list\b/, 'exclude both values'],
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

/** The faults of a sentence, each with better words. */
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
	const faults = sentences.flatMap(([path, sentence]) =>
		complaints(sentence).map((complaint) => `${path}: ${complaint}`),
	);
	assert.deepEqual(faults, []);
	assert.ok(sentences.length > 400, `${sentences.length} sentences were read`);
});

test('the notes and descriptions of the example workflows have none either', async () => {
	const faults: string[] = [];
	for (const file of await sources('workflows', '.json')) {
		const { nodes } = JSON.parse(await readFile(join(root, file), 'utf8')) as {
			nodes: Array<{ type: string; notes?: string; parameters: { content?: string } }>;
		};
		for (const { type, notes = '', parameters } of nodes) {
			const text = type.endsWith('stickyNote') ? (parameters.content ?? '') : notes;
			for (const line of text.split('\n'))
				for (const complaint of complaints(line, [...phrases, ...translated]))
					faults.push(`${file}: ${complaint}`);
		}
	}
	assert.deepEqual(faults, []);
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
	const faults: string[] = [];
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
				faults.push(`${file}: ${complaint}`);
	}
	assert.deepEqual(faults, []);
});
