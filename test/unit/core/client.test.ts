import { z } from 'zod/v4';
import { createClient } from '../../../src/core/client';
import type { HttpResult, Request } from '../../../src/core/http';
import { CANCELED, PAUSE_TOO_LONG } from '../../../src/core/http';
import { MAX_ATTEMPTS } from '../../../src/core/retry';
import { fakeRuntime, inTurn, lost, neverSent, reply } from '../../support/fakeRuntime';

const read: Request = { method: 'POST', path: '/tickets/search', body: { a: 1 }, idempotent: true };
const call: Request = { method: 'POST', path: '/conversations', body: {}, idempotent: false };
const schema = z.object({ jobId: z.string() });
const FINE = reply(200, { jobId: 'job-1' });

/** Delivers a request to a service with these responses in turn. */
async function deliver(
	request: Request,
	answers: Parameters<typeof inTurn>,
	settings: Parameters<typeof fakeRuntime>[1] = {},
) {
	const fake = fakeRuntime(inTurn(...answers), settings);
	return { ...fake, delivery: await createClient(fake.runtime).deliver(request) };
}

/** A response that asks for a pause. */
const askForPause = (seconds: number) => reply(429, '', { 'retry-after': String(seconds) });

describe('a delivery', () => {
	it('sends at most five times, with longer and longer pauses', async () => {
		const { delivery, sent, pauses } = await deliver(read, [reply(503)]);
		expect(delivery).toMatchObject({
			response: reply(503),
			mayHaveArrived: true,
			attempts: MAX_ATTEMPTS,
		});
		expect(sent).toHaveLength(5);
		expect(pauses).toEqual([500, 1000, 2000, 4000]);
		expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
	});

	it.each([
		['a reset', lost(), true],
		['408', reply(408), true],
		['425', reply(425), true],
		['500', reply(500), true],
		['429', reply(429), false],
		['never sent', neverSent(), false],
	])('remembers that after %s an earlier sending may have arrived', async (_, first, expected) => {
		const { delivery } = await deliver(read, [first, reply(429), FINE]);
		expect(delivery).toMatchObject({ response: FINE, mayHaveArrived: expected, attempts: 3 });
	});

	it('holds all its requests back while the service asks for a pause', async () => {
		const { runtime, sent } = fakeRuntime(inTurn(askForPause(60), FINE), {
			latency: 10,
		});
		const client = createClient(runtime);
		const first = client.deliver(read);
		await runtime.sleep(100);
		await Promise.all([first, client.deliver(call), client.deliver(read)]);
		const start = sent[0]?.at ?? 0;
		expect(sent).toHaveLength(4);
		expect(sent.slice(1).map(({ at }) => at - start)).toEqual([60_010, 60_010, 60_010]);
	});

	it('is not sent again where another request was denied access meanwhile', async () => {
		const { runtime, sent } = fakeRuntime(({ path }) => reply(path === '/late' ? 503 : 401));
		const client = createClient(runtime);
		const late = client.deliver({ ...read, path: '/late' });
		await client.deliver(call);
		expect(await late).toMatchObject({ response: reply(503), attempts: 1 });
		expect(sent).toHaveLength(2);
	});
});

describe('a request with a time until which it may be sent', () => {
	it.each([
		['a pause of its own', reply(503), 499, 500],
		['a pause the service asks for', askForPause(3), 2999, 3000],
	])('waits for %s only as long as there is time', async (_, first, tooShort, enough) => {
		for (const [time, attempts] of [
			[tooShort, 1],
			[enough, 2],
		] as const) {
			const { runtime, sent } = fakeRuntime(inTurn(first, FINE), { start: 0 });
			const delivery = await createClient(runtime).deliver({ ...read, deadlineMs: time });
			expect(delivery).toMatchObject({ response: attempts === 1 ? first : FINE, attempts });
			expect(sent).toHaveLength(attempts);
			expect(runtime.now()).toBe(attempts === 1 ? 0 : enough);
		}
	});

	it('is not sent where the service asked others to wait for longer', async () => {
		const { runtime, sent } = fakeRuntime(inTurn(askForPause(60), FINE), { start: 0, latency: 10 });
		const client = createClient(runtime);
		const first = client.deliver(read);
		await runtime.sleep(100);
		const late = await client.deliver({ ...read, deadlineMs: 59_000 });
		expect(late).toMatchObject({ response: PAUSE_TOO_LONG, mayHaveArrived: false, attempts: 0 });
		expect([runtime.now(), sent.length]).toEqual([100, 1]);
		await first;
		expect(sent).toHaveLength(2);
	});

	it('is not sent after that time, though nothing holds it back, as where the machine slept', async () => {
		const { runtime, sent } = fakeRuntime(inTurn(reply(503), FINE), { start: 5000 });
		const delivery = await createClient(runtime).deliver({ ...call, deadlineMs: 4000 });
		expect(delivery).toMatchObject({
			response: { kind: 'noResponse', sent: 'no' },
			mayHaveArrived: false,
			attempts: 0,
		});
		expect(sent).toEqual([]);
	});
});

describe('a stop by the user', () => {
	it('sends nothing that was not sent yet', async () => {
		const { runtime, sent, stop } = fakeRuntime(inTurn(FINE));
		stop();
		const delivery = await createClient(runtime).deliver(call);
		expect(delivery).toMatchObject({ response: CANCELED, mayHaveArrived: false, attempts: 0 });
		expect(sent).toEqual([]);
	});

	it('counts no sending that the wire held back until then', async () => {
		const held = await createClient(fakeRuntime(inTurn(CANCELED)).runtime).deliver(read);
		expect(held).toMatchObject({ response: CANCELED, mayHaveArrived: false, attempts: 0 });
		const again = await createClient(fakeRuntime(inTurn(lost(), CANCELED)).runtime).deliver(read);
		expect(again).toMatchObject({ response: lost(), mayHaveArrived: true, attempts: 1 });
	});

	it.each([
		['its own pause', reply(503)],
		['a pause the service asks for', askForPause(100)],
	])('ends %s and sends nothing more', async (_, first) => {
		const { runtime, sent } = fakeRuntime(inTurn(first, FINE), { stopAfter: 200 });
		const delivery = await createClient(runtime).deliver(read);
		expect(sent).toHaveLength(1);
		expect(delivery.attempts).toBe(1);
		expect(runtime.now() - (sent[0]?.at ?? 0)).toBe(200);
	});
});

describe('a call', () => {
	it.each([
		['an empty reply', reply(200, ''), 'is not JSON'],
		['broken JSON', reply(200, '{"jobId": "jo'), 'is not JSON'],
		['another type', reply(201, { jobId: 7 }), 'is not as documented (jobId: '],
		['another shape', reply(200, []), 'is not as documented ('],
		['an error', reply(200, { error: { message: 'it is down' } }), 'reports an error: it is down'],
	])('calls %s a breach of contract', async (_, response, message) => {
		const { runtime, sent } = fakeRuntime(inTurn(response));
		expect(await createClient(runtime).call(read, schema)).toMatchObject({
			failure: {
				kind: 'contract',
				call: 'POST /tickets/search',
				status: response.status,
				message: expect.stringContaining(`The response ${message}`) as string,
			},
		});
		expect(sent).toHaveLength(1);
	});

	it('gives a refusal and a silence back as values', async () => {
		const failed = async (response: HttpResult) =>
			await createClient(fakeRuntime(inTurn(response)).runtime).call(read, schema);
		expect(await failed(reply(400, { code: 'BAD_REQUEST', message: 'no' }))).toMatchObject({
			failure: { kind: 'api', status: 400, code: 'BAD_REQUEST', message: 'no' },
		});
		expect(await failed(lost())).toMatchObject({
			failure: { kind: 'connection', sent: 'unknown', code: 'ECONNRESET' },
		});
	});
});
