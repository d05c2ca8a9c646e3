import type { TestEvent } from 'node:test/reporters';

/** The outcome of a test: "yes", "no", or the reason for skipping it. */
export interface TestOutcome {
	readonly name: string;
	readonly outcome: string;
}

/** The report of a run of node:test. */
export interface TestReport {
	readonly passed: number;
	readonly failed: number;
	readonly tests: readonly TestOutcome[];
}

/** Reports a run of node:test as JSON; an interrupted run leaves an empty file. */
export default async function* reportTests(
	events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
	const tests: TestOutcome[] = [];
	for await (const { type, data } of events) {
		if (type === 'test:fail' && data.details.type !== 'suite')
			tests.push({ name: data.name, outcome: 'no' });
		if (type === 'test:pass' && data.details.type !== 'suite') {
			const { skip = false } = data;
			tests.push({ name: data.name, outcome: skip === false ? 'yes' : String(skip) });
		}
		// Each file has a summary of its own before that of all.
		if (type === 'test:summary' && data.file === undefined) {
			const { passed, skipped, todo, tests: count } = data.counts;
			yield JSON.stringify({ passed, failed: count - passed - skipped - todo, tests });
		}
	}
}
