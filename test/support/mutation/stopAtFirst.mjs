import Runner from 'jest-runner';

/** Leaves out the files after the first one with a test that failed; Jest's own `bail` ends the process, which Stryker needs. */
export default class StopAtFirst extends Runner {
	async runTests(tests, watcher, options) {
		let hasFailed = false;
		const stop = this.on('test-file-success', ([, { numFailingTests }]) => {
			hasFailed ||= numFailingTests > 0;
		});
		for (const test of tests) {
			if (hasFailed) break;
			await super.runTests([test], watcher, { ...options, serial: true });
		}
		stop();
	}
}
