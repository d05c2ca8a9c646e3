import type { Failure } from '../../../src/core/failures';
import { createRefusalCounter } from '../../../src/core/refusals';

const refusal = (status: number, message = 'No such workspace', call = 'GET /x'): Failure => ({
	kind: 'api',
	status,
	message,
	call,
	issues: [],
});

/** Counts the failures, and returns the reason to stop. */
function countAll(failures: ReadonlyArray<Failure | undefined>): string | undefined {
	const reads = createRefusalCounter();
	for (const failure of failures) reads.count(failure);
	return reads.stop?.message;
}

it('stops after three equal refusals in a row, also of calls with different IDs', () => {
	const equal = ['GET /1', 'GET /2', 'GET /3'].map((call) => refusal(404, undefined, call));
	expect(countAll(equal.slice(0, 2))).toBeUndefined();
	expect(countAll(equal)).toBe(
		'Not sent, because three requests failed for the same reason (404: No such workspace)',
	);
});

it.each([
	['different refusals', [refusal(404), refusal(404), refusal(400), refusal(404)]],
	[
		'refusals with other reasons between them',
		[refusal(404), refusal(404, 'Gone'), refusal(404), refusal(404)],
	],
	[
		'refused keys, after which the client stops by itself',
		[401, 403, 401, 403].map((status) => refusal(status, '')),
	],
	['results and failures without a status', [undefined, undefined, undefined]],
])('does not stop after %s', (_, failures) => {
	expect(countAll(failures)).toBeUndefined();
});

it.each([401, 403])('does not count %i', (status) => {
	expect(countAll([1, 2, 3].map(() => refusal(status)))).toBeUndefined();
});
