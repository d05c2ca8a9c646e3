import { fileURLToPath } from 'node:url';
import config from './jest.config.mjs';

const { displayName: _, ...unit } = config.projects[0];
const folder = process.env.MUTATED_FOLDER ?? '**';

/** What is sent in bulk is tested with what is sent, too. */
const tested = folder === 'bulk' ? '{bulk,conversations,customers}' : folder;

/** Tests of many rows and of thousands of schedules: each mutant would repeat them, so that the score is one without them. */
const slow = [
	'manyRows.attack',
	'ledgerSize',
	'nothingTwice',
	'moving',
	'changes',
	'waitingForMany',
];

/** The unit tests of a folder as Stryker repeats them for each mutant: without slow ones, with fewer runs of properties. */
export default {
	...unit,
	testMatch: [`<rootDir>/test/unit/${tested}/**/*.test.ts`],
	testPathIgnorePatterns: ['/node_modules/', `/(${slow.join('|')})\\.test\\.ts$`],
	// Stryker loads it itself.
	testEnvironment: fileURLToPath(import.meta.resolve('./test/support/stopAtFirst.mjs')),
	testSequencer: '<rootDir>/test/support/coveringTests.mjs',
	setupFiles: [...unit.setupFiles, '<rootDir>/test/support/fewerRuns.mjs'],
};
