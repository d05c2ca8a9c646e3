import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { transformSync } from '@swc/core';
import { expect } from 'expect';
import { bind } from 'jest-each';

/** Runs of a property while code is mutated: each mutant repeats them all, and a few dozen show most of what it broke. */
const MOST_RUNS = 20;

export const require = createRequire(import.meta.url);

/** Lets tests in TypeScript be loaded as Jest loads them. */
function loadTypeScript(module, filename) {
	const { code } = transformSync(readFileSync(filename, 'utf8'), {
		filename,
		jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
		module: { type: 'commonjs' },
	});
	module._compile(code, filename);
}
for (const extension of ['.ts', '.mts']) Module._extensions[extension] = loadTypeScript;

/** Lets tests import something else in place of a package. */
function replace(name, exports) {
	const path = require.resolve(name);
	require.cache[path] = Object.assign(new Module(path), { loaded: true, exports });
}

const lodash = require('lodash');
const { memoize } = lodash;

/** The functions of modules that keep their results. */
const memoized = [];
let hasBegun = false;

// Only the first test would reach them, so only that test could notice their mutants.
const forgetful = (make, toKey) => {
	const kept = memoize(make, toKey);
	if (!hasBegun) memoized.push(kept);
	return kept;
};
Object.assign(lodash, { memoize: forgetful, once: (make) => forgetful(make, () => '') });

const fastCheck = require('fast-check');
const assert = (property, parameters) => {
	const numRuns = Math.min(parameters?.numRuns ?? 100, MOST_RUNS);
	// That it failed is enough: no one reads the smallest example.
	return fastCheck.assert(property, { ...parameters, seed: 4, numRuns, endOnFailure: true });
};
const properties = { ...fastCheck, assert };
replace('fast-check', { ...properties, __esModule: true, default: properties });

/** The timeout of a mutant that never ends, which is much longer than any test takes. */
const PATIENCE_MS = 120_000;

/** Tests of much at once, which each mutant would repeat for seconds. */
const MUCH = /lost or damaged|hundreds of thousands/;

/** A function of Mocha with the tables of Jest. */
function withTables(define) {
	const defined = (name, run) =>
		MUCH.test(name) ? undefined : define(name, run).timeout(PATIENCE_MS);
	return Object.assign(defined, { each: bind(defined, false) });
}

/** Gives Jest's names to what Mocha has. */
export function speakJest() {
	const { describe, it, before, beforeEach, after } = globalThis;
	Object.assign(globalThis, {
		describe: withTables(describe),
		it: withTables(it),
		test: withTables(it),
		expect,
		beforeAll: before,
		afterAll: after,
	});
	before(() => {
		hasBegun = true;
	});
	beforeEach(() => {
		for (const { cache } of memoized) cache.clear();
	});
}
