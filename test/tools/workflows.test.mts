import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';

const root = join(import.meta.dirname, '../..');
const files = await readdir(join(root, 'workflows'));
const readme = await readFile(join(root, 'README.md'), 'utf8');
const guides = await Promise.all(
	['campaigns.md', 'sync.md'].map((name) => readFile(join(root, 'docs', name), 'utf8')),
);

/** What goes into the chat is what a person types; a pinned question would answer every other. The board is filled by the first of three. */
const withoutSamples = [
	'agent-that-may-call.json',
	'support-agent.json',
	'campaign-run.json',
	'campaign-collect.json',
];

for (const file of files) {
	describe(file, async () => {
		const workflow = await readShipped({ file });
		const names = workflow.nodes.map(({ name }) => name);
		const samples = Object.keys(workflow['pinData'] as object);

		test('has an entry with a small picture in the README or a guide', async () => {
			const picture = `images/${file.replace(/\.json$/, '.png')}`;
			const pages = [
				[readme, `](docs/${picture})`],
				...guides.map((text) => [text, `](${picture})`]),
			];
			const entries = pages.filter(([text]) => text?.includes(`\`${file}\``));
			assert.ok(entries.some(([text = '', link = '?']) => text.includes(link)));
			assert.ok((await stat(join(root, 'docs', picture))).size < 150_000);
		});

		test('has samples pinned to nodes that there are', () => {
			assert.equal(samples.length > 0, !withoutSamples.includes(file));
			assert.deepEqual(
				samples.filter((name) => !names.includes(name)),
				[],
			);
		});

		test('names the pinned nodes in its first note, and how to unpin them', () => {
			const [first] = workflow.nodes;
			const text = String(first?.parameters['content']);
			assert.match(text, /^## .*### Before (the first|you)/s);
			const isTrigger = (name: string) => text.includes('the trigger') && /Created$/.test(name);
			assert.ok(samples.every((name) => text.includes(`**${name}**`) || isTrigger(name)));
		});

		test('invents its people: numbers and addresses that no one has', () => {
			const text = JSON.stringify(workflow['pinData']);
			const addresses = [...text.matchAll(/[\w.]+@([\w.]+)/g)].map(([, host]) => host);
			assert.ok(addresses.every((host) => host === 'example.com'));
			const numbers = [...text.matchAll(/\+1[\d ()-]{10,}/g)].map(([n]) => n.replace(/\D/g, ''));
			assert.ok(numbers.every((number) => /^1\d{3}55501\d\d$/.test(number)));
		});

		test('is switched off, and holds no credential of anyone', () => {
			assert.notEqual(workflow['active'], true);
			const known = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
			assert.ok(known.every(({ id }) => id === null));
		});
	});
}

test('the README fits its first reader: 200 lines, the two commands, and every example', () => {
	assert.ok(readme.split('\n').length <= 200);
	for (const said of ['npm run demo ', 'npm test ', ...files.map((file) => `| \`${file}\``)])
		assert.ok(readme.includes(said), said);
});

test('outbound-campaign.json is a dry run until its user says otherwise', async () => {
	const { nodes } = await readShipped({ file: 'outbound-campaign.json' });
	const settings = nodes.find(({ name }) => name === 'Settings')?.parameters['assignments'];
	const { assignments } = settings as { assignments: Array<{ name: string; value: unknown }> };
	assert.equal(assignments.find(({ name }) => name === 'dryRun')?.value, true);
});

test('await-conversations.json waits longer each time, and always long enough to sleep in the database', async () => {
	const { nodes } = await readShipped({ file: 'await-conversations.json' });
	const parameters = nodes.find(({ type }) => type === 'n8n-nodes-base.wait')?.parameters;
	assert.equal(parameters?.['unit'], 'minutes');
	const [, first = ''] =
		/^=\{\{ \[([\d, ]+)\]\[\$runIndex\] \?\? 30 \}\}$/.exec(String(parameters['amount'])) ?? [];
	const minutes = [...first.split(', ').map(Number), 30];
	assert.ok(minutes.every((each, i) => each >= 2 && each > (minutes[i - 1] ?? 0)));
});

type Item = { json: Record<string, unknown> };

/** What an expression of an example gives, as n8n would compute it. */
function valueOf(
	expression: unknown,
	{ items = {}, input = [], mode = 'test' }: Computed = {},
): unknown {
	const code = /^=\{\{([\s\S]*)\}\}$/.exec(String(expression))?.[1] ?? 'undefined';
	const $ = (name: string) => ({
		all: () => items[name] ?? [],
		first: () => items[name]?.[0] ?? { json: {} },
	});
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- what n8n does with it
	const compute = new Function('$', '$input', '$execution', `return (${code.trim()});`);
	return compute($, { all: () => input }, { mode }) as unknown;
}

interface Computed {
	readonly items?: Readonly<Record<string, readonly Item[]>>;
	readonly input?: readonly Item[];
	readonly mode?: string;
}

for (const file of ['customer-sync.json', 'hubspot-customers.json', 'salesforce-customers.json'])
	test(`${file} sends no one by hand before its user says so, and everyone when it is published`, async () => {
		const { nodes } = await readShipped({ file });
		const sending = nodes.filter(({ type }) => type.endsWith('.conversationDesk'));
		assert.ok(sending.length > 0);
		for (const { parameters } of sending) {
			const isDry = (startSends: boolean, mode: string) =>
				valueOf(parameters['dryRun'], { items: { Settings: [{ json: { startSends } }] }, mode });
			assert.deepEqual(
				[isDry(false, 'test'), isDry(true, 'test'), isDry(false, 'production')],
				[true, false, false],
			);
		}
	});

test('salesforce-customers.json goes on from the first row that may not have arrived, else from the last', async () => {
	const { nodes } = await readShipped({ file: 'salesforce-customers.json' });
	const { assignments } = nodes.find(({ name }) => name === 'Where to Go On')?.parameters[
		'assignments'
	] as { assignments: Array<{ name: string; value: unknown }> };
	const since = assignments.find(({ name }) => name === 'since')?.value;
	const settings = { changedColumn: 'changed', firstTime: '1970' };
	const goesOnFrom = (...outcomes: ReadonlyArray<[string, number?]>) => {
		const rows = outcomes.map((_, i) => ({ json: { changed: `2026-0${i + 1}` } }));
		const input = outcomes.map(([outcome, status], i): Item => {
			const json = { changed: `2026-0${i + 1}` };
			if (outcome === 'accepted') return { json: { outcome } };
			const details = { outcome, ...(status !== undefined && { status }) };
			return { json: { ...json, error: 'Row 1', details } };
		});
		const items = {
			Settings: [{ json: settings }],
			'Last Time': [{ json: { since: '2025-12' } }],
			'Contacts Changed Since': rows,
		};
		return valueOf(since, { items, input });
	};
	assert.equal(goesOnFrom(['accepted'], ['accepted']), '2026-02');
	assert.equal(goesOnFrom(['rejected'], ['accepted']), '2026-02');
	assert.equal(goesOnFrom(['rejected', 422], ['accepted'], ['rejected', 400]), '2026-03');
	assert.equal(goesOnFrom(['accepted'], ['notSent'], ['unknown'], ['rejected']), '2026-02');
	assert.equal(goesOnFrom(['rejected'], ['rejected', 401], ['accepted']), '2026-02');
	assert.equal(goesOnFrom(['rejected'], ['notSent']), '2025-12');
});
