import { createTokenBucket } from '../../../sandbox/tokenBucket.mts';
import { get } from '../../../src/conversations/get/get';
import type { Operation } from '../../../src/core/operation';
import { search } from '../../../src/tickets/search/search';
import type { Sent } from '../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { runRows } from '../../support/runRows';
import { uuidOf } from '../../support/samples';
import { searchPage, ticket, upTo } from '../../support/tickets';

/** Runs an operation while `take` decides about each request; returns the items and the seconds that it took. */
async function run(
	operation: Operation,
	parameters: readonly object[],
	{ take, answer, retryAfter }: Limited,
) {
	const { context, runtime } = fakeRuntime(
		(sent) =>
			take(sent.at)
				? answer(sent)
				: reply(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
		{ latency: 20, random: 0.5 },
	);
	const startMs = runtime.now();
	const rows = parameters.map((each) => ({ parameters: each }));
	const { rows: results } = await runRows(operation, rows, context());
	const items = results.reduce((sum, each) => sum + each.items.length, 0);
	return { items, seconds: (runtime.now() - startMs) / 1000 };
}

interface Limited {
	readonly take: (atMs: number) => boolean;
	readonly answer: (sent: Sent) => ReturnType<typeof reply>;
	readonly retryAfter?: string | undefined;
}

const pagesOf = (tickets: number): Limited['answer'] => {
	const rows = upTo(tickets).map((n) => ticket(n));
	return ({ body }) => searchPage(rows, body);
};

it.each([
	[1, 1, undefined],
	[1, 1, '1'],
	[1, 10, '1'],
	[0.1, 5, '10'],
])(
	'Return All reads 2,000 tickets from a bucket of %d a second, burst %d, Retry-After %s',
	async (perSecond, burst, retryAfter) => {
		const limited = { take: createTokenBucket({ perSecond, burst }), answer: pagesOf(2_000) };
		const { items, seconds } = await run(search, [{ returnAll: true }], { ...limited, retryAfter });
		expect(items).toBe(2_000);
		expect(seconds).toBeLessThan(60 / perSecond);
	},
);

describe('one 429 without Retry-After at the first request costs less than two seconds', () => {
	const once = () => {
		let requests = 0;
		return () => (requests += 1) > 1;
	};

	it('of 6,000 tickets', async () => {
		const limited = { take: once(), answer: pagesOf(6_000) };
		const { items, seconds } = await run(search, [{ returnAll: true }], limited);
		expect([items, seconds < 2]).toEqual([6_000, true]);
	});

	it('of 30 conversations', async () => {
		const rows = upTo(30).map((n) => ({ conversationId: uuidOf(n) }));
		const answer: Limited['answer'] = ({ path }) => reply(200, { id: path.split('/')[2] });
		const { items, seconds } = await run(get, rows, { take: once(), answer });
		expect([items, seconds < 2]).toEqual([30, true]);
	});
});
