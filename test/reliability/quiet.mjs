/** Reports the cells that fail, and nothing of the thousands that pass. */
export default class Quiet {
	/** @param {unknown} _test @param {import('@jest/test-result').TestResult} result */
	onTestResult(_test, { testFilePath, testResults, failureMessage }) {
		const failed = testResults.filter(({ status }) => status === 'failed');
		console.log(
			`${testFilePath.split('/').at(-1)}: ${testResults.length} tests, ${failed.length} failed`,
		);
		if (failed.length > 0) console.log((failureMessage ?? '').slice(0, 20_000));
		else if (failureMessage) console.log(failureMessage);
	}
}
