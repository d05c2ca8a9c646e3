import { ACCESS_DENIED, SERVICE_FAILED } from '../../../src/core/http';
import type { HttpResult } from '../../../src/core/http';
import { lost, neverSent, reply } from '../../support/fakeRuntime';
import { phoneOf } from '../../support/samples';
import { fieldsRow, startAll } from '../../support/startConversations';

const FINE = reply(200, '');
const people = Array.from({ length: 10 }, (_, n) => phoneOf(n));

/** Calls ten people in ten successive requests. The first requests get these answers, the others succeed. */
async function callTen(...answers: readonly HttpResult[]) {
	const { rows, requests, outcomes } = await startAll(
		people.map((toPhoneNumber) => fieldsRow({ toPhoneNumber, options: { batchSize: 1 } })),
		{
			script: ({ body }) =>
				answers.find((_, n) => JSON.stringify(body).includes(phoneOf(n))) ?? FINE,
		},
	);
	const called = JSON.stringify(requests);
	return {
		called: people.filter((phone) => called.includes(phone)).length,
		accepted: outcomes.filter((outcome) => outcome === 'accepted').length,
		said: rows.at(-1)?.failure,
	};
}

describe('a run on a service that fails', () => {
	it.each<[string, HttpResult]>([
		['a lost response', lost()],
		['no connection', neverSent()],
		['500', reply(500)],
		['408', reply(408)],
		['an endless 429', reply(429)],
		['a redirect', reply(302)],
		['a web page with 200', reply(200, '<html></html>')],
		['half a body', reply(200, '{"conversations": [{"id"')],
	])(
		'ends after three requests in a row that end with %s, and not after two',
		async (_, failed) => {
			expect(await callTen(failed, failed)).toMatchObject({ called: 10, accepted: 8 });
			expect(await callTen(FINE, failed, failed, failed)).toEqual({
				called: 4,
				accepted: 1,
				said: { kind: 'held', message: SERVICE_FAILED.reason },
			});
		},
	);

	it('ends after three requests in a row whose responses do not show what happened', async () => {
		const unclear = reply(200, '[{}, {}]');
		expect(await callTen(unclear, unclear)).toMatchObject({ called: 10, accepted: 8 });
		expect(await callTen(FINE, unclear, unclear, unclear)).toEqual({
			called: 4,
			accepted: 1,
			said: {
				kind: 'held',
				message: 'Not sent, because the results of three requests in a row are unknown',
			},
		});
	});

	it.each<[string, HttpResult]>([
		['a success', FINE],
		['an empty success', reply(204)],
		['a rejection', reply(400)],
		['404', reply(404)],
	])('goes on where %s came between', async (_, between) => {
		expect(await callTen(lost(), lost(), between, lost(), lost())).toMatchObject({ called: 10 });
	});

	it('does not count a request that the user stopped', async () => {
		const stopped = lost('ABORTED');
		expect(await callTen(stopped, stopped, stopped)).toMatchObject({ called: 10 });
		expect(await callTen(lost(), lost(), stopped, lost())).toMatchObject({ called: 4 });
	});

	it.each([401, 403])('ends after one request with %i', async (status) => {
		expect(await callTen(FINE, reply(status))).toEqual({
			called: 2,
			accepted: 1,
			said: { kind: 'held', message: ACCESS_DENIED.reason },
		});
	});

	it.each([429, 503])(
		'ends after %i with a pause that is longer than anyone waits',
		async (status) => {
			const response = reply(status, '', { 'retry-after': '3600' });
			expect(await callTen(FINE, response)).toMatchObject({ called: 2, accepted: 1 });
		},
	);
});
