import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { TicketPart } from '../../sandbox/ticket.mts';
import { open } from './client.mts';

const createdAt = '2026-03-01T10:00:00.250Z';
const rows: TicketPart[] = [
	{ title: 'b', priority: 'low', closedAt: null, createdAt },
	{ title: 'A', priority: 'urgent', closedAt: createdAt, createdAt },
	{ title: 'a\\%', priority: 'high', closedAt: null, createdAt },
	{ title: 'a%', priority: 'medium', closedAt: createdAt, createdAt },
];

describe('a sandbox with a personality', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open({ now: () => Date.UTC(2026, 2, 1, 10, 0, 30) });
	});
	after(() => sandbox.close());
	beforeEach(() => {
		sandbox.control.reset();
		sandbox.control.insertTickets(rows);
	});

	const become = async (personality: object, options: object = {}) =>
		await sandbox.ask('POST', '/options', { personality, ...options });

	/** The numbers that a search gives, in their order. */
	async function numbers(body: object): Promise<unknown[]> {
		const { json } = await sandbox.search(body);
		return (json.data ?? []).map((row) => row['ticketNumber']);
	}

	const by = (field: string, direction = 'asc') => ({ sort: [{ field, direction }] });

	it('cuts pages, hides rows after that, and says late or early that a page follows', async () => {
		const more = async (limit: number) =>
			(await sandbox.search({ ...by('ticketNumber'), pagination: { limit } })).json.metadata
				?.hasNextPage;
		await become({ largestPage: 3, hiddenPercent: 50 });
		assert.deepEqual(await numbers(by('ticketNumber')), [2]);
		assert.equal(await more(4), true);
		await become({ hasNextPage: 'late' });
		assert.equal(await more(4), true);
		await become({ hasNextPage: 'early', largestPage: 3 });
		assert.deepEqual([await more(2), await more(4)], [true, false]);
	});

	it('writes rows in its own way', async () => {
		const [ms, wire] = [Date.parse(createdAt), { noZone: '', offset: '', wholeSeconds: '' }];
		Object.assign(wire, {
			noZone: '2026-03-01T10:00:00.250',
			wholeSeconds: '2026-03-01T10:00:00Z',
		});
		Object.assign(wire, { offset: '2026-03-01T12:00:00.250+02:00', epochMs: ms });
		for (const [times, written] of Object.entries(wire)) {
			await become({ times, withoutIds: true, numbersAsText: true });
			const [row] = (await sandbox.search(by('ticketNumber'))).json.data ?? [];
			assert.deepEqual([row?.['createdAt'], row?.['ticketNumber']], [written, '1']);
			assert.equal(Object.hasOwn(row ?? {}, 'id'), false);
		}
	});

	it('sorts and compares in its own way', async () => {
		await become({ priorities: ['urgent', 'high', 'medium', 'low'], nullsFirst: 'always' });
		assert.deepEqual(await numbers(by('priority')), [2, 3, 4, 1]);
		assert.deepEqual(await numbers(by('closedAt')), [1, 3, 2, 4]);
		await become({ nullsFirst: 'ascending', ignoresCase: true, defaultOrder: 'number' });
		assert.deepEqual(await numbers(by('closedAt', 'desc')), [4, 2, 3, 1]);
		assert.deepEqual((await numbers(by('title'))).slice(0, 1), [2]);
		assert.deepEqual(await numbers({ filters: { title: { eq: 'a' } } }), [2]);
		assert.deepEqual(await numbers({}), [1, 2, 3, 4]);
		await become({ escapes: false });
		assert.deepEqual(await numbers({ filters: { title: { like: 'a\\%' } } }), [3]);
		await become({});
		assert.deepEqual(await numbers({ filters: { title: { like: 'a\\%' } } }), [4]);
	});

	it('refuses or ignores what it does not take', async () => {
		const narrative = { sort: [{ column: 'title', direction: 'asc' }], select: ['title'] };
		await become({ refusal: 422, givesDetails: false, largestSort: 1, largestList: 1 });
		const two = [...by('title').sort, ...by('id').sort];
		const refused = [narrative, { sort: two }, { filters: { title: { in: ['a', 'b'] } } }];
		for (const body of refused) {
			const { status, text } = await sandbox.search(body);
			assert.deepEqual([status, text], [422, '']);
		}
		await become({ otherSpelling: 'ignored', defaultOrder: 'number' });
		assert.deepEqual(await numbers(narrative), [1, 2, 3, 4]);
		for (const ignores of ['sort', 'filters']) {
			await become({ ignores, defaultOrder: 'stored' });
			const found = await numbers({ ...by('ticketNumber', 'desc'), filters: { isShared: {} } });
			assert.deepEqual(found, ignores === 'sort' ? [1, 2, 3, 4] : [4, 3, 2, 1]);
		}
		await become({ ignores: 'select' });
		const [row] = (await sandbox.search({ select: { id: true } })).json.data ?? [];
		assert.ok(Object.keys(row ?? {}).length > 20);
	});

	it('shows tickets late, has a clock of its own, and slows down under load', async () => {
		await become({ visibleAfterMs: 60_000 });
		assert.deepEqual(await numbers({}), []);
		await become({ visibleAfterMs: 60_000, clockAheadMs: 3_600_000 });
		const { json, headers } = await sandbox.search(by('ticketNumber'));
		assert.equal(json.data?.length, 4);
		assert.equal(headers.get('date'), 'Sun, 01 Mar 2026 11:00:30 GMT');
		await become({}, { latencyMs: 20, capacity: 1 });
		const times = await Promise.all(
			Array.from({ length: 4 }, async () => {
				const start = performance.now();
				await sandbox.search({});
				return performance.now() - start;
			}),
		);
		assert.ok(Math.max(...times) >= 75);
	});
});
