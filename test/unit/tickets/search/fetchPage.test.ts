import type { Client } from '../../../../src/core/client';
import type { Request } from '../../../../src/core/http';
import { fail, ok } from '../../../../src/core/result';
import type { Dialect, PageReader } from '../../../../src/tickets/search/fetchPage';
import {
	fetchFirstRows,
	fetchPage,
	formal,
	narrative,
	pageStep,
} from '../../../../src/tickets/search/fetchPage';
import type { Query } from '../../../../src/tickets/search/query';
import type { Ticket } from '../../../../src/tickets/ticket';
import { pageReader } from '../../../support/pageReader';
import { listOf, members } from '../../../support/samples';
import { ticket, upTo } from '../../../support/tickets';

type Answer = readonly object[] | { readonly status: number; readonly message?: string };

/** A reader of a service whose answers are given in turn; the last one goes on. */
function world(answers: readonly Answer[], more: Partial<PageReader> = {}) {
	const sent: Request[] = [];
	const client = {
		call: async (request: Request) => {
			sent.push(request);
			const answer = answers[sent.length - 1] ?? answers.at(-1) ?? [];
			if ('status' in answer)
				return fail({ kind: 'api', call: '', message: 'no', issues: [], ...answer } as const);
			return ok({ data: answer as readonly Ticket[], metadata: { hasNextPage: false } });
		},
	} as unknown as Client;
	const reader = pageReader(client, { pageSize: 100, findDialect: true, ...more });
	const dialects = () =>
		sent.map(({ body }): Dialect => ({
			sort: 'column' in members(listOf(body, 'sort')[0]) ? 'column' : 'field',
			select: Array.isArray(members(body)['select']) ? 'list' : 'object',
		}));
	return { reader, sent, dialects };
}

const all: Query = { filters: {}, sort: [], select: [] };
const sorted: Query = { ...all, sort: [{ column: 'ticketNumber', direction: 'asc' }] };
const both: Query = { ...sorted, select: ['ticketNumber'] };
const page = { limit: 100, offset: 0 };
const up = upTo(3).map((n) => ({ ticketNumber: n }));
const down = [...up].reverse();

it('asks for its place, within its time', async () => {
	const { reader, sent } = world([up]);
	await fetchPage(all, page, reader);
	expect(sent[0]).toMatchObject({ isPaced: true, timeoutMs: 5_000, idempotent: true });
	expect(sent[0]).not.toHaveProperty('deadlineMs');
	const bounded = world([up], { deadlineMs: 77 });
	await fetchPage(all, page, bounded.reader);
	expect(bounded.sent[0]).toMatchObject({ deadlineMs: 77 });
	expect(bounded.reader.requests).toBe(1);
});

describe('the rows of a page', () => {
	it('show where the service cuts its pages, unless the page is small and full', async () => {
		const { reader } = world([up]);
		await fetchPage(all, { limit: 3, offset: 0 }, reader);
		expect(reader.pageRows).toBe(0);
		await fetchPage(all, { limit: 4, offset: 0 }, reader);
		expect(reader.pageRows).toBe(3);
		const full = world([up], { pageSize: 3 });
		await fetchPage(all, { limit: 3, offset: 0 }, full.reader);
		expect(full.reader.pageRows).toBe(3);
		const shrinking = world([up, up.slice(1)]);
		await fetchPage(all, page, shrinking.reader);
		await fetchPage(all, page, shrinking.reader);
		expect(shrinking.reader.pageRows).toBe(3);
	});

	it('say how far to go on', () => {
		const step = (pageRows: number | undefined, size: number) =>
			pageStep({ ...(pageRows !== undefined && { pageRows }) } as PageReader, size);
		expect([
			step(undefined, 100),
			step(0, 100),
			step(40, 100),
			step(100, 40),
			step(100, 0),
		]).toEqual([25, 25, 40, 40, 1]);
	});

	it('are checked against the filters', async () => {
		const filters = { ticketNumber: { gte: 2 } };
		const { reader } = world([up], { filters });
		expect(await fetchPage({ ...all, filters }, page, reader)).toMatchObject({
			ok: false,
			failure: {
				kind: 'contract',
				message:
					'The service ignores the filter on Ticket Number: it returned a ticket that does not match. Remove the filter, and use a Filter node instead',
			},
		});
		expect(reader.unmatched).toBe('ticketNumber');
		const fine = world([up.slice(1)], { filters });
		expect((await fetchPage({ ...all, filters }, page, fine.reader)).ok).toBe(true);
		expect(fine.reader.unmatched).toBeUndefined();
	});
});

describe('the way in which sort and select are written', () => {
	it('is changed for what the service rejects or ignores', async () => {
		const rejected = world([{ status: 400, message: 'sort is wrong' }, up]);
		await fetchPage(both, page, rejected.reader);
		expect(rejected.dialects()).toEqual([formal, { sort: 'column', select: 'object' }]);
		expect(rejected.reader.dialect).toEqual({ sort: 'column', select: 'object' });
		const unnamed = world([{ status: 422, message: 'no' }, { status: 422 }, { status: 422 }, up]);
		await fetchPage(both, page, unnamed.reader);
		expect(unnamed.dialects()).toEqual([
			formal,
			narrative,
			{ sort: 'field', select: 'list' },
			{ sort: 'column', select: 'object' },
		]);
		const ignored = world([down, up]);
		expect((await fetchPage(both, page, ignored.reader)).ok).toBe(true);
		expect(ignored.dialects()).toEqual([formal, { sort: 'column', select: 'object' }]);
	});

	it('is not changed for anything else', async () => {
		for (const answer of [
			{ status: 400, message: 'filters are wrong' },
			{ status: 403 },
			{ status: 500, message: 'sort' },
		]) {
			const { reader, sent } = world([answer]);
			expect((await fetchPage(both, page, reader)).ok).toBe(false);
			expect(sent).toHaveLength(1);
		}
		const plain = world([{ status: 400, message: 'sort' }]);
		await fetchPage(all, page, plain.reader);
		expect(plain.sent).toHaveLength(1);
		const fixed = world([{ status: 400, message: 'sort' }], { findDialect: false });
		await fetchPage(both, page, fixed.reader);
		expect(fixed.sent).toHaveLength(1);
	});

	it('is that of another search which found it meanwhile', async () => {
		const known = {
			taken: new Set(),
			ignored: new Set(),
			ignoredSorts: new Set(),
			nullsFirst: {},
			dialect: narrative,
		} as NonNullable<PageReader['known']>;
		const { reader, dialects } = world([{ status: 400, message: 'sort' }, up], { known });
		await fetchPage(both, page, reader);
		expect(dialects()).toEqual([formal, narrative]);
		const other = world([{ status: 400, message: 'filters' }, up], {
			known: { ...known, dialect: narrative },
		});
		await fetchPage(both, page, other.reader);
		expect(other.dialects()).toEqual([formal, narrative]);
	});

	it('is the first again where no other one is right, with what the service ignores', async () => {
		const { reader, dialects } = world([down]);
		const read = await fetchPage(sorted, page, reader);
		expect(read).toMatchObject({ ok: true, value: { data: down } });
		expect(dialects()).toEqual([formal, { sort: 'column', select: 'object' }]);
		expect(reader.dialect).toEqual(formal);
		expect([...(reader.known?.ignored ?? [])]).toEqual(['sort']);
		expect(reader.isMixed).toBeUndefined();
		// Now it is known, and not tried again.
		await fetchPage(sorted, page, reader);
		expect(dialects()).toHaveLength(3);
		const refused = world([
			{ status: 400, message: 'sort: one' },
			{ status: 400, message: 'sort: two' },
		]);
		expect(await fetchPage(sorted, page, refused.reader)).toMatchObject({
			ok: false,
			failure: { message: 'sort: one' },
		});
	});

	it('is noted where a page came in one order before another showed that the service sorts otherwise', async () => {
		const mixed = world([up, down, up]);
		await fetchPage(sorted, page, mixed.reader);
		expect([...(mixed.reader.known?.taken ?? [])]).toEqual(['sort']);
		expect(mixed.reader.isMixed).toBeUndefined();
		await fetchPage(sorted, page, mixed.reader);
		expect(mixed.reader.isMixed).toBe(true);
		const ignored = world([up, down]);
		await fetchPage(sorted, page, ignored.reader);
		await fetchPage(sorted, page, ignored.reader);
		expect(ignored.reader.isMixed).toBe(true);
		const same = world([up]);
		await fetchPage(sorted, page, same.reader);
		await fetchPage(sorted, page, same.reader);
		expect(same.reader.isMixed).toBeUndefined();
		const unsorted = world([up, { status: 400, message: 'select' }, up]);
		const selected = { ...all, select: ['ticketNumber'] } as Query;
		await fetchPage(selected, page, unsorted.reader);
		await fetchPage(selected, page, unsorted.reader);
		expect(unsorted.reader.isMixed).toBeUndefined();
		expect([...(unsorted.reader.known?.taken ?? [])]).toEqual(['select']);
	});

	it('is not one that a page showed to be ignored, whatever a page that was asked for earlier looks like', async () => {
		const { reader, dialects } = world([up, down, up]);
		// Both are asked for in the first way; only the second one shows that it is ignored.
		await Promise.all([fetchPage(sorted, page, reader), fetchPage(sorted, page, reader)]);
		const column = { sort: 'column', select: 'object' };
		expect(dialects()).toEqual([formal, formal, column]);
		reader.dialect = formal;
		await fetchPage(sorted, page, reader);
		expect(dialects().slice(3)).toEqual([formal, column]);
		expect(reader).toMatchObject({ dialect: column, isMixed: true });
		// What is not sorted has no wrong order.
		reader.dialect = formal;
		await fetchPage(all, page, reader);
		expect(dialects()).toHaveLength(6);
	});

	it('is noted to have changed also where the service ignores the selection of columns', async () => {
		const all = { summary: null, source: 'api', priority: 'low', title: '' };
		const wide = [1, 2].map((n) => ticket(n, all));
		const { reader, dialects } = world([wide, wide, [...wide].reverse(), wide]);
		await fetchPage(both, page, reader);
		expect([...(reader.known?.ignored ?? [])]).toEqual(['select']);
		expect([...(reader.known?.taken ?? [])]).toEqual(['sort']);
		await fetchPage(both, page, reader);
		expect(dialects().at(-1)).toMatchObject({ sort: 'column' });
		expect(reader.isMixed).toBe(true);
	});

	it('is asked about what was not taken before', async () => {
		const { reader, dialects } = world([up, { status: 400, message: 'no' }, up]);
		await fetchPage(sorted, page, reader);
		await fetchPage({ ...both }, page, reader);
		expect(dialects().slice(1)).toEqual([formal, { sort: 'field', select: 'list' }]);
	});
});

describe('the first rows', () => {
	it('are looked for on further pages, as far as there are any', async () => {
		let pages = 0;
		const client = {
			call: async (request: Request) => {
				pages += 1;
				const { offset } = members(members(request.body)['pagination']) as { offset: number };
				return ok({ data: offset < 50 ? [] : [ticket(1)], metadata: { hasNextPage: true } });
			},
		} as unknown as Client;
		const { reader } = world([], { client });
		expect(await fetchFirstRows(all, reader)).toMatchObject({
			ok: true,
			value: { data: [{ ticketNumber: 1 }] },
		});
		expect(pages).toBe(3);
		const empty = world([[]]);
		expect(await fetchFirstRows(all, empty.reader)).toMatchObject({
			ok: true,
			value: { data: [] },
		});
		expect(empty.sent).toHaveLength(1);
		const refused = world([{ status: 403 }]);
		expect((await fetchFirstRows(all, refused.reader)).ok).toBe(false);
	});

	it('are given up where empty pages never end', async () => {
		let pages = 0;
		const client = {
			call: async () => {
				pages += 1;
				return ok({ data: [], metadata: { hasNextPage: true } });
			},
		} as unknown as Client;
		const { reader } = world([], { client });
		expect(await fetchFirstRows(all, reader)).toMatchObject({
			ok: false,
			failure: { message: expect.stringContaining('the end cannot be reached') as string },
		});
		expect(pages).toBe(51);
	});
});
