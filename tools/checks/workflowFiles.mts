import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { parse } from 'yaml';
import { z } from 'zod/v4';
import type { Check } from './check.mts';
import { root, verdict } from './check.mts';

const folder = join(root, '.github', 'workflows');

/** Each workflow of GitHub has the form that GitHub documents. */
export const workflowCheck: Check = {
	name: 'workflows that GitHub understands',
	work: async () => {
		const names = await readdir(folder);
		const found = await Promise.all(
			names.map(async (name) =>
				mistakesIn(await readFile(join(folder, name), 'utf8')).map((each) => `${name}: ${each}`),
			),
		);
		return verdict(found.flat().length > 0 ? found.flat().join('\n') : undefined);
	},
};

/** What GitHub would not accept in a workflow. */
export const mistakesIn = (workflow: string): string[] =>
	validateWorkflow(workflow).errors.map((error) => JSON.stringify(error));

const permissions = z.record(z.string(), z.string()).default({});

const publishing = z.object({
	on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
	permissions,
	jobs: z.record(
		z.string(),
		z.object({
			needs: z.string().default(''),
			permissions,
			environment: z.string().default(''),
			steps: z.array(z.object({ run: z.string().default(''), uses: z.string().default('') })),
		}),
	),
});

/** What is missing in a workflow that publishes with provenance and without a stored token. */
export function missingIn(workflow: string): string[] {
	const { on, permissions: ofAll, jobs } = publishing.parse(parse(workflow));
	const all = Object.entries(jobs).map(([name, job]) => ({ name, ...job }));
	const running = (command: string) =>
		all.find(({ steps }) => steps.some(({ run }) => run.startsWith(command)));
	const tests = running('npm test');
	const publishes = running('npm publish');
	const commands = all.flatMap(({ steps }) => steps.map(({ run }) => run));
	const used = all.flatMap(({ steps }) => steps.flatMap(({ uses }) => (uses ? [uses] : [])));
	const needs = [
		['it does not run on a version tag', on.push.tags.includes('*.*.*')],
		['it may not ask for an identity token', publishes?.permissions['id-token'] === 'write'],
		[
			'its tests may ask for an identity token',
			ofAll['id-token'] === undefined && tests?.permissions['id-token'] === undefined,
		],
		[
			'it may write to the repository',
			ofAll['contents'] === 'read' && publishes?.permissions['contents'] !== 'write',
		],
		['it does not test first', tests !== undefined && publishes?.needs === tests.name],
		[
			'it does not compare the tag with the version',
			tests?.steps.some(({ run }) => run.includes('GITHUB_REF_NAME')) === true,
		],
		[
			'it publishes without provenance',
			commands.some((run) => /^npm publish.*--provenance/.test(run)),
		],
		['it publishes without an environment', (publishes?.environment ?? '') !== ''],
		[
			'it builds or installs with the identity',
			publishes?.steps.every(({ run, uses }) =>
				run === ''
					? !uses.startsWith('actions/checkout@')
					: /^(npm publish \.\/\S+\.tgz |echo "\$SHA256 .*sha256sum --check)/.test(run),
			) === true,
		],
		[
			'it does not compare the hash of the tarball',
			publishes?.steps.some(({ run }) => run.includes('sha256sum --check')) === true,
		],
		['it installs what is not locked', commands.every((run) => !/\bnpm (install|i)\b/.test(run))],
		['it uses a stored token', !/NPM_TOKEN|NODE_AUTH_TOKEN/.test(workflow)],
		['it uses an action that is not pinned', used.every((uses) => /@[0-9a-f]{40}$/.test(uses))],
	] as const;
	return needs.filter(([, isMet]) => !isMet).map(([problem]) => problem);
}
