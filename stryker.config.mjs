const folder = process.env.MUTATED_FOLDER ?? '**';
const results = `test-results/mutation/${folder === '**' ? 'all' : folder}`;

/** Mutation tests of src: Stryker changes the code of a folder, and at least one unit test of it has to notice. */
export default {
	mutate: [`src/${folder}/**/*.ts`],
	// Mocha keeps the modules between two mutants, so most of them take less than a second.
	testRunner: 'mocha',
	mochaOptions: { spec: ['test/support/mutation/unitTests.mjs'] },
	coverageAnalysis: 'perTest',
	// What runs once when a file loads (tables, schemas) would need every test for every mutant.
	ignoreStatic: true,
	concurrency: 2,
	timeoutMS: 5_000,
	incremental: true,
	incrementalFile: `${results}/incremental.json`,
	// Else what a run that was stopped left behind would be copied, too.
	ignorePatterns: ['/test-results'],
	cleanTempDir: 'always',
	tempDirName: `${results}/tmp`,
	reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
	htmlReporter: { fileName: `${results}/index.html` },
	jsonReporter: { fileName: `${results}/report.json` },
	clearTextReporter: { allowColor: false, reportTests: false },
	thresholds: { high: 95, low: 88, break: 88 },
};
