import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { listVerdict, root } from './check.mts';
import type { Check } from './check.mts';

/** Checks the workflows of GitHub: valid, with pinned actions, and publishing with provenance. */
export const publishingCheck: Check = {
	name: 'workflows that GitHub understands, and publishing with provenance',
	work: async () => {
		const problems = globSync('.github/workflows/*.yml', { cwd: root }).flatMap((file) => {
			const text = readFileSync(join(root, file), 'utf8');
			const unpinned = (text.match(/uses: .*/g) ?? []).filter((use) => !/@[0-9a-f]{40}/.test(use));
			return [
				...validateWorkflow(text).errors.map((error) => JSON.stringify(error)),
				...unpinned.map((use) => `not pinned: ${use}`),
				...(/NPM_TOKEN|NODE_AUTH_TOKEN/.test(text) ? ['it uses a stored token'] : []),
				...(file.endsWith('publish.yml') ? findPublishingProblems(text) : []),
			].map((problem) => `${file}: ${problem}`);
		});
		return listVerdict(problems);
	},
};

/** Lists the problems of the workflow that publishes; only its last job may ask for an identity. */
function findPublishingProblems(text: string): string[] {
	const job = text.slice(text.indexOf('\n  publish:\n'));
	const count = text.split('id-token: write').length - 1;
	return [
		...(count === 1 && job.includes('id-token: write') ? [] : ['another job gets the identity']),
		...(/npm publish .*--provenance/.test(job) ? [] : ['it publishes without provenance']),
		...(/sha256sum --check/.test(job) ? [] : ['it does not compare the hash of the tarball']),
		...(/needs: test\n/.test(job) ? [] : ['it does not test first']),
	];
}
