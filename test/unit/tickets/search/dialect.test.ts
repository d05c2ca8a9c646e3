import pick from 'lodash/pick';
import type { Dialect, Query } from '../../../../src/tickets/search/query';
import { formal } from '../../../../src/tickets/search/query';
import type { Script } from '../../../support/fakeRuntime';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import type { ReadAlone } from '../../../support/readAlone';
import { readAlone } from '../../../support/readAlone';
import { listOf, members } from '../../../support/samples';
import { searchPage, ticket, upTo } from '../../../support/tickets';

const narrative: Dialect = { sort: 'column', select: 'list' };

/** The spelling in which a body was sent. */
const spellingOf = (body: unknown): Dialect => ({
	sort: 'column' in members(listOf(body, 'sort')[0]) ? 'column' : 'field',
	select: Array.isArray(members(body)['select']) ? 'list' : 'object',
});

const issue = (name: string) => ({ path: [name, 0], message: 'Invalid input' });

/** The documented error body, or the words in which a service may say the same. */
type Refuse = (names: readonly string[]) => unknown;
const asIssues: Refuse = (names) => ({
	code: 'BAD_REQUEST',
	message: 'Invalid input data',
	issues: names.map(issue),
});
const asMessage: Refuse = (names) => ({ message: `Invalid: ${names.join(', ')}` });
const asText: Refuse = (names) => `Bad request: ${names.join(' and ')} not understood`;

/** A service of 450 tickets that takes one spelling; it names all that it does not take, or only the first. */
const taking =
	(accepted: Dialect, refuse: Refuse = asIssues, max = 2): Script =>
	({ body }) => {
		const { sort, select } = spellingOf(body);
		const wrong = [
			...(sort === accepted.sort || listOf(body, 'sort').length === 0 ? [] : ['sort']),
			...(select === accepted.select || members(body)['select'] === undefined ? [] : ['select']),
		].slice(0, max);
		if (wrong.length > 0) return reply(400, refuse(wrong));
		const tickets = upTo(450).map((n) => ticket(n, { title: 'x' }));
		return searchPage(tickets, body);
	};

const query: Query = {
	filters: {},
	sort: [{ column: 'ticketNumber', direction: 'asc' }],
	select: ['ticketNumber', 'title'],
};

const byTitle: Query = { ...query, sort: [{ column: 'title', direction: 'asc' }] };

async function read(script: Script, change: Partial<ReadAlone> = {}, asked = query) {
	const { sent, context } = fakeRuntime(script);
	const wanted = {
		timeoutMs: 120_000,
		offset: 0,
		pageSize: 100,
		parallelRequests: 4,
	};
	const reading = await readAlone(asked, { ...wanted, ...change }, context().client);
	return { sent, spellings: sent.map(({ body }) => spellingOf(body)), ...reading };
}

const others: Array<[string, Dialect]> = [
	['formal', formal],
	['narrative', narrative],
	['sort by field and columns as a list', { sort: 'field', select: 'list' }],
	['sort by column and columns as an object', { sort: 'column', select: 'object' }],
];

const refusals: Array<[string, Refuse, number]> = [
	['names all at once', asIssues, 2],
	['names one at a time', asIssues, 1],
	['says so in its message', asMessage, 2],
	['answers with text', asText, 1],
];

const silent: Array<[string, number, unknown]> = [
	['a 400 without a body', 400, ''],
	['a 400 with a code alone', 400, { code: 'BAD_REQUEST', message: 'Invalid input data' }],
	['a 422 that names what it wants', 422, { message: 'Unprocessable sort and select' }],
	['a 422 with a page', 422, '<html>no</html>'],
];

describe.each(others)('a service that is %s', (_, accepted) => {
	const wrong = Number(accepted.sort !== 'field') + Number(accepted.select !== 'object');

	it.each(refusals)(
		'is understood when it %s, with one more request a spelling for the run',
		async (...refusal) => {
			const [, refuse, max] = refusal;
			for (const [change, asked] of [
				[{}, query],
				[{}, byTitle],
				[{ limit: 250 }, query],
				[{ limit: 10 }, query],
			] as const) {
				const { spellings, failure, rows } = await read(
					taking(accepted, refuse, max),
					change,
					asked,
				);
				expect(failure).toBeUndefined();
				const limit = 'limit' in change ? change.limit : 450;
				expect(rows.map(({ ticketNumber }) => ticketNumber)).toEqual(
					Array.from({ length: limit }, (__, i) => i + 1),
				);
				const extra = Math.ceil(wrong / max);
				expect(spellings.slice(extra)).toEqual(spellings.slice(extra).map(() => accepted));
				expect(spellings.slice(0, extra)).not.toContainEqual(accepted);
			}
		},
	);
});

describe.each(silent)('a service that answers another spelling with %s', (_, status, body) => {
	it.each(others)('is understood when it is %s', async (__, accepted) => {
		const understood = taking(accepted);
		const script: Script = (sent, number) => {
			const response = understood(sent, number);
			return response.kind === 'response' && response.status === 400
				? reply(status, body)
				: response;
		};
		for (const [change, asked] of [
			[{}, query],
			[{ limit: 250 }, byTitle],
			[{ limit: 10 }, query],
		] as const) {
			const { spellings, failure, rows } = await read(script, change, asked);
			expect(failure).toBeUndefined();
			expect(rows).toHaveLength('limit' in change ? change.limit : 450);
			expect(spellings.slice(3)).toEqual(spellings.slice(3).map(() => accepted));
		}
	});
});

describe('a service that ignores what it does not understand, with a 200', () => {
	it.each(others)('is understood by its rows when it is %s', async (_, accepted) => {
		const tickets = upTo(450).map((n) =>
			ticket((n * 197) % 451, {
				title: `x${n}`,
				source: 'api',
				priority: 'low',
				isShared: true,
				summary: 'y',
				description: null,
			}),
		);
		const script: Script = ({ body }) => {
			const { sort, select } = spellingOf(body);
			const asked = members(body);
			const known = {
				...asked,
				...(sort !== accepted.sort && { sort: [] }),
			};
			const response = searchPage(tickets, known);
			if (response.kind !== 'response' || select !== accepted.select) return response;
			const { data, metadata } = JSON.parse(response.text) as {
				data: Array<Record<string, unknown>>;
				metadata: unknown;
			};
			const named = Array.isArray(asked['select'])
				? asked['select']
				: Object.keys(members(asked['select']));
			return reply(200, { data: data.map((row) => pick(row, named)), metadata });
		};
		for (const change of [{}, { limit: 250 }, { limit: 10 }] as Array<Partial<ReadAlone>>) {
			const { spellings, failure, rows } = await read(script, change);
			expect(failure).toBeUndefined();
			expect(rows.map(({ ticketNumber }) => ticketNumber)).toEqual(upTo(change.limit ?? 450));
			expect(spellings.slice(3)).toEqual(spellings.slice(3).map(() => accepted));
		}
	});

	it('in both spellings is asked for each once', async () => {
		const script: Script = ({ body }) =>
			searchPage(
				upTo(450).map((n) => ticket(451 - n)),
				{
					...members(body),
					sort: [],
				},
			);
		const { sent } = await read(script, { limit: 250 }, { ...query, select: [] });
		expect(sent.length).toBeLessThanOrEqual(5);
	});
});

it.each<[string, number, unknown]>([
	['a refusal of something else', 400, asIssues(['filters'])],
	['a refusal of a filter in its message', 422, { message: 'filters are wrong' }],
	['a failure', 409, asIssues(['sort'])],
	['a lack of access', 403, asMessage(['select'])],
])('is not changed for %s', async (_, status, body) => {
	const { spellings, failure } = await read(() => reply(status, body), { limit: 10 });
	expect(failure).toMatchObject({ kind: 'api', status });
	expect(spellings).toEqual([formal]);
});

it('fails as the other spelling fails, which says nothing of a sort', async () => {
	const unsorted: Script = ({ body }) =>
		spellingOf(body).sort === 'column'
			? reply(403, { message: 'No access' })
			: searchPage([ticket(1), ticket(3), ticket(2)], { ...members(body), sort: [] });
	const { failure } = await read(unsorted, { limit: 10 });
	expect(failure).toMatchObject({ kind: 'api', status: 403 });
});

it('tells the first refusal where no spelling is taken, and tries none twice', async () => {
	const refusing: Script = (_, number) =>
		reply(400, { message: `sort and select are wrong (${number})` });
	const { spellings, failure } = await read(refusing, { limit: 10 });
	expect(failure).toMatchObject({ message: 'sort and select are wrong (1)' });
	expect(new Set(spellings.map((one) => JSON.stringify(one))).size).toBe(spellings.length);
	expect(spellings.length).toBeLessThanOrEqual(4);
});
