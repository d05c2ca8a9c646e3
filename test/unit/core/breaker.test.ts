import { createClient } from '../../../src/core/client';
import type { HttpResult, Request } from '../../../src/core/http';
import { ACCESS_DENIED, SERVICE_FAILED } from '../../../src/core/http';
import { fakeRuntime, lost, neverSent, reply } from '../../support/fakeRuntime';

const request: Request = { method: 'POST', path: '/conversations', idempotent: false };
const FINE = reply(200, {});

/** Sends one request per result, and then one more; returns its response and the attempts. */
async function afterwards(...results: readonly HttpResult[]) {
	let current: HttpResult = FINE;
	const { runtime, sent } = fakeRuntime(() => current);
	const client = createClient(runtime);
	for (current of results) await client.deliver(request);
	const before = sent.length;
	current = FINE;
	const { response } = await client.deliver(request);
	return { response, sent: sent.length - before };
}

describe('a failing service is left alone', () => {
	it.each<[string, HttpResult]>([
		['a lost response', lost()],
		['no connection', neverSent()],
		['500', reply(500)],
		['408', reply(408)],
		['an endless 429', reply(429)],
		['a redirect', reply(302)],
		['a web page with 200', reply(200, '<html></html>')],
		['half a body', reply(200, '{"conversations": [{"id"')],
	])('after three requests in a row that end with %s, and not after two', async (_, failed) => {
		expect(await afterwards(failed, failed)).toMatchObject({ response: FINE, sent: 1 });
		expect(await afterwards(failed, failed, failed)).toMatchObject({
			response: SERVICE_FAILED,
			sent: 0,
		});
	});

	it.each([401, 403])('after one request with %i', async (status) => {
		expect(await afterwards(reply(status))).toMatchObject({ response: ACCESS_DENIED, sent: 0 });
	});

	it.each<[string, HttpResult]>([
		['a success', FINE],
		['an empty success', reply(204)],
		['a rejection', reply(400)],
		['404', reply(404)],
	])('but not where %s came between', async (_, between) => {
		expect(await afterwards(lost(), lost(), between, lost())).toMatchObject({ sent: 1 });
	});

	it('but a request that the user stopped does not count', async () => {
		const stopped = lost('ABORTED');
		expect(await afterwards(stopped, stopped, stopped)).toMatchObject({ sent: 1 });
		expect(await afterwards(lost(), lost(), stopped, lost())).toMatchObject({ sent: 0 });
	});

	it('by requests that wait for another attempt, too', async () => {
		const { runtime, sent } = fakeRuntime(({ path }) => reply(path === '/late' ? 503 : 401));
		const client = createClient(runtime);
		const late = client.deliver({ ...request, path: '/late', idempotent: true });
		await client.deliver(request);
		expect(await late).toMatchObject({ response: reply(503), attempts: 1 });
		expect(sent).toHaveLength(2);
	});
});
