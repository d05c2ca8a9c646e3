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
		'Before n8n 2.41 the test of the credential answers in words of n8n where the service rejects it, e.g. "Authorization failed".',
		'',
		'## Where it runs',
		'',
		'| Where | What to know |',
		'| --- | --- |',
		'| Self-hosted n8n 1.123 and 2 | Install it under "Community Nodes" in the settings. The example workflows need n8n 2 |',
		'| n8n Cloud | Only packages that n8n has verified. Files on disk cannot be read there: examples that read or write a file need another source, for example Google Sheets |',
		'| n8n 3 (announced, not tried) | A version that n8n has not verified is loaded only with `N8N_UNVERIFIED_PACKAGES_ENABLED=true` |',
		'',
	].join('\n');
}
