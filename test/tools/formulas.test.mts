import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readShipped } from '../../tools/demo/examples.mts';
import type { Json } from '../../tools/host/execution.mts';
import type { WorkflowJson, WorkflowNode } from '../../tools/host/workflow.mts';

/** Cells as entered and as written to the sheet, which must not run them. */
const cells: ReadonlyArray<readonly [entered: unknown, written: unknown]> = [
	[`=HYPERLINK("https://evil.test","Open")`, `'=HYPERLINK("https://evil.test","Open")`],
	[`+1-415-555-0178`, `'+1-415-555-0178`],
	[`-2+3+cmd|' /C calc'!A0`, `'-2+3+cmd|' /C calc'!A0`],
	['@SUM(1+1)', `'@SUM(1+1)`],
	['\t=1+1', `'\t=1+1`],
	['\r=1+1', `'\r=1+1`],
	['\n=1+1', `'\n=1+1`],
	['＝1+1', `'＝1+1`],
	['Ana;=1+1', `Ana;'=1+1`],
	['+14155550178', '+14155550178'],
	['-5', '-5'],
	['Ana - Berlin = 3; fine', 'Ana - Berlin = 3; fine'],
	['', ''],
	[-5, -5],
	[true, true],
	[null, null],
];

const folder = join(import.meta.dirname, '../../workflows');
const workflows = await Promise.all(
	(await readdir(folder))
		.filter((file) => file.endsWith('.json'))
		.map(async (file) => ({ file, workflow: await readShipped({ file }) })),
);

/** The nodes that write a CSV, whose cells have no type. In the other formats a text is a text. */
const csvMakers = ({ nodes }: WorkflowJson): WorkflowNode[] =>
	nodes.filter(
		({ type, parameters }) =>
			type === 'n8n-nodes-base.convertToFile' && (parameters['operation'] ?? 'csv') === 'csv',
	);

type Links = Record<string, { main: Array<Array<{ node: string }> | null> }>;

const before = ({ nodes, connections }: WorkflowJson, name: string): WorkflowNode[] =>
	nodes.filter((node) =>
		(connections as Links)[node.name]?.main.flat().some((link) => link?.node === name),
	);

/** The row that a node makes of one. */
function rowFrom({ parameters, type, name }: WorkflowNode, row: Json): Json {
	if (type === 'n8n-nodes-base.code') {
		const run = new Function('$', '$input', String(parameters['jsCode']));
		const slice = {
			first: () => ({ json: { body: { firstLine: 2 } } }),
			all: () => [{ json: row }],
		};
		const json = { error: 'Row 1: =1+1', message: '@A1', details: { row: 1, reason: '=1+1' } };
		return (run(() => slice, { all: () => [{ json }] }) as Array<{ json: Json }>)[0]?.json ?? {};
	}
	const [, expression] = /^=\{\{(.*)\}\}$/s.exec(String(parameters['jsonOutput'])) ?? [];
	assert.ok(expression !== undefined, `${name} writes rows as they are`);
	return new Function('$json', `return ${expression}`)(row) as Json;
}

for (const { file, workflow } of workflows) {
	const makers = csvMakers(workflow);
	if (makers.length === 0) continue;
	describe(`the CSV of ${file}`, () => {
		const sources = makers.flatMap(({ name }) => before(workflow, name));
		test('has no cell that a spreadsheet runs, and its phone numbers stay numbers', () => {
			assert.ok(sources.length > 0);
			for (const source of sources)
				for (const [entered, written] of cells)
					assert.deepEqual(rowFrom(source, { cell: entered })['cell'], written, source.name);
		});
	});
}

test('large-export-slice.json quotes the names of columns and the texts of errors, too', () => {
	const { workflow } = workflows.find(({ file }) => file === 'large-export-slice.json') ?? {};
	const node = workflow?.nodes.find(({ name }) => name === 'Rows to Correct');
	assert.ok(node);
	const row = rowFrom(node, { '=1+1': 'x' });
	assert.equal(row["'=1+1"], 'x');
	assert.deepEqual([row['Reason'], row['What to Do']], ["'=1+1", "'@A1"]);
});
