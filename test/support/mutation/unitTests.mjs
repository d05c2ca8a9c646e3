import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Mocha from 'mocha';
import { require, speakJest } from './jestInMocha.mjs';
import '../quiet.mjs';

/** Left out, also of the score: files that need more of Jest than its names. */
const LEFT_OUT = /\/(manyRows\.attack|phoneNumber\.attack|linearWork\.attack)\.test\.ts$/;

/** Those that take longest: most mutants are noticed before them. */
const LAST = /property|randomSearches|compare|book|histories|contactsGuard/;

/** The folder of tests: first that of the mutated one, then all, for what survived. */
const { MUTATION_TESTS: folder = '*' } = process.env;

// Stryker selects hundreds of tests by one pattern, which is slow to match against thousands of names.
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

// A mutant that a test reaches needs no new process, even if its code also runs when the file loads.
after(() => {
	const { perTest = {}, static: loaded = {} } = globalThis.__stryker__?.mutantCoverage ?? {};
	for (const ids of Object.values(perTest)) for (const id of Object.keys(ids)) delete loaded[id];
});
