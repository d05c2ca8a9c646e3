import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const root = dirname(dirname(import.meta.dirname));
const execute = promisify(execFile);
const parts = ['nodes', 'credentials', 'icons', 'src', 'test', 'sandbox', 'tools'];
const files = ['package.json', 'jest.config.mjs', 'tsconfig.json', 'tsconfig.build.json'];

/** A copy of the checkout that shares its installed packages. */
async function copyOfCheckout(): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), 'conversation-desk-recipe-'));
	for (const name of [...parts, ...files])
		await cp(join(root, name), join(copy, name), { recursive: true });
	await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

/** Puts a line before the first one that matches. */
async function insert(file: string, before: RegExp, line: string): Promise<void> {
	const lines = (await readFile(file, 'utf8')).split('\n');
	const place = lines.findIndex((text) => before.test(text));
	assert.notEqual(place, -1, `${file} has no line like ${String(before)}`);
	await writeFile(file, lines.toSpliced(place, 0, line).join('\n'));
}

test('who follows "Add a ticket column" gets a column in every menu, and tests that pass', async () => {
	const copy = await copyOfCheckout();
	try {
		await insert(
			join(copy, 'src', 'tickets', 'columns.ts'),
			/^\tresolvedAt: /,
			"\treopenedAt: { label: 'Reopened At', kind: 'timestamp' },",
		);
		const table = join(copy, 'test', 'support', 'interfaceTable.ts');
		const text = await readFile(table, 'utf8');
		await writeFile(table, text.replaceAll(', closedAt,', ', closedAt, reopenedAt,'));
		const panel = join(copy, 'nodes', 'ConversationDesk', 'descriptions', 'ticketSearch.ts');
		const described = await readFile(panel, 'utf8');
		await writeFile(panel, described.replace(' closedAt,', ' closedAt, reopenedAt,'));
		const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
		const patterns = ['unit/tickets/columns', 'unit/tickets/filters', 'engine/description'];
		const { stderr } = await execute(
			process.execPath,
			[jest, '--selectProjects', 'unit', 'engine', '--verbose', '--testPathPatterns', ...patterns],
			{ cwd: copy },
		);
		assert.match(stderr, /offers for reopenedAt exactly the operators of its kind/);
	} catch (error) {
		assert.fail(error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error));
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
});
