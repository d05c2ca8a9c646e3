import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Finding } from './check.mts';
import { command, root } from './check.mts';

/** Where the results are written. */
export const results = join(root, 'test-results');

/** The unit and engine tests. */
export const jestCheck: Check = {
	name: 'unit and engine tests (jest)',
	work: async () => await runJest('jest'),
};

/** Runs unit and engine tests, all or those that are asked for; jest writes to the terminal itself. */
export async function runJest(name: string, asked: readonly string[] = []): Promise<Finding> {
	const file = join(results, `${name}.json`);
	await mkdir(results, { recursive: true });
	await rm(file, { force: true });
	const projects = ['--selectProjects', 'unit', 'engine'];
	const { code } = await command(
		'jest',
		[...projects, '--json', '--outputFile', file, ...asked],
		true,
	);
	const counted = await readJest(file);
	const failed = counted.failed === 0 && code !== 0 ? 1 : counted.failed;
	return { ...counted, failed, details: 'What failed is above.' };
}

/** The files of node:test in a folder of `test`, in the order of their names. */
export async function testFilesIn(folder: string): Promise<string[]> {
	const names = await readdir(join(root, 'test', folder));
	return names
		.filter((name) => name.endsWith('.test.mts'))
		.sort()
		.map((name) => join('test', folder, name));
}

/** Reads the counts of a report of jest. */
export async function readJest(file: string): Promise<Finding> {
	try {
		const report = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>;
		const suites = report['numRuntimeErrorTestSuites'] ?? 0;
		return {
			passed: report['numPassedTests'] ?? 0,
			failed: (report['numFailedTests'] ?? 0) + suites,
		};
	} catch {
		return { passed: 0, failed: 1 };
	}
}
