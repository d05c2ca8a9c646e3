import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { listTables } from '../../tools/checks/markdown.mts';
import {
	interfaceColumns,
	interfaceNotNull,
	interfaceNullable,
	interfaceOperators,
} from '../support/interfaceTable.ts';

const root = dirname(dirname(import.meta.dirname));
const document = await readFile(join(root, 'docs', 'internals', 'interface.md'), 'utf8');
const [ticketColumns = []] = listTables(document, 'Ticket');
const [operators = []] = listTables(document, 'Filter operators by column kind');

/** The names in the first cells of the rows that fit. */
const namesOf = (rows: readonly string[][], fits: (row: string[]) => boolean): string[] =>
	rows.filter(fits).flatMap(([names = '']) => names.split(', '));

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
