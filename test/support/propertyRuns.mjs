import fc from 'fast-check';

// The environment is for .mjs files only.
const { PROPERTY_RUNS: times } = process.env;

// `npm test` tries the same cases each time, so it fails for a change and never for luck; PROPERTY_RUNS tries others.
if (times === undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_261_121 });

/**
 * How often a property test of whole services runs: PROPERTY_RUNS times as often, where that is set.
 * @param {number} usual
 */
export const propertyRuns = (usual) => ({ numRuns: usual * Math.max(1, Number(times ?? 1)) });
