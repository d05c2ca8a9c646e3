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

/** Follows a recipe in a copy of the checkout, which shares its installed packages, and says what these tests say there. */
async function testsAfter(
	recipe: (copy: string) => Promise<void>,
	...patterns: readonly string[]
): Promise<string> {
	const copy = await mkdtemp(join(tmpdir(), 'conversation-desk-recipe-'));
	try {
		for (const name of [...parts, ...files])
			await cp(join(root, name), join(copy, name), { recursive: true });
		await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
		await recipe(copy);
		const jest = join(copy, 'node_modules', 'jest', 'bin', 'jest.js');
		const args = ['--selectProjects', 'unit', 'engine', '--verbose', '--testPathPatterns'];
		return (await execute(process.execPath, [jest, ...args, ...patterns], { cwd: copy })).stderr;
	} catch (error) {
		assert.fail(error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error));
	} finally {
		await rm(copy, { recursive: true, force: true });
	}
}

/** Puts a line before the first one that matches. */
async function insert(file: string, before: RegExp, line: string): Promise<void> {
	const lines = (await readFile(file, 'utf8')).split('\n');
	const place = lines.findIndex((text) => before.test(text));
	assert.notEqual(place, -1, `${file} has no line like ${String(before)}`);
	await writeFile(file, lines.toSpliced(place, 0, line).join('\n'));
}

test('who follows "Add a ticket column" gets a column in every menu, and tests that pass', async () => {
	const recipe = async (copy: string): Promise<void> => {
		await insert(
			join(copy, 'src', 'tickets', 'columns.ts'),
			/^\tresolvedAt: /,
			"\treopenedAt: { label: 'Reopened At', kind: 'timestamp' },",
		);
		const panel = join(copy, 'nodes', 'ConversationDesk', 'descriptions', 'ticketSearch.ts');
		const described = await readFile(panel, 'utf8');
		await writeFile(panel, described.replace(' closedAt,', ' closedAt, reopenedAt,'));
	};
	assert.match(
		await testsAfter(recipe, 'engine/description'),
		/offers for reopenedAt the operators of its kind/,
	);
});

const rule = `import { toLeftOut } from '../../bulk/outcomes';
import type { Rule } from '../../bulk/plan';
import type { PlannedConversation } from '../plannedConversation';

/** Leaves out numbers that end in two nines. */
export const noNines: Rule<PlannedConversation> = ({ entries }) => {
	const nines = entries.filter(
		({ content }) => content.conversation.toPhoneNumber?.endsWith('99') === true,
	);
	const outcome = toLeftOut('doNotCall', 'Two nines');
	return { leaveOut: new Map(nines.map((entry) => [entry, outcome])) };
};
`;

const ruleTest = `import { create } from '../../src/conversations/create/create';
import { fakeRuntime, inTurn, reply } from '../support/fakeRuntime';
import { runRows } from '../support/runRows';
import { AGENT } from '../support/samples';

it('leaves out the nines, and calls the others', async () => {
	const runtime = fakeRuntime(inTurn(reply(200, '')));
	const rows = ['+14155550199', '+14155550198'].map((toPhoneNumber) => ({
		parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber },
	}));
	const { rows: results } = await runRows(create, rows, runtime.context());
	expect(results[0]?.failure).toMatchObject({ message: 'Two nines' });
	expect(JSON.stringify(runtime.sent)).toContain('+14155550198');
	expect(JSON.stringify(runtime.sent)).not.toContain('+14155550199');
});
`;

test('who follows "Add a safeguard" writes one file and one word in a list, and it holds', async () => {
	const recipe = async (copy: string): Promise<void> => {
		const folder = join(copy, 'src', 'conversations', 'create');
		await writeFile(join(folder, 'noNines.ts'), rule);
		const operation = join(folder, 'create.ts');
		await insert(operation, /^import \{ maximumRule \}/, "import { noNines } from './noNines';");
		await insert(operation, /^\t*maximumRule\(/, '\t\t\t\tnoNines,');
		await writeFile(join(copy, 'test', 'unit', 'noNines.test.ts'), ruleTest);
	};
	assert.match(
		await testsAfter(recipe, 'unit/noNines'),
		/leaves out the nines, and calls the others/,
	);
});
