import fc from 'fast-check';
import { get } from '../../../../src/conversations/get/get';
import type { HttpResult } from '../../../../src/core/http';
import type { Script, Sent } from '../../../support/fakeRuntime';
import { fakeRuntime, inTurn, lost, neverSent, reply } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { uuidOf } from '../../../support/samples';

type Settings = Parameters<typeof fakeRuntime>[1];

/** Conversations that finish some ms after the start of the clock, the n-th of them after `ends[n]`. */
const endingAt =
	(...ends: readonly number[]): Script =>
	({ path, at }) => {
		const id = path.split('/')[2] ?? '';
		const end = ends[Number.parseInt(id.slice(-12), 16)] ?? Infinity;
		return reply(200, { id, conversationStatus: at >= end ? 'completed' : 'in_progress' });
	};

/** Waits for conversations from 0 ms on, and lists the requests by number of the conversation and time. */
async function wait(script: Script, rows: readonly object[], settings: Settings = {}) {
	const w = fakeRuntime(script, { start: 0, ...settings });
	const run = await runRows(
		get,
		rows.map((row) => ({ parameters: { waitUntilFinished: true, ...row } })),
		w.context(),
	);
	const requests = w.sent.map(
		({ path, at }) => [Number.parseInt(path.slice(-12), 16), at / 1000] as const,
	);
	return { ...run, requests, now: w.runtime.now(), pauses: w.pauses };
}

/** The parameters of a row that waits for the n-th conversation. */
const rowOf = (n: number, options: object = {}) => ({ conversationId: uuidOf(n), options });
/** One row, for conversation 0. */
const one = (options: object = {}) => [rowOf(0, options)];
/** When requests were made, in seconds. */
const seconds = (sent: ReadonlyArray<readonly [number, number]>) => sent.map(([, at]) => at);

const MINUTE = { maximumWait: 1 };
const refused = (status: number, retryAfter?: number): HttpResult =>
	reply(status, '', retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });

describe('waiting until a conversation is finished', () => {
	it('asks after 5 seconds and then with pauses that grow by half, until it is', async () => {
		const { rows, requests, summary, now } = await wait(endingAt(30_000), one());
		expect(now).toBe(40_625);
		expect(seconds(requests)).toEqual([0, 5, 12.5, 23.75, 40.625]);
		expect(rows[0]?.items).toMatchObject([{ conversationId: uuidOf(0), finished: true }]);
		expect(summary).toBe('1 conversation, 5 requests: 1 finished');
	});

	it('keeps waiting for a conversation that was read while three others were refused', async () => {
		const script: Script = (sent, number) =>
			number <= 3 ? refused(400) : endingAt(0, 0, 0, 8_000)(sent, number);
		const { rows, requests } = await wait(
			script,
			[0, 1, 2, 3].map((n) => rowOf(n)),
		);
		expect(rows[3]?.items).toMatchObject([{ finished: true }]);
		expect(requests.slice(4)).toEqual([
			[3, 5],
			[3, 12.5],
		]);
	});

	it('looks a last time at the deadline, and gives back the state of that moment', async () => {
		const { rows, requests, summary } = await wait(endingAt(60_001), one(MINUTE));
		expect(seconds(requests)).toEqual([0, 5, 12.5, 23.75, 40.625, 60]);
		expect(rows[0]?.items).toMatchObject([{ conversationId: uuidOf(0), finished: false }]);
		expect(summary).toBe('1 conversation, 6 requests: 1 not finished after 1 minute');
		const just = await wait(endingAt(60_000), one(MINUTE));
		expect(just.rows[0]?.items).toMatchObject([{ finished: true }]);
	});

	it('knows the states that the user names, and an end time', async () => {
		const script = inTurn(
			reply(200, { id: uuidOf(0), conversationStatus: 'queued' }),
			reply(200, { id: uuidOf(0), conversationStatus: 'No_Answer' }),
		);
		const named = await wait(script, one({ finishedStates: 'completed, no_answer' }));
		expect([named.requests.length, named.rows[0]?.items]).toMatchObject([2, [{ finished: true }]]);
		const ended = await wait(
			inTurn(reply(200, { id: uuidOf(0), callEndTime: '2026-01-15T12:00:00Z' })),
			one(),
		);
		expect([ended.requests.length, ended.rows[0]?.items]).toMatchObject([1, [{ finished: true }]]);
	});
});

it('reads every row once, however late, and each last look is at the deadline', async () => {
	const all = Array.from({ length: 30 }, (_, n) => rowOf(n, { ...MINUTE, parallelRequests: 2 }));
	const { requests, rows } = await wait(endingAt(), all, { latency: 10_000 });
	expect(new Set(requests.map(([n]) => n)).size).toBe(30);
	expect(rows.every(({ items }) => items.length === 1)).toBe(true);
	// The first checks take 15 rounds of 10 seconds; those that ended in time are checked once more.
	expect(Math.max(...seconds(requests))).toBeLessThanOrEqual(210);
});

describe('failures while waiting', () => {
	const open = reply(200, { id: uuidOf(0), conversationStatus: 'in_progress' });
	const done = reply(200, { id: uuidOf(0), conversationStatus: 'completed' });
	const fives = (response: HttpResult) =>
		[response, response, response, response, response] as const;

	it.each([
		['503', refused(503)],
		['a refused connection', neverSent()],
	])('that may pass do not end it: %s', async (_, response) => {
		const { rows, requests, summary } = await wait(
			inTurn(...fives(response), open, ...fives(response), done),
			one(),
		);
		expect(rows[0]?.items).toMatchObject([{ finished: true }]);
		expect(summary).toBe('1 conversation, 12 requests: 1 finished');
		// Five sendings of the first check take 7.5 seconds, and so on.
		expect(seconds(requests)).toEqual([
			0, 0.5, 1.5, 3.5, 7.5, 12.5, 20, 20.5, 21.5, 23.5, 27.5, 38.75,
		]);
	});

	it('that last until the deadline leave the last state that was read', async () => {
		const { rows, requests, summary } = await wait(inTurn(open, refused(503)), one(MINUTE));
		expect(rows[0]?.items).toMatchObject([{ conversationStatus: 'in_progress', finished: false }]);
		expect(seconds(requests).at(-1)).toBe(60);
		expect(summary).toMatch(/: 1 not finished after 1 minute$/);
	});

	it.each([400, 403, 404])('that stay end it at once: %i', async (status) => {
		const { rows, requests } = await wait(inTurn(open, refused(status), done), one());
		expect(rows[0]).toMatchObject({ items: [], failure: { kind: 'api', status } });
		expect(requests).toHaveLength(2);
	});

	it('are not final where a call that was just started is not found yet', async () => {
		const { rows, requests } = await wait(inTurn(refused(404), refused(404), done), one());
		expect(rows[0]?.items).toMatchObject([{ finished: true }]);
		expect(requests).toHaveLength(3);
	});

	it('end with the wait, however long a service takes that does not respond', async () => {
		const rows = Array.from({ length: 20 }, (_, n) => rowOf(n, MINUTE));
		const { now } = await wait(inTurn(lost('ETIMEDOUT')), rows, { latency: 60_000 });
		expect(now).toBeLessThanOrEqual(5 * 60_000);
	});

	it('do not carry it beyond the deadline, when the service asks for a pause', async () => {
		const { rows, requests, now } = await wait(inTurn(open, refused(429, 110)), one(MINUTE));
		// Nothing is sent while the service wants to be left alone.
		expect(seconds(requests)).toEqual([0, 5]);
		expect(now).toBe(60_000);
		expect(rows[0]?.items).toMatchObject([{ finished: false }]);
	});

	it('keep the answer of the service if the wait ends during the pause', async () => {
		const { rows } = await wait(() => refused(429, 120), one(MINUTE));
		expect(rows[0]?.failure).toMatchObject({ kind: 'api', status: 429 });
	});

	it('hold all conversations back for a pause that is longer than the client waits', async () => {
		const { requests } = await wait(
			(sent, number) =>
				number === 3 ? refused(503, 300) : endingAt(310_000, 310_000)(sent, number),
			[rowOf(0, { parallelRequests: 1 }), rowOf(1)],
		);
		expect(requests).toEqual([
			[0, 0],
			[1, 0],
			[0, 5],
			[1, 305],
			[0, 312.5],
			[1, 312.5],
		]);
	});
});

describe('a stop by the user while waiting', () => {
	it('at any moment lets no request start and ends at once, with one result a row', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 12 }),
				fc.integer({ min: 0, max: 100_000 }),
				fc.integer({ min: 0, max: 400 }),
				fc.integer({ min: 1, max: 6 }),
				async (ends, stopAfter, latency, parallelRequests) => {
					const options = { maximumWait: 1.5, parallelRequests };
					const flaky: Script = (sent, number) =>
						number % 5 === 0 ? refused(503, number % 2) : endingAt(...ends)(sent, number);
					const all = ends.map((_, n) => rowOf(n, options));
					const { requests, rows, now, pauses } = await wait(flaky, all, { latency, stopAfter });
					expect(requests.filter(([, at]) => at * 1000 > stopAfter)).toEqual([]);
					expect(now).toBeLessThanOrEqual(stopAfter);
					expect(rows).toHaveLength(ends.length);
					for (const { items, failure } of rows) {
						expect(items.length + (failure ? 1 : 0)).toBe(1);
					}
					expect(pauses.length).toBeLessThan(1000);
				},
			),
			{ numRuns: 200 },
		);
	}, 30_000);

	it.each([
		['between two looks', endingAt()],
		[
			'in a pause that the service asked for',
			(sent: Sent, number: number) => (number === 1 ? endingAt()(sent, number) : refused(429, 100)),
		],
	])('keeps the states that were read, %s', async (_, script) => {
		const { rows } = await wait(script, one(), { stopAfter: 30_000, latency: 10 });
		expect(rows[0]?.items).toMatchObject([{ conversationStatus: 'in_progress', finished: false }]);
	});
});
