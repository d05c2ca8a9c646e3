import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Check } from './check.mts';
import { root, verdict } from './check.mts';
import { partsOf } from './markdown.mts';
import { missingIn } from './workflowFiles.mts';

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
	const titles = partsOf(changelog).headings.filter((title) => /^(\d|Unreleased$)/.test(title));
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
