import { z } from 'zod/v4';
import type { Client } from '../../../../src/core/client';
import type { Request } from '../../../../src/core/http';
import { pollClient } from '../../../../src/tickets/trigger/serviceClock';
import { lost, reply } from '../../../support/fakeRuntime';

describe('the client of a poll', () => {
	const request: Request = { method: 'POST', path: '/tickets/search', idempotent: true };
	const call = async (leftMs: number, response = reply(200, {}), timeoutMs?: number) => {
		const clock = { aheadMs: 7 };
		const seen: Request[] = [];
		const wire = {
			deliver: async (sent: Request) => {
				seen.push(sent);
				return { response, mayHaveArrived: false, attempts: 1 };
			},
		} as unknown as Client;
		const nowMs = Date.UTC(2026, 0, 15);
		const client = pollClient(wire, clock, { now: () => nowMs, endMs: nowMs + leftMs });
		const read = await client.call(
			{ ...request, ...(timeoutMs !== undefined && { timeoutMs }) },
			z.looseObject({}),
		);
		const [sent] = seen;
		return {
			clock,
			read,
			timeoutMs: sent?.timeoutMs,
			deadlineMs: (sent?.deadlineMs ?? NaN) - nowMs,
		};
	};

	it('waits for a share of what is left, and for no longer than the poll', async () => {
		expect(await call(100_000)).toMatchObject({ timeoutMs: 45_000, deadlineMs: 55_000 });
		expect(await call(20_000)).toMatchObject({ timeoutMs: 15_000, deadlineMs: 5_000 });
		expect(await call(10_000)).toMatchObject({ timeoutMs: 10_000, deadlineMs: 0 });
		expect(await call(500)).toMatchObject({ timeoutMs: 1_000, deadlineMs: -500 });
		expect(await call(100_000, undefined, 5_000)).toMatchObject({ timeoutMs: 5_000 });
	});

	it('learns the clock of the service from what it answers', async () => {
		const date = 'Thu, 15 Jan 2026 00:00:03 GMT';
		expect((await call(1, reply(200, {}, { date }))).clock.aheadMs).toBe(3_000);
		expect((await call(1, reply(200, {}, { date: 'soon' }))).clock.aheadMs).toBe(7);
		expect((await call(1, reply(200, {}))).clock.aheadMs).toBe(7);
		const silent = await call(1, lost() as never);
		expect(silent.clock.aheadMs).toBe(7);
		expect(silent.read.ok).toBe(false);
	});
});
