import { ACCESS_DENIED, SERVICE_FAILED } from '../../../src/core/http';
import { create } from '../../../src/conversations/create/create';
import { fakeRuntime, inTurn, lost, reply } from '../../support/fakeRuntime';
import type { Script } from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';
import { AGENT, phoneOf } from '../../support/samples';

const FINE = reply(200, '');
/** Calls people one per request, one request after the other. */
async function callTen(script: Script, options: object = {}) {
	const runtime = fakeRuntime(script);
	const rows = Array.from({ length: 10 }, (_, n) => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			toPhoneNumber: phoneOf(n),
			options: { batchSize: 1, ...options },
		},
	}));
	const run = await runRows(create, rows, runtime.context());
	const outcomes = run.rows.map(outcomeOf);
	const tally = (name: string) => outcomes.filter((outcome) => outcome === name).length;
	return {
		said: run.rows.at(-1)?.failure,
		requests: runtime.sent.length,
		counts: [tally('accepted'), tally('unknown'), tally('rejected'), tally('notSent')],
		times: runtime.sent.map(({ at }) => at - (runtime.sent[0]?.at ?? 0)),
	};
}

describe('a run on a service that fails', () => {
	it.each([
		['lost responses', [lost()], [1, 3, 0, 6]],
		['500', [reply(500)], [1, 3, 0, 6]],
		['503 with a pause', [reply(503, '', { 'retry-after': '1' })], [1, 3, 0, 6]],
		['one after the other', [reply(500), lost(), reply(503)], [1, 3, 0, 6]],
		['429', [reply(429)], [1, 0, 3, 6]],
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
			counts: [1, 0, 1, 8],
			said: { kind: 'held', message: ACCESS_DENIED.reason },
		});
	});

	it('leaves alone, for all requests, a service that asks for a pause', async () => {
		const limited = reply(429, '', { 'retry-after': '7' });
		const { times, counts } = await callTen((_, number) => (number === 2 ? limited : FINE), {
			parallelRequests: 3,
		});
		expect(counts).toEqual([10, 0, 0, 0]);
		expect(times.filter((ms) => ms > 0 && ms < 7_000)).toEqual([]);
	});
});

describe('a pause that is longer than anyone waits', () => {
	it.each([429, 503])('ends the sending of a run with %i', async (status) => {
		const response = reply(status, '', { 'retry-after': '3600' });
		const { requests, counts } = await callTen(inTurn(FINE, response));
		expect([requests, counts[3]]).toEqual([2, 8]);
	});
});
