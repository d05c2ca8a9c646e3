import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { command, results, root } from './check.mts';
import type { Check, Finding } from './check.mts';
import type { TestOutcome, TestReport } from './testReporter.mts';

const reporter = join(import.meta.dirname, 'testReporter.mts');

/** Checks the unit and engine tests. */
export const jestCheck: Check = {
	name: 'unit and engine tests (jest)',
	work: async () => await runJest('jest', ['unit', 'engine']),
};

/** Checks the tests of the sandbox and of the tools. */
export const toolsCheck: Check = {
	name: 'tests of the sandbox and the tools (node --test)',
	work: async () => {
		const files = [...(await listTestFiles('sandbox')), ...(await listTestFiles('tools'))];
		return await runNodeTests({ name: 'tools', files, isShown: false });
	},
};

/** Runs tests under jest, which writes to the terminal itself. */
export async function runJest(
	name: string,
	projects: readonly string[],
	args: readonly string[] = [],
): Promise<Finding> {
	const file = await prepareReport(`${name}.json`);
	const options = ['--json', '--outputFile', file, '--selectProjects', ...projects, ...args];
	const { code } = await command('jest', options, true);
	const report = await readReport<Record<string, number>>(file);
	const suites = report?.['numRuntimeErrorTestSuites'] ?? 0;
	const failed = (report?.['numFailedTests'] ?? 0) + suites;
	return {
		passed: report?.['numPassedTests'] ?? 0,
		failed: failed === 0 && code !== 0 ? 1 : failed,
		details: 'What failed is above.',
	};
}

/** Test files for one process; their output is shown, or only that of failures. */
export interface NodeTests {
	readonly name: string;
	readonly files: readonly string[];
	readonly isShown: boolean;
}

/** Runs test files under node:test. */
export async function runNodeTests({
	name,
	files,
	isShown,
}: NodeTests): Promise<Finding & { readonly tests: readonly TestOutcome[] }> {
	const file = await prepareReport(`${name}-tests.json`);
	// A file that fails while it starts leaves servers that would keep the process open.
	const flags = ['--test-isolation=none', '--test-timeout=300000', '--test-force-exit'];
	const reporters = ['spec', reporter].map((each) => `--test-reporter=${each}`);
	const places = ['stdout', file].map((each) => `--test-reporter-destination=${each}`);
	const args = ['--test', ...flags, ...reporters, ...places, ...files];
	const { code, output } = await command(process.execPath, args, isShown);
	const report = await readReport<TestReport>(file);
	const { passed, failed, tests } = report ?? { passed: 0, failed: 0, tests: [] };
	const isWhole = code === 0 && passed > 0;
	return {
		passed,
		failed: failed === 0 && !isWhole ? 1 : failed,
		tests,
		details: output.slice(Math.max(0, output.indexOf('✖ failing tests:'))),
	};
}

/** Lists the files of node:test in a folder of `test` by their names. */
export async function listTestFiles(folder: string): Promise<string[]> {
	const names = await readdir(join(root, 'test', folder));
	return names
		.filter((name) => name.endsWith('.test.mts'))
		.sort()
		.map((name) => join('test', folder, name));
}

/** Removes the report of an earlier run, and returns its path. */
async function prepareReport(name: string): Promise<string> {
	const file = join(results, name);
	await mkdir(results, { recursive: true });
	await rm(file, { force: true });
	return file;
}

/** Reads a report; undefined if the run was interrupted. */
async function readReport<T>(file: string): Promise<T | undefined> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as T;
	} catch {
		return undefined;
	}
}
