import config from './jest.config.mjs';

const { displayName: _, ...unit } = config.projects[0];
const folder = process.env.MUTATED_FOLDER ?? '**';

/** The unit tests of one folder as Stryker repeats them for each mutant: without those of many rows, with fewer runs of properties. */
export default {
	...unit,
	testMatch: [`<rootDir>/test/unit/${folder}/**/*.test.ts`],
	testPathIgnorePatterns: ['/node_modules/', '(manyRows\\.attack|ledgerSize)\\.test\\.ts$'],
	setupFiles: [...unit.setupFiles, '<rootDir>/test/support/fewerRuns.mjs'],
};
