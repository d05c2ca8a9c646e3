import { create } from '../../../src/conversations/create/create';
import { fakeRuntime, inTurn, lost, neverSent, reply } from '../../support/fakeRuntime';
import type { Script } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import { AGENT, phoneOf } from '../../support/samples';

const FINE = reply(200, '');
const THREE_FAILED =
	'Not sent, because three requests in a row failed. Run the node again when the service works';
const NOT_ACCEPTED =
	'Not sent, because the service did not accept the credential. Correct it, then run the node again';

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
	const outcomes = run.rows.map(({ items, details }) =>
		items.length > 0 ? 'accepted' : details?.['outcome'],
	);
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
		const told = await callTen(inTurn(FINE, ...answers));
		expect(told).toMatchObject({ counts, said: { message: THREE_FAILED } });
	});

	it.each([401, 403])('ends after one request with %i', async (status) => {
		expect(await callTen(inTurn(FINE, reply(status), lost()))).toMatchObject({
			requests: 2,
			counts: [1, 0, 1, 8],
			said: { message: NOT_ACCEPTED },
		});
	});

	it('keeps to its first reason', async () => {
		const answers = [lost(), lost(), lost(), reply(401)] as const;
		const { said } = await callTen(inTurn(...answers), { parallelRequests: 4 });
		expect(said).toMatchObject({ message: THREE_FAILED });
	});

	it.each([
		['failures are not in a row', [lost(), lost(), FINE]],
		['what fails between them is its own fault', [lost(), reply(500), reply(400)]],
		['each is refused for itself', [reply(499), reply(402), reply(404)]],
		['nothing leaves this machine', [neverSent()]],
	])('goes on where %s', async (_, answers) => {
		const script: Script = (__, number) => answers[number % answers.length] ?? FINE;
		expect((await callTen(script)).counts[3]).toBe(answers.length === 1 ? 10 : 0);
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
