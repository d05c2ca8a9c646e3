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

const publishing = z.object({
	on: z.object({ push: z.object({ tags: z.array(z.string()) }) }),
	permissions: z.record(z.string(), z.string()),
	jobs: z.record(
		z.string(),
		z.object({ steps: z.array(z.object({ run: z.string().default('') })) }),
	),
});

/** What is missing in a workflow that publishes with provenance and without a stored token. */
export function missingIn(workflow: string): string[] {
	const { on, permissions, jobs } = publishing.parse(parse(workflow));
	const commands = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run }) => run));
	const published = commands.findIndex((run) => run.startsWith('npm publish'));
	const tested = commands.findIndex((run) => /^npm test\b/.test(run));
	const needs = [
		['it does not run on a version tag', on.push.tags.includes('*.*.*')],
		['it may not ask for an identity token', permissions['id-token'] === 'write'],
		['it may write to the repository', permissions['contents'] === 'read'],
		['it does not test first', tested >= 0 && tested < published],
		['it publishes without provenance', commands[published]?.includes('--provenance') === true],
		['it uses a stored token', !/NPM_TOKEN|NODE_AUTH_TOKEN/.test(workflow)],
	] as const;
	return needs.filter(([, isMet]) => !isMet).map(([problem]) => problem);
}
