import { createTokenBucket } from '../../support/tokenBucket';
import { readTickets } from '../../../src/tickets/search/readTickets';
import { fakeRuntime, reply } from '../../support/fakeRuntime';
import { searchPage, ticket, upTo } from '../../support/tickets';

const PAGES = 40;
const rows = upTo(PAGES * 100).map((n) => ticket(n));

/** Reads all tickets of a service that allows so many requests a second. */
async function read(rate: number, { burst, retryAfter }: { burst: number; retryAfter?: string }) {
	const take = createTokenBucket({ perSecond: rate, burst });
	let served = 0;
	const { context, runtime } = fakeRuntime(
		({ body, at }) =>
			take(at)
				? ((served += 1), searchPage(rows, body))
				: reply(429, '', retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
		{ latency: 20, random: 0.5 },
	);
	const startMs = runtime.now();
	const reading = await readTickets(
		{ filters: {}, sort: [], select: [] },
		{ offset: 0, pageSize: 100, parallelRequests: 20, spelling: 'auto', timeoutMs: 1_000 },
		{ client: context().client },
	);
	return { ...reading, served, seconds: (runtime.now() - startMs) / 1000 };
}

describe('a token bucket', () => {
	it.each([
		[1, 1, undefined],
		[1, 10, undefined],
		[1, 1, '1'],
		[1, 10, '1'],
		[2, 1, undefined],
		[0.5, 1, '2'],
	])(
		'of %d a second and a burst of %d, with Retry-After %p, is used to nine tenths and read to its end',
		async (rate, burst, retryAfter) => {
			const options = { burst, ...(retryAfter !== undefined && { retryAfter }) };
			const { failure, rows: found, seconds, served } = await read(rate, options);
			expect(failure).toBeUndefined();
			expect(found).toHaveLength(PAGES * 100);
			expect((served - burst) / rate / seconds).toBeGreaterThan(0.9);
		},
	);
});
