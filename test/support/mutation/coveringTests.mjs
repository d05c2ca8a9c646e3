import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sequencer from '@jest/test-sequencer';

/**
 * Stryker runs the tests that reach a mutant by their names, and Jest loads every file that imports the mutated one to look for those
 * names, which takes far longer than the tests. So the first run, of all tests, notes which file has which tests and how long
 * it takes; the others load the files with wanted tests only, quick ones first.
 */
export default class CoveringTests extends Sequencer {
	constructor(options) {
		super(options);
		const { rootDir, testNamePattern } = options.globalConfig;
		this.notes = join(rootDir, 'test-results', 'tests-by-file.json');
		this.wanted = testNamePattern === undefined ? undefined : new RegExp(testNamePattern, 'i');
	}

	sort(tests) {
		if (!this.wanted || !existsSync(this.notes)) return super.sort(tests);
		const files = JSON.parse(readFileSync(this.notes, 'utf8'));
		const hasWanted = ({ path }) =>
			files[path]?.names.some((name) => this.wanted.test(name)) ?? true;
		const msOf = ({ path }) => files[path]?.ms ?? 0;
		return tests.filter(hasWanted).sort((a, b) => msOf(a) - msOf(b));
	}

	cacheResults(tests, results) {
		if (this.wanted) return;
		super.cacheResults(tests, results);
		const files = results.testResults.map(({ testFilePath, testResults, perfStats }) => [
			testFilePath,
			{ names: testResults.map(({ fullName }) => fullName), ms: perfStats.runtime },
		]);
		mkdirSync(dirname(this.notes), { recursive: true });
		writeFileSync(this.notes, JSON.stringify(Object.fromEntries(files)));
	}
}
