import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.mts';
import { root, verdict } from './check.mts';

/** What a publishing workflow needs for n8n's verification, by what its absence means. */
const needs: ReadonlyArray<readonly [string, RegExp]> = [
	['does not run on a version tag', /tags: \['\*\.\*\.\*'\]/],
	['may not ask for an identity token', /id-token: write/],
	['may write to the repository', /contents: read/],
	['does not test first', /run: npm test\b/],
	['publishes without provenance', /npm publish\b.*--provenance/],
];

/** What is missing in a workflow that publishes with provenance and without a stored token. */
export const missingIn = (workflow: string): string[] => [
	...needs.filter(([, pattern]) => !pattern.test(workflow)).map(([problem]) => `it ${problem}`),
	...(/NPM_TOKEN|NODE_AUTH_TOKEN/.test(workflow) ? ['it uses a stored token'] : []),
];

interface Manifest {
	readonly version: string;
	readonly homepage: string;
	readonly keywords: readonly string[];
	readonly bugs: { readonly url: string };
	readonly repository: { readonly url: string };
}

/** What the manifest says that does not fit together: one repository, the keyword that n8n looks for. */
export function misfitsIn({ keywords, repository, homepage, bugs }: Manifest): string[] {
	const address = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
	const strangers = [homepage, bugs.url].filter((url) => !url.startsWith(address));
	return [
		...strangers.map((url) => `${url} is not below ${address}`),
		...(keywords.includes('n8n-community-node-package') ? [] : ['the keyword of n8n is missing']),
	];
}

/** Versions come newest first, and what is not released yet before them. */
export function disorderIn(changelog: string): string[] {
	const titles = [...changelog.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
	const versions = titles.filter((title) => /^\d/.test(title));
	const ordered = versions.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }));
	return [
		...(titles.indexOf('Unreleased') > 0 ? ['Unreleased does not come first'] : []),
		...(versions.join() === ordered.join() ? [] : ['versions do not come newest first']),
	];
}

/** The package can be published as n8n's verification wants it. */
export const publishingCheck: Check = {
	name: 'ready to publish with provenance',
	work: async () => {
		const read = async (...path: string[]) => await readFile(join(root, ...path), 'utf8');
		const manifest = JSON.parse(await read('package.json')) as Manifest;
		const problems = [
			...missingIn(await read('.github', 'workflows', 'publish.yml')),
			...misfitsIn(manifest),
			...disorderIn(await read('CHANGELOG.md')),
		];
		return verdict(problems.length > 0 ? problems.join('\n') : undefined);
	},
};
