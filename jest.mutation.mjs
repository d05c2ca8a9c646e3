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
	setupFiles: [...unit.setupFiles, '<rootDir>/test/support/fewerRuns.mjs'],
};
