import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { citationsIn, uncovered } from '../../tools/checks/citations.mts';
import { tablesIn } from '../../tools/checks/markdown.mts';
import {
	interfaceColumns,
	interfaceNotNull,
	interfaceNullable,
	interfaceOperators,
} from '../support/interfaceTable.ts';

const root = dirname(dirname(import.meta.dirname));
const document = await readFile(join(root, 'docs', 'internals', 'interface.md'), 'utf8');
const [ticketColumns = []] = tablesIn(document, 'Ticket');
const [operators = []] = tablesIn(document, 'Filter operators by column kind');

/** The names in the first cells of the rows that fit. */
const namesOf = (rows: readonly string[][], fits: (row: string[]) => boolean): string[] =>
	rows.filter(fits).flatMap(([names = '']) => names.split(', '));

test('a citation of the interface is read as far as a semicolon, also over two lines', () => {
	const source = '/** A (interface: Ticket, source; more). */\n/* B (interface:\n * POST /b) */';
	assert.deepEqual(citationsIn(source), ['Ticket, source', 'POST /b']);
});

test('a cited section that is missing or empty is found, and so is a missing field of a section', () => {
	const text =
		'# I\n\n## Ticket\n\n`source`\n\n### Rows, all\n\nx\n\n## Empty\n\n## Other\n\n`b`\n';
	const cited = ['Ticket', 'Ticket, source', 'Ticket, b', 'Rows, all', 'Empty', 'Tickets'];
	assert.deepEqual(uncovered(text, cited), ['Ticket, b', 'Empty', 'Tickets']);
});

test('the document of the interface has the columns that the tests know, with the same types', () => {
	const inRows = (...types: readonly string[]) =>
		namesOf(ticketColumns.slice(1), ([, , type = '']) => types.includes(type));
	assert.deepEqual(
		namesOf(ticketColumns.slice(1), () => true),
		interfaceColumns,
	);
	assert.deepEqual(inRows('string or null', 'UUID or null'), interfaceNullable);
	const always = inRows('string', 'integer', 'UUID', 'one of the sources', 'one of four');
	assert.deepEqual(always, interfaceNotNull);
});

test('the document of the interface has the operators that the tests know, for every column', () => {
	const [head = [], ...rows] = operators;
	for (const [name = '', kind = ''] of ticketColumns.slice(1)) {
		const place = head.findIndex((kinds) => kinds.split(', ').includes(kind));
		const found = namesOf(rows, (row) => row[place] === 'yes');
		assert.deepEqual(found.sort(), [...(interfaceOperators.get(name) ?? [])].sort(), name);
	}
});
