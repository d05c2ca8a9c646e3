import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check, Finding } from './check.mts';
import { command, root } from './check.mts';

/** Where the results are written. */
export const results = join(root, 'test-results');

/** The unit and engine tests; jest writes to the terminal itself. */
export const jestCheck: Check = {
	name: 'unit and engine tests (jest)',
	work: async () => {
		const file = join(results, 'jest.json');
		await mkdir(results, { recursive: true });
		await rm(file, { force: true });
		const { code } = await command(
			'jest',
			['--selectProjects', 'unit', 'engine', '--json', '--outputFile', file],
			true,
		);
		const counted = await readJest(file);
		const failed = counted.failed === 0 && code !== 0 ? 1 : counted.failed;
		return { ...counted, failed, details: 'What failed is above.' };
	},
};

/** The tests of the sandbox, under node:test. */
export const sandboxCheck: Check = {
	name: 'sandbox tests (node --test)',
	work: async () => {
		const tap = join(results, 'sandbox.tap');
		await mkdir(results, { recursive: true });
		await rm(tap, { force: true });
		const names = await readdir(join(root, 'test', 'sandbox'));
		const files = names.filter((name) => name.endsWith('.test.mts')).sort();
		const reporters = ['spec', 'tap'].map((name) => `--test-reporter=${name}`);
		const places = ['stdout', tap].map((place) => `--test-reporter-destination=${place}`);
		const { code, output } = await command(process.execPath, [
			'--test',
			...reporters,
			...places,
			...files.map((name) => join('test', 'sandbox', name)),
		]);
		const counted = await readTap(tap);
		const failed = counted.failed === 0 && (code !== 0 || files.length === 0) ? 1 : counted.failed;
		return { ...counted, failed, details: output.slice(output.indexOf('✖ failing tests:')) };
	},
};

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

/** Reads the counts of a report in TAP. */
export async function readTap(file: string): Promise<Finding> {
	const text = await readFile(file, 'utf8').catch(() => '# fail 1');
	const count = (name: string) =>
		Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
	return { passed: count('pass'), failed: count('fail') + count('cancelled') };
}
