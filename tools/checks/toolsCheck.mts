import type { Check } from './check.mts';
import { runNodeTests } from './nodeTests.mts';
import { testFilesIn } from './testRuns.mts';

/** The tests of the sandbox and of the tools, under node:test. */
export const toolsCheck: Check = {
	name: 'tests of the sandbox and the tools (node --test)',
	work: async () => {
		const files = (await Promise.all(['sandbox', 'tools'].map(testFilesIn))).flat();
		return await runNodeTests({ name: 'tools', files, isShown: false });
	},
};
