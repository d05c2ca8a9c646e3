import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { command } from './check.mts';
import type { Finding } from './check.mts';
import { readTap } from './testRuns.mts';

/** Runs test files under node:test in one process, because they share one n8n, and writes a report in TAP. */
export async function runNodeTests(files: readonly string[], tap: string): Promise<Finding> {
	await mkdir(dirname(tap), { recursive: true });
	await rm(tap, { force: true });
	const flags = ['--test', '--test-isolation=none', '--test-timeout=300000'];
	const reporters = [
		'--test-reporter=spec',
		'--test-reporter-destination=stdout',
		'--test-reporter=tap',
		`--test-reporter-destination=${tap}`,
	];
	const { code } = await command(process.execPath, [...flags, ...reporters, ...files], true);
	const { passed, failed } = await readTap(tap);
	return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}
