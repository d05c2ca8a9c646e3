import { TestEnvironment } from 'jest-environment-node';

/** The mutant that a test of this process noticed last. */
let noticed;

/** Skips what is left of a file as soon as one of its tests noticed a mutant. */
export default class StopInFile extends TestEnvironment {
	handleTestEvent(event) {
		const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
		if (mutant === undefined) return;
		if (event.name === 'test_start' && noticed === mutant) event.test.mode = 'skip';
		if (event.name === 'test_done' && event.test.errors.length > 0) noticed = mutant;
	}
}
