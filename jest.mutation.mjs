import { fileURLToPath } from 'node:url';
import config from './jest.config.mjs';

const { displayName: _, ...unit } = config.projects[0];

/** Tests of many rows and of thousands of schedules: each mutant would repeat them, so that the score is one without them. */
const slow = [
	'manyRows.attack',
	'ledgerSize',
	'nothingTwice',
	'moving',
	'pollSchedules',
	'crowdsOfThousands',
	'waitingForMany',
];

/** What reaches nearly all code of a folder and takes long, but was written for another one. */
const ofOthers = {
	tickets: ['hostile.attack', 'hostileValues.attack', 'requestSpacing', 'trigger/personalities'],
};
const ignored = [...slow, ...(ofOthers[process.env.MUTATED_FOLDER ?? ''] ?? [])];

/** The unit tests as Stryker repeats them for each mutant: without slow ones, with fewer runs of properties, up to the first that fails. */
export default {
	...unit,
	testPathIgnorePatterns: ['/node_modules/', `/(${ignored.join('|')})\\.test\\.ts$`],
	runner: '<rootDir>/test/support/mutation/stopAtFirst.mjs',
	// Stryker loads it itself.
	testEnvironment: fileURLToPath(import.meta.resolve('./test/support/mutation/stopInFile.mjs')),
	moduleNameMapper: { '^lodash/memoize$': '<rootDir>/test/support/mutation/memoize.mjs' },
	testSequencer: '<rootDir>/test/support/mutation/coveringTests.mjs',
	setupFiles: [...unit.setupFiles, '<rootDir>/test/support/mutation/fewerRuns.mjs'],
};
