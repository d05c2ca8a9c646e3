import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { codes } from '../../src/bulk/codes.ts';
import { readShipped } from '../../tools/demo/examples.mts';
import type { WorkflowNode } from '../../tools/host/workflow.mts';

const root = join(import.meta.dirname, '../..');
const files = (await readdir(join(root, 'workflows'))).filter((name) => name.endsWith('.json'));
const overview = await readFile(join(root, 'workflows', 'README.md'), 'utf8');

/** Examples without pinned samples: a person types into the chat, and the first campaign example fills the board. */
const withoutSamples = ['agent-that-may-call.json', 'support-agent.json', 'campaign-run.json'];

/** Nodes of other services; a manual execution uses them only after its user has unpinned them. */
const ofServices = /\.(gmail|googleSheets|hubspot|salesforce|shopify|slack)$/;

/** The values of the node Settings by their names. */
function settingsOf(nodes: readonly WorkflowNode[]): Map<string, unknown> {
	const parameter = nodes.find(({ name }) => name === 'Settings')?.parameters['assignments'];
	const { assignments } = (parameter ?? { assignments: [] }) as { assignments: Assignment[] };
	return new Map(assignments.map(({ name, value }) => [name, value]));
}

interface Assignment {
	readonly name: string;
	readonly value: unknown;
}

for (const file of files) {
	describe(file, async () => {
		const workflow = await readShipped({ file });
		const names = workflow.nodes.map(({ name }) => name);
		const samples = Object.keys(workflow['pinData'] as object);

		test('replaces no safeguards, options or filters as a whole by an expression, which n8n would drop', () => {
			for (const { name, parameters } of workflow.nodes.filter(({ type }) =>
				/conversationDesk/.test(type),
			))
				for (const group of ['safeguards', 'options', 'filters', 'sort', 'dynamicVariables'])
					assert.equal(typeof (parameters[group] ?? {}), 'object', `${name}: ${group}`);
		});

		test('has an entry with a small picture in the list of the examples', async () => {
			const picture = `docs/images/${file.replace(/\.json$/, '.png')}`;
			assert.ok(overview.includes(`| \`${file}\``));
			assert.ok(overview.includes(`](../${picture})`));
			assert.ok((await stat(join(root, picture))).size < 150_000);
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

		test('reaches no other service by hand before its samples are unpinned', () => {
			const reached = workflow.nodes.filter(({ type }) => ofServices.test(type));
			assert.deepEqual(
				reached.map(({ name }) => name).filter((name) => !samples.includes(name)),
				[],
			);
			// n8n does not run a workflow with a node that names a missing credential.
			assert.ok(reached.every(({ credentials }) => credentials === undefined));
		});

		test('rings no phone before its user says so', () => {
			const settings = settingsOf(workflow.nodes);
			const calling = workflow.nodes.filter(
				({ type, parameters }) =>
					type.endsWith('.conversationDesk') &&
					`${String(parameters['resource'])} ${String(parameters['operation'])}` ===
						'conversation create',
			);
			for (const { name, parameters } of calling) {
				const { dryRun, safeguards } = parameters;
				const isApproved = JSON.stringify(safeguards).includes('approvedPlan');
				const usesSetting =
					dryRun === "={{ $('Settings').first().json.dryRun }}" && settings.get('dryRun') === true;
				assert.ok(dryRun === true || isApproved || usesSetting, name);
			}
		});

		test('says in its first note that it reads or writes files', () => {
			const usesFiles = workflow.nodes.some(({ type }) => type.endsWith('.readWriteFile'));
			const [first] = workflow.nodes;
			const text = String(first?.parameters['content']);
			assert.ok(!usesFiles || /^\*\*Files:\*\* .*n8n Cloud has none\.$/m.test(text));
		});

		test('is switched off, and holds no credential of anyone', () => {
			assert.notEqual(workflow['active'], true);
			const refs = workflow.nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
			assert.ok(refs.every(({ id }) => id === null));
		});
		test('reads only settings that there are', () => {
			const settings = settingsOf(workflow.nodes);
			const text = JSON.stringify(workflow.nodes);
			const read = [...text.matchAll(/\$\('Settings'\)\.first\(\)\.json\.(\w+)/g)];
			assert.deepEqual(
				read.map(([, name = '']) => name).filter((name) => !settings.has(name)),
				[],
			);
		});

		test('invents its people: numbers and addresses that no one has', () => {
			const text = JSON.stringify(workflow['pinData']);
			const addresses = [...text.matchAll(/[\w.]+@([\w.]+)/g)].map(([, host]) => host);
			assert.ok(addresses.every((host) => host === 'example.com'));
			const numbers = [...text.matchAll(/\+1[\d ()-]{10,}/g)].map(([n]) => n.replace(/\D/g, ''));
			assert.ok(numbers.every((number) => /^1\d{3}55501\d\d$/.test(number)));
		});
	});
}

test('the sheet to fill in has the columns that its examples read and write', async () => {
	const [header = ''] = (await readFile(join(root, 'docs', 'campaign-sheet.csv'), 'utf8')).split(
		'\n',
	);
	const columns = header.split(',');
	const { nodes, pinData } = await readShipped({ file: 'google-sheets-campaign.json' });
	const text = JSON.stringify(nodes.filter(({ name }) => name !== 'Calls Not Read'));
	const named = [
		...[...text.matchAll(/json\['([^']+)'\]/g)].map(([, name]) => name),
		...nodes.flatMap(({ parameters }) => {
			const { value } = (parameters['columns'] ?? { value: {} }) as { value: object };
			return Object.keys(value);
		}),
		...Object.keys((pinData as Record<string, Item[]>)['Rows of the Sheet']?.[0]?.json ?? {}),
	];
	assert.ok(named.length > 20);
	assert.deepEqual(
		named.filter((name = '') => name !== 'row_number' && !columns.includes(name)),
		[],
	);
});

type Item = { json: Record<string, unknown> };

/** The value of an expression in an example, as n8n would compute it. */
function valueOf(
	expression: unknown,
	{ items = {}, input = [], mode = 'test', json = {} }: Computed = {},
): unknown {
	const code = /^=\{\{([\s\S]*)\}\}$/.exec(String(expression))?.[1] ?? 'undefined';
	const $ = (name: string) => ({
		all: () => items[name] ?? [],
		first: () => items[name]?.[0] ?? { json: {} },
	});
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- what n8n does with it
	const compute = new Function('$', '$input', '$execution', '$json', `return (${code.trim()});`);
	return compute($, { all: () => input }, { mode }, json) as unknown;
}

interface Computed {
	readonly items?: Readonly<Record<string, readonly Item[]>>;
	readonly input?: readonly Item[];
	readonly mode?: string;
	readonly json?: Item['json'];
}

for (const file of [
	'customer-sync.json',
	'hubspot-customers.json',
	'salesforce-customers.json',
	'shopify-customers.json',
])
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
	const goesOnFrom = (...outcomes: readonly string[]) => {
		const rows = outcomes.map((_, i) => ({ json: { changed: `2026-0${i + 1}` } }));
		const input = outcomes.map((outcome): Item =>
			outcome === 'accepted'
				? { json: { outcome } }
				: { json: { error: 'Row 1', details: { outcome } } },
		);
		const items = {
			Settings: [{ json: settings }],
			'Last Time': [{ json: { since: '2025-12' } }],
			'Anything Changed?': rows,
		};
		return valueOf(since, { items, input });
	};
	assert.equal(goesOnFrom('accepted', 'accepted'), '2026-02');
	assert.equal(goesOnFrom('rejected', 'accepted', 'rejected'), '2026-03');
	assert.equal(goesOnFrom('accepted', 'notSent', 'unknown', 'rejected'), '2026-02');
	assert.equal(goesOnFrom('rejected', 'notSent'), '2025-12');
});

test('the campaign board stops only who was rejected, and asks about who may have been called', async () => {
	const { nodes } = await readShipped({ file: 'campaign-run.json' });
	const { parameters } = nodes.find(({ name }) => name === 'Note Why Not') ?? {};
	const { value } = parameters?.['columns'] as { value: Record<string, string> };
	const stateOf = (outcome: string, code: string) =>
		valueOf(value['state'], { json: { details: { outcome, code } } });
	assert.equal(stateOf('rejected', 'invalid'), 'stopped');
	assert.equal(stateOf('rejected', 'rejected'), 'stopped');
	assert.equal(stateOf('unknown', 'unknown'), 'check');
	assert.equal(stateOf('notSent', 'attemptsUsed'), 'check');
	for (const code of ['settings', 'accessDenied', 'notFound', 'serviceFailed', 'outsideHours'])
		assert.equal(stateOf('notSent', code), 'due');
});

test('no example reads a sentence of the node, and each code that one reads exists', async () => {
	for (const file of files) {
		const text = JSON.stringify((await readShipped({ file })).nodes);
		assert.doesNotMatch(text, /\/\.test\(|(error|reason)\.(includes|match|startsWith)\(/, file);
		for (const [, code = ''] of text.matchAll(/\bcode [!=]== '(\w+)'/g))
			assert.ok(code in codes, code);
	}
});

test('every example answers the question who may be called, and reads empty cells of files', async () => {
	const columns: Readonly<Record<string, string>> = {
		notMarked: 'doNotCallColumn',
		marked: 'doNotDisturbColumn',
		allowed: 'consentColumn',
	};
	const answers: string[] = [];
	for (const file of files) {
		const { nodes } = await readShipped({ file });
		for (const { name, type, parameters } of nodes) {
			const { resource, operation, options, customer } = parameters;
			const isAutomatic = Object(customer).mappingMode === 'autoMapInputData';
			const isCall = resource === 'conversation' && operation === 'create';
			if (type.endsWith('.extractFromFile'))
				assert.equal(Object(options).includeEmptyCells, true, `${file}: ${name}`);
			if (!isAutomatic && (!isCall || type.endsWith('Tool'))) continue;
			const answer = String(parameters[isCall ? 'whoMayBeCalled' : 'doNotDisturb']);
			answers.push(answer);
			const column = columns[answer];
			if (!['everyone', 'none'].includes(answer))
				assert.ok(column !== undefined && parameters[column], `${file}: ${name}`);
		}
	}
	assert.deepEqual(new Set(answers), new Set(['everyone', 'none', ...Object.keys(columns)]));
});
