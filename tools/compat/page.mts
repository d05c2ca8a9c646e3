import type { TestOutcome } from '../checks/testReporter.mts';

/** What became of each test on one version of n8n. */
export interface VersionResults {
	readonly version: string;
	readonly tests: readonly TestOutcome[];
}

/** The page that says what was tried with which n8n. */
export function compatibilityPage(all: readonly VersionResults[]): string {
	const names = [...new Set(all.flatMap(({ tests }) => tests.map(({ name }) => name)))];
	const outcomes = all.map(
		({ tests }) => new Map(tests.map(({ name, outcome }) => [name, outcome])),
	);
	const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [
		'# Compatibility',
		'',
		'Written by `npm run test:compat`, which installs the packed package in each of these versions of n8n and tries it',
		'against the sandbox.',
		'',
		row(['What was tried', ...all.map(({ version }) => `n8n ${version}`)]),
		row(['---', ...all.map(() => '---')]),
		...names.map((name) => row([name, ...outcomes.map((outcome) => outcome.get(name) ?? '–')])),
		'',
	].join('\n');
}
