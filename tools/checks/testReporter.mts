import type { TestEvent } from 'node:test/reporters';

/** A test that ended: "yes", "no", or why it was skipped. */
export interface TestOutcome {
	readonly name: string;
	readonly outcome: string;
}

/** What this reporter writes. */
export interface TestReport {
	readonly passed: number;
	readonly failed: number;
	readonly tests: readonly TestOutcome[];
}

/** Reports a run of node:test as JSON; a run that was cut off leaves an empty file. */
export default async function* testReporter(
	events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
	const tests: TestOutcome[] = [];
	for await (const { type, data } of events) {
		if ((type === 'test:pass' || type === 'test:fail') && data.details.type !== 'suite') {
			tests.push({ name: data.name, outcome: outcomeOf(type, data.skip) });
		}
		// Each file has a summary of its own before that of all.
		if (type === 'test:summary' && data.file === undefined) {
			const { counts } = data;
			const failed = counts.tests - counts.passed - counts.skipped - counts.todo;
			yield `${JSON.stringify({ passed: counts.passed, failed, tests } satisfies TestReport)}\n`;
		}
	}
}

function outcomeOf(type: 'test:pass' | 'test:fail', skip: string | boolean | undefined): string {
	if (type === 'test:fail') return 'no';
	if (skip === undefined || skip === false) return 'yes';
	return typeof skip === 'string' ? skip : 'skipped';
}
