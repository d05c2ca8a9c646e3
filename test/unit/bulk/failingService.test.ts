import { ACCESS_DENIED, SERVICE_FAILED } from '../../../src/core/http';
import { create } from '../../../src/conversations/create/create';
import { fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';
import type { Script } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';
import { phoneOf } from '../../support/samples';
import { fieldsRow } from '../../support/startConversations';

const FINE = reply(200, '');
/** Calls people one per request, one request after the other. */
async function callTen(script: Script) {
	const runtime = fakeRuntime(script);
	const rows = Array.from({ length: 10 }, (_, n) =>
		fieldsRow({ toPhoneNumber: phoneOf(n), options: { batchSize: 1 } }),
	);
	const run = await runRows(create, rows, runtime.context());
	const outcomes = run.rows.map(outcomeOf);
	const tally = (name: string) => outcomes.filter((outcome) => outcome === name).length;
	return {
		said: run.rows.at(-1)?.failure,
		requests: runtime.sent.length,
		counts: [tally('accepted'), tally('unknown'), tally('rejected'), tally('notSent')],
	};
}

describe('a run on a service that fails', () => {
	it.each([
		['500 and lost responses', [reply(500), lost(), reply(503)], [1, 3, 0, 6]],
		['429', [reply(429)], [1, 0, 0, 9]],
	])('ends after three requests in a row that fail: %s', async (_, answers, counts) => {
		const reported = await callTen(inTurn(FINE, ...answers));
		expect(reported).toMatchObject({
			counts,
			said: { kind: 'held', message: SERVICE_FAILED.reason },
		});
	});

	it.each([401, 403])('ends after one request with %i', async (status) => {
		expect(await callTen(inTurn(FINE, reply(status), lost()))).toMatchObject({
			requests: 2,
			counts: [1, 0, 0, 9],
			said: { kind: 'held', message: ACCESS_DENIED.reason },
		});
	});

	it.each([429, 503])(
		'ends after %i with a pause that is longer than anyone waits',
		async (status) => {
			const response = reply(status, '', { 'retry-after': '3600' });
			const { requests, counts } = await callTen(inTurn(FINE, response));
			expect([requests, counts[3]]).toEqual([2, status === 429 ? 9 : 8]);
		},
	);
});
