import { getTicket } from '../../../../src/tickets/search/get';
import { search } from '../../../../src/tickets/search/search';
import type { HttpResult } from '../../../../src/core/http';
import { fakeRuntime, reply, type Script } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { listOf, members, uuidOf } from '../../../support/samples';
import { answerSearch } from '../../../support/searchService';
import { page, ticket, upTo } from '../../../support/tickets';

const documented = { code: 'BAD_REQUEST', message: 'Invalid input data', issues: [] };

const eq = (column: string, more: object) => ({
	filters: { conditions: [{ column, operator: 'eq', ...more }] },
});

/** Rows of each operation, which share requests or do not. */
const rows: ReadonlyArray<readonly [string, typeof search, (n: number) => object]> = [
	['Get', getTicket, (n) => ({ ticketId: n })],
	['Search by customer', search, (n) => eq('customerId', { value: uuidOf(n) })],
	['Search by title', search, (n) => eq('title', { value: `t${n}` })],
	[
		'Search by title, all',
		search,
		(n) => ({ ...eq('title', { value: `t${n}` }), returnAll: true }),
	],
];

const refusals: ReadonlyArray<readonly [string, HttpResult]> = [
	['400', reply(400, documented)],
	['422', reply(422, documented)],
	['404', reply(404, { message: 'Not found' })],
	['403', reply(403, { message: 'Insufficient access' })],
	['413', reply(413)],
	['a 200 that reports an error', reply(200, { success: false, message: 'no' })],
];

const cases = rows.flatMap(([name, operation, toRow]) =>
	refusals.map(([refusal, response]) => ({ name, operation, toRow, refusal, response })),
);

it.each(cases)(
	'$name learns from few requests that a service refuses 1,000 rows with $refusal, and tells each',
	async ({ operation, toRow, response }) => {
		const { sent, context } = fakeRuntime(() => response);
		const input = upTo(1_000).map((n) => ({ parameters: toRow(n) }));
		const { rows: results } = await runRows(operation, input, context());
		expect(results.filter(({ failure }) => failure !== undefined)).toHaveLength(1_000);
		expect(results.some(({ failure }) => failure?.kind !== 'held')).toBe(true);
		expect(sent.length).toBeLessThanOrEqual(60);
	},
);

it('learns the same of 10,000 rows from as few requests', async () => {
	const { sent, context } = fakeRuntime(() => reply(400, documented));
	const input = upTo(10_000).map((n) => ({ parameters: { ticketId: n } }));
	const { rows: results } = await runRows(getTicket, input, context());
	expect(results.filter(({ failure }) => failure !== undefined)).toHaveLength(10_000);
	expect(sent.length).toBeLessThanOrEqual(60);
});

it('says why the other rows were not sent', async () => {
	const { context } = fakeRuntime(() => reply(400, documented));
	const input = upTo(20).map((n) => ({ parameters: eq('title', { value: `t${n}` }) }));
	const { rows: results } = await runRows(search, input, context());
	expect(results.at(-1)?.failure).toEqual({
		kind: 'held',
		message:
			'Not sent, because three requests failed for the same reason (400: Invalid input data)',
	});
});

const tickets = upTo(1_000).map((n) => ticket(n, { id: uuidOf(n) }));

/** A service of one spelling that rejects every list with one of these numbers. */
const refusing =
	(bad: readonly number[], spelling: 'formal' | 'narrative'): Script =>
	({ body }) => {
		const { ticketNumber } = members(members(body)['filters']);
		const { eq = 0 } = members(ticketNumber);
		const searchedNumbers = [...listOf(ticketNumber, 'in'), eq];
		if (bad.some((n) => searchedNumbers.includes(n))) return reply(400, documented);
		return answerSearch(tickets, body, { spelling, refusal: 400 });
	};

it.each([
	['one bad row', [77], 'formal', 40],
	['the first row', [1], 'narrative', 60],
	['three bad rows in one list', [301, 302, 303], 'formal', 50],
	['a bad row in each list', upTo(10).map((n) => 100 * n - 50), 'narrative', 200],
] as const)('finds %s among 1,000 good ones', async (_, bad, spelling, max) => {
	const { sent, context } = fakeRuntime(refusing(bad, spelling));
	const input = tickets.map(({ ticketNumber }) => ({ parameters: { ticketId: ticketNumber } }));
	const { rows: results } = await runRows(getTicket, input, context());
	const failed = results.flatMap(({ failure }, i) => (failure ? [i + 1] : []));
	expect(failed).toEqual(bad);
	expect(results.flatMap(({ items }) => items)).toHaveLength(1_000 - bad.length);
	expect(sent.length).toBeLessThanOrEqual(max);
});

it('finds three bad rows that come first in the only list', async () => {
	const { context } = fakeRuntime(refusing([1, 2, 3], 'formal'));
	const input = upTo(100).map((n) => ({ parameters: { ticketId: n } }));
	const { rows: results } = await runRows(getTicket, input, context());
	expect(results.map(({ failure }) => failure !== undefined).lastIndexOf(true)).toBe(2);
});

it('tries the other spelling of sort and select until one is accepted', async () => {
	const isNarrative = ({ body }: { readonly body: unknown }) =>
		'column' in members(listOf(body, 'sort')[0]);
	const input = upTo(1_000).map((n) => ({ parameters: { ticketId: n } }));
	const { sent, context } = fakeRuntime((one) =>
		isNarrative(one) ? page([]) : reply(400, documented),
	);
	await runRows(getTicket, input, context());
	expect(sent.filter((one) => !isNarrative(one)).length).toBeLessThan(10);
	expect(sent.filter(isNarrative)).toHaveLength(10);
	const failing = fakeRuntime((one) => reply(isNarrative(one) ? 403 : 400, documented));
	const { rows: results } = await runRows(getTicket, input.slice(0, 1), failing.context());
	expect(results[0]?.failure).toMatchObject({ kind: 'api', status: 403 });
});
