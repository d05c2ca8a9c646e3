/** What became of each test on one version of n8n: by its name "yes", "no", or why it was left out. */
export interface VersionResults {
	version: string;
	outcomes: ReadonlyMap<string, string>;
}

const line = /^\s*(ok|not ok) \d+ - (.*?)(?: # SKIP ?(.*))?$/;

/** Reads the tests of a report in TAP. */
export function readResults(tap: string): Map<string, string> {
	return new Map(
		tap.split('\n').flatMap((text) => {
			const [, state, name, skipped] = line.exec(text) ?? [];
			if (name === undefined) return [];
			return [[name, skipped ?? (state === 'ok' ? 'yes' : 'no')] as const];
		}),
	);
}

/** The page that says what was tried with which n8n. */
export function compatibilityPage(all: readonly VersionResults[]): string {
	const names = [...new Set(all.flatMap(({ outcomes }) => [...outcomes.keys()]))];
	const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [
		'# Compatibility',
		'',
		'Written by `npm run test:compat`, which installs the packed package in each of these versions of n8n and tries it',
		'against the sandbox.',
		'',
		row(['What was tried', ...all.map(({ version }) => `n8n ${version}`)]),
		row(['---', ...all.map(() => '---')]),
		...names.map((name) => row([name, ...all.map(({ outcomes }) => outcomes.get(name) ?? '–')])),
		'',
	].join('\n');
}
