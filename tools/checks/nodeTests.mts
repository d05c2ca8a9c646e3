import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from './check.mts';
import type { Finding } from './check.mts';
import type { TestOutcome, TestReport } from './testReporter.mts';
import { results } from './testRuns.mts';

/** Test files that run in one process; `isShown` while they run, otherwise only where they fail. */
export interface NodeTests {
	readonly name: string;
	readonly files: readonly string[];
	readonly isShown: boolean;
}

const reporter = join(import.meta.dirname, 'testReporter.mts');
const nothing: TestReport = { passed: 0, failed: 0, tests: [] };

/** Runs test files under node:test; the details are what it wrote about failures. */
export async function runNodeTests({
	name,
	files,
	isShown,
}: NodeTests): Promise<Finding & { readonly tests: readonly TestOutcome[] }> {
	const file = join(results, `${name}-tests.json`);
	await mkdir(results, { recursive: true });
	await rm(file, { force: true });
	// A file that ends in the middle of its start leaves servers that would keep the process for ever.
	const flags = ['--test-isolation=none', '--test-timeout=300000', '--test-force-exit'];
	const reporters = ['spec', reporter].map((each) => `--test-reporter=${each}`);
	const places = ['stdout', file].map((each) => `--test-reporter-destination=${each}`);
	const all = ['--test', ...flags, ...reporters, ...places, ...files];
	const { code, output } = await command(process.execPath, all, isShown);
	const { passed, failed, tests } = await reportIn(file);
	const isWhole = code === 0 && passed > 0;
	return {
		passed,
		failed: failed === 0 && !isWhole ? 1 : failed,
		tests,
		details: output.slice(Math.max(0, output.indexOf('✖ failing tests:'))),
	};
}

async function reportIn(file: string): Promise<TestReport> {
	try {
		return JSON.parse(await readFile(file, 'utf8')) as TestReport;
	} catch {
		return nothing;
	}
}
