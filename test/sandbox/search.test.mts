import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { columns } from '../../sandbox/columns.mts';
import type { TicketPart } from '../../sandbox/ticket.mts';
import { open } from './client.mts';

const now = Date.UTC(2025, 5, 15, 12);

describe('search', () => {
	let sandbox: Awaited<ReturnType<typeof open>>;
	before(async () => {
		sandbox = await open({ now: () => now });
	});
	after(() => sandbox.close());

	/** The numbers of the rows, out of those given, that the filters match. */
	async function matched(rows: TicketPart[], filters: unknown): Promise<number[]> {
		sandbox.control.reset();
		sandbox.control.insertTickets(rows);
		const sort = [{ field: 'ticketNumber', direction: 'asc' }];
		const { json } = await sandbox.search({ filters, sort });
		return (json.data ?? []).map((row) => Number(row['ticketNumber']));
	}

	const titles = (...texts: string[]) => texts.map((title) => ({ title }));

	it('reads % and _ as wildcards and a backslash as their escape', async () => {
		const rows = titles('100% sure', '100 sure', 'a_b', 'axb', 'C:\\temp', 'A_B', 'a.b\nc');
		assert.deepEqual(await matched(rows, { title: { like: '100%sure' } }), [1, 2]);
		assert.deepEqual(await matched(rows, { title: { like: '100\\%%' } }), [1]);
		assert.deepEqual(await matched(rows, { title: { like: 'a_b' } }), [3, 4]);
		assert.deepEqual(await matched(rows, { title: { like: 'a\\_b' } }), [3]);
		assert.deepEqual(await matched(rows, { title: { iLike: 'a\\_b' } }), [3, 6]);
		assert.deepEqual(await matched(rows, { title: { like: '%\\\\temp' } }), [5]);
		assert.deepEqual(await matched(rows, { title: { like: 'a.b%' } }), [7]);
		assert.deepEqual(await matched(rows, { title: { notLike: '%u%' } }), [3, 4, 5, 6, 7]);
		assert.deepEqual(await matched(rows, { source: { like: '%' } }), [1, 2, 3, 4, 5, 6, 7]);
	});

	it('treats null as SQL does', async () => {
		const rows = [{ description: null }, { description: '' }, { description: 'a' }];
		const cases: Array<[unknown, number[]]> = [
			[{ isNull: true }, [1]],
			[{ isNull: false }, [2, 3]],
			[{ isNotNull: true }, [2, 3]],
			[{ isNotNull: false }, [1]],
			[{ isEmpty: true }, [1, 2]],
			[{ isEmpty: false }, [3]],
			[{ isNotEmpty: true }, [3]],
			[{ isNotEmpty: false }, [1, 2]],
			[{ eq: '' }, [2]],
			[{ ne: 'a' }, [2]],
			[{ ne: ['a', 'b'] }, [2]],
			[{ notIn: [''] }, [3]],
			[{ in: ['', 'a'] }, [2, 3]],
			[{ in: [] }, []],
			[{ notLike: 'b' }, [2, 3]],
			[{}, [1, 2, 3]],
		];
		for (const [filter, expected] of cases) {
			const text = JSON.stringify(filter);
			assert.deepEqual(await matched(rows, { description: filter }), expected, text);
		}
	});

	it('compares timestamps as instants and counts days in UTC', async () => {
		const rows = [
			{ closedAt: '2025-06-15T00:00:00Z' },
			{ closedAt: '2025-06-15T01:30:00+02:00' },
			{ closedAt: '2025-06-15T23:59:59.999Z' },
			{ closedAt: null },
		];
		assert.deepEqual(await matched(rows, { closedAt: { eq: '2025-06-15T02:00:00+02:00' } }), [1]);
		assert.deepEqual(await matched(rows, { closedAt: { lt: '2025-06-15T00:00:00Z' } }), [2]);
		assert.deepEqual(await matched(rows, { closedAt: { gte: '2025-06-15T00:00Z' } }), [1, 3]);
		assert.deepEqual(await matched(rows, { closedAt: { isRelativeToToday: 0 } }), [1, 3]);
		assert.deepEqual(await matched(rows, { closedAt: { isRelativeToToday: -1 } }), [2]);
		const isBetween = '2025-06-14T23:30:00Z,2025-06-15T00:00:00Z';
		assert.deepEqual(await matched(rows, { closedAt: { isBetween } }), [1, 2]);
		assert.deepEqual(await matched(rows, { closedAt: { in: ['2025-06-14T20:00:00-04:00'] } }), [1]);
	});

	it('sorts nulls last ascending and first descending, by several rules', async () => {
		const rows = [{ summary: 'b' }, { summary: null }, { summary: 'a' }, { summary: 'b' }];
		sandbox.control.reset();
		sandbox.control.insertTickets(rows);
		const order = async (direction: string) => {
			const sort = [
				{ field: 'summary', direction },
				{ field: 'ticketNumber', direction: 'desc' },
			];
			const { json } = await sandbox.search({ sort, select: { ticketNumber: true } });
			return json.data?.map((row) => row['ticketNumber']);
		};
		assert.deepEqual(await order('asc'), [3, 4, 1, 2]);
		assert.deepEqual(await order('desc'), [2, 4, 1, 3]);
	});

	it('pages through every ticket once, 25 at a time unless asked otherwise', async () => {
		sandbox.control.reset();
		sandbox.control.seedTickets(103);
		const first = await sandbox.search({});
		assert.equal(first.json.data?.length, 25);
		assert.deepEqual(Object.keys(first.json.data?.[0] ?? {}), columns);
		const ids = new Set<unknown>();
		let offset = 0;
		for (let more = true; more; offset += 10) {
			const { json } = await sandbox.search({ pagination: { limit: 10, offset } });
			for (const row of json.data ?? []) ids.add(row['id']);
			more = json.metadata?.hasNextPage === true;
		}
		assert.equal(ids.size, 103);
		assert.equal(offset, 110);
		const exact = await sandbox.search({ pagination: { limit: 100, offset: 3 } });
		assert.equal(exact.json.metadata?.hasNextPage, false);
		assert.deepEqual((await sandbox.search({ pagination: { offset: 500 } })).json.data, []);
	});

	it('accepts the spelling it is set to', async () => {
		const formal = [{ sort: [{ field: 'id', direction: 'asc' }] }, { select: { id: true } }];
		const narrative = [{ sort: [{ column: 'id', direction: 'asc' }] }, { select: ['id'] }];
		const statuses = async (bodies: unknown[]) =>
			(await Promise.all(bodies.map(sandbox.search))).map(({ status }) => status);
		sandbox.control.setOptions({ spelling: 'formal' });
		assert.deepEqual(await statuses([...formal, ...narrative]), [200, 200, 400, 400]);
		sandbox.control.setOptions({ spelling: 'narrative' });
		assert.deepEqual(await statuses([...formal, ...narrative]), [400, 400, 200, 200]);
		const { json } = await sandbox.search({ select: ['title', 'isShared'] });
		assert.deepEqual(Object.keys(json.data?.[0] ?? {}), ['title', 'isShared']);
		sandbox.control.setOptions({ spelling: 'formal' });
		const none = await sandbox.search({ select: { id: false } });
		assert.deepEqual(none.json.data?.[0], {});
	});
});
