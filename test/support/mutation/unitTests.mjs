import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { require, speakJest } from './jestInMocha.mjs';
import '../quiet.mjs';

/** What each mutant would repeat for seconds, so that the score is one without it; and files that need more of Jest than its names. */
const LEFT_OUT =
	/\/(manyRows\.attack|phoneNumber\.attack|linearWork\.attack|nothingTwice|moving|pollSchedules)\.test\.ts$/;

/** Those that take longest: most mutants are noticed before them. */
const LAST = /property|randomSearches|compare|book|histories|contactsGuard/;

/** The folder of tests: first that of the mutated one, then all, for what survived. */
const { MUTATION_TESTS: folder = '*' } = process.env;

// Stryker asks for hundreds of tests by one pattern of their names, which is slow to try on thousands of them.
const { grep } = Mocha.prototype;
Mocha.prototype.grep = function (pattern) {
	grep.call(this, pattern);
	const [, names] = /^\(\^(.*)\$\)$/s.exec(pattern?.source ?? '') ?? [];
	if (names === undefined) return this;
	const wanted = new Set(names.split('$)|(^').map((name) => name.replace(/\\(.)/gs, '$1')));
	this.options.grep = { test: (name) => wanted.has(name) };
	return this;
};

const root = fileURLToPath(new URL('../../..', import.meta.url));

speakJest();
const files = globSync(`test/unit/${folder}/**/*.test.ts`, { cwd: root })
	.filter((file) => !LEFT_OUT.test(file))
	.sort();
const first = files.filter((file) => !LAST.test(file));
const last = files.filter((file) => LAST.test(file));
for (const file of [...first, ...last]) describe(file, () => require(join(root, file)));

// A new process is only needed for what runs when a file loads and never again, and that is left out.
after(() => {
	const { perTest = {}, static: loaded = {} } = globalThis.__stryker__?.mutantCoverage ?? {};
	for (const ids of Object.values(perTest)) for (const id of Object.keys(ids)) delete loaded[id];
});
