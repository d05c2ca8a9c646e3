import type { CallError } from '../../../src/core/client';
import type { Query } from '../../../src/tickets/query';
import type { Wanted } from '../../../src/tickets/readTickets';
import { readTickets } from '../../../src/tickets/readTickets';
import type { Spelling } from '../../../src/tickets/spelling';
import { formal, narrative, otherSpelling } from '../../../src/tickets/spelling';
import type { Script } from '../../support/fakeWorld';
import { fakeWorld, reply } from '../../support/fakeWorld';
import { listOf, members } from '../../support/samples';

/** The spelling in which a body was sent. */
const spellingOf = (body: unknown): Spelling => ({
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
	(accepted: Spelling, refuse: Refuse = asIssues, most = 2): Script =>
	({ body }) => {
		const { sort, select } = spellingOf(body);
		const wrong = [
			...(sort === accepted.sort || listOf(body, 'sort').length === 0 ? [] : ['sort']),
			...(select === accepted.select || members(body)['select'] === undefined ? [] : ['select']),
		].slice(0, most);
		if (wrong.length > 0) return reply(400, refuse(wrong));
		const { limit, offset } = members(members(body)['pagination']);
		const { gte = 1, lte = 450 } = members(members(members(body)['filters'])['ticketNumber']);
		const numbers = Array.from(
			{ length: Number(lte) - Number(gte) + 1 },
			(_, i) => Number(gte) + i,
		);
		if (members(listOf(body, 'sort')[0])['direction'] === 'desc') numbers.reverse();
		const end = Number(offset) + Number(limit);
		const data = numbers
			.slice(Number(offset), end)
			.map((ticketNumber) => ({ id: `t${ticketNumber}`, ticketNumber, title: 'x' }));
		return reply(200, { data, metadata: { hasNextPage: end < numbers.length } });
	};

const query: Query = {
	filters: {},
	sort: [{ column: 'ticketNumber', direction: 'asc' }],
	select: ['ticketNumber', 'title'],
};

const byTitle: Query = { ...query, sort: [{ column: 'title', direction: 'asc' }] };

async function read(script: Script, change: Partial<Wanted> = {}, asked = query) {
	const { sent, desk } = fakeWorld(script);
	const wanted = {
		timeout: 120_000,
		offset: 0,
		pageSize: 100,
		parallelRequests: 4,
		spelling: 'auto' as const,
	};
	const reading = await readTickets(asked, { ...wanted, ...change }, { client: desk().client });
	return { sent, spellings: sent.map(({ body }) => spellingOf(body)), ...reading };
}

const others: Array<[string, Spelling]> = [
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

describe.each(others)('a service that is %s', (_, accepted) => {
	const wrong = Number(accepted.sort !== 'field') + Number(accepted.select !== 'object');

	it.each(refusals)(
		'is understood when it %s, with one more request a spelling for the run',
		async (...refusal) => {
			const [, refuse, most] = refusal;
			for (const [change, asked] of [
				[{}, query],
				[{}, byTitle],
				[{ limit: 250 }, query],
				[{ limit: 10 }, query],
			] as const) {
				const { spellings, failure, rows } = await read(
					taking(accepted, refuse, most),
					change,
					asked,
				);
				expect(failure).toBeUndefined();
				const limit = 'limit' in change ? change.limit : 450;
				expect(rows.map(({ ticketNumber }) => ticketNumber)).toEqual(
					Array.from({ length: limit }, (__, i) => i + 1),
				);
				const extra = Math.ceil(wrong / most);
				expect(spellings.slice(extra)).toEqual(spellings.slice(extra).map(() => accepted));
				expect(spellings.slice(0, extra)).not.toContainEqual(accepted);
			}
		},
	);
});

it('is kept where it is fixed, though the service refuses it', async () => {
	for (const [spelling, sent, accepted] of [
		['formal', formal, narrative],
		['narrative', narrative, formal],
	] as const) {
		const { spellings, failure, rows } = await read(taking(accepted), { spelling, limit: 10 });
		expect(rows).toEqual([]);
		expect(failure).toMatchObject({ kind: 'api', status: 400 });
		expect(spellings).toEqual([sent]);
		const all = await read(taking(accepted), { spelling });
		expect(all.failure).toMatchObject({ kind: 'api', status: 400 });
		expect(all.spellings.every((one) => one.sort === sent.sort && one.select === sent.select)).toBe(
			true,
		);
	}
});

it('is kept where it is fixed and the service takes it', async () => {
	const { spellings, rows } = await read(taking(narrative), { spelling: 'narrative' });
	expect(rows).toHaveLength(450);
	expect(spellings).toEqual(spellings.map(() => narrative));
});

it.each<[string, number, unknown]>([
	['a refusal of something else', 400, asIssues(['filters'])],
	['a refusal without a reason', 400, ''],
	['a refusal of a column whose name holds the word', 400, { message: 'resort and preselected' }],
	['a refusal that is no 400', 422, asIssues(['sort'])],
	['a lack of access', 403, asMessage(['select'])],
])('is not changed for %s', async (_, status, body) => {
	const { spellings, failure } = await read(() => reply(status, body), { limit: 10 });
	expect(failure).toMatchObject({ kind: 'api', status });
	expect(spellings).toEqual([formal]);
});

it('tells the first refusal where no spelling is taken, and tries none twice', async () => {
	const refusing: Script = (_, number) =>
		reply(400, { message: `sort and select are wrong (${number})` });
	const { spellings, failure } = await read(refusing, { limit: 10 });
	expect(failure).toMatchObject({ message: 'sort and select are wrong (1)' });
	expect(new Set(spellings.map((one) => JSON.stringify(one))).size).toBe(spellings.length);
	expect(spellings.length).toBeLessThanOrEqual(4);
});

describe('the other spelling', () => {
	const api = (change: object): CallError => ({
		kind: 'api',
		call: 'POST /tickets/search',
		status: 400,
		message: '',
		issues: [],
		...change,
	});

	it.each<[object, Spelling | undefined]>([
		[
			{ issues: [{ path: ['sort', 0, 'field'], message: 'Required' }] },
			{ sort: 'column', select: 'object' },
		],
		[
			{ issues: [{ path: 'select', message: 'Expected array' }] },
			{ sort: 'field', select: 'list' },
		],
		[
			{
				issues: [
					{ path: ['sort'], message: 'x' },
					{ path: ['select'], message: 'x' },
				],
			},
			narrative,
		],
		[{ message: 'Unrecognized key in sort' }, { sort: 'column', select: 'object' }],
		[{ message: 'SELECT must be a list' }, { sort: 'field', select: 'list' }],
		[{ issues: ['sort is wrong'] }, { sort: 'column', select: 'object' }],
		[{ message: 'filters are wrong' }, undefined],
		[{ message: 'sort', status: 500 }, undefined],
	])('after %j is %j', (change, expected) => {
		expect(otherSpelling(formal, api(change))).toEqual(expected);
	});

	it('leads back, and comes of a refusal only', () => {
		expect(otherSpelling(narrative, api({ message: 'sort, select' }))).toEqual(formal);
		const silent: CallError = {
			kind: 'connection',
			call: '',
			sent: 'no',
			code: 'ECONNREFUSED',
			message: 'sort',
		};
		expect(otherSpelling(formal, silent)).toBeUndefined();
	});
});
