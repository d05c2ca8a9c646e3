/** Runs of a property while code is mutated: each mutant repeats them all, and a few dozen show most of what it broke. */
const most = 30;

jest.mock('fast-check', () => {
	const real = jest.requireActual('fast-check');
	const assert = (property, parameters) => {
		const numRuns = Math.min(parameters?.numRuns ?? 100, most);
		// That it failed is enough: no one reads the smallest example.
		return real.assert(property, { ...parameters, seed: 2, numRuns, endOnFailure: true });
	};
	return { __esModule: true, ...real, assert, default: { ...real.default, assert } };
});
