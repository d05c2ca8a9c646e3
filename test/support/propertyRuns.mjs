import fc from 'fast-check';

// The environment is for .mjs files only.
const { PROPERTY_RUNS: times } = process.env;

/** `npm test` does the first fifth of what `npm run test:worlds` does, PROPERTY_RUNS=20 twenty times as much. */
const share = times === undefined ? 1 / 5 : Number(times);

// The cases are the same each time, so a test fails for a change and never for luck; more than all tries others.
if (share <= 1) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 });

/**
 * The number of runs of a property that takes seconds: `all` in total; `npm test` makes one of `slow`.
 * @param {number} all
 * @param {number} slow
 */
export const propertyRuns = (all, slow = 5) => ({
	numRuns: Math.ceil(times === undefined ? all / slow : all * share),
});

/**
 * The size of something that takes as long as it is large, of so large in all; `npm test` tries one of `slow`.
 * @param {number} all
 * @param {number} slow
 */
export const sizeOf = (all, slow = 5) =>
	Math.ceil(times === undefined ? all / slow : all * Math.min(1, share));
