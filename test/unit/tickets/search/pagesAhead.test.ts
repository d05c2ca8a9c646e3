import { createAdaptiveConcurrency } from '../../../../src/core/adaptiveConcurrency';
import { unknownService } from '../../../../src/tickets/search/fetchPage';
import { createPagesAhead } from '../../../../src/tickets/search/pagesAhead';
import type { Script } from '../../../support/fakeRuntime';
import { reply } from '../../../support/fakeRuntime';
import { wiredReader } from '../../../support/pageReader';
import { page, pageOf, pagination, ticket, upTo } from '../../../support/tickets';

const serving =
	(count: number): Script =>
	({ body }) =>
		page(
			...pageOf(
				upTo(count).map((n) => ticket(n)),
				body,
			),
		);

type More = Parameters<typeof wiredReader>[1] & {
	readonly parallel?: number;
	readonly end?: number;
	readonly script?: Script;
};

/** Pages of ten tickets of a thousand, up to eight at once. */
function world({ parallel = 8, end = Infinity, script = serving(1_000), ...more }: More = {}) {
	const { reader, sent } = wiredReader(script, {
		concurrency: createAdaptiveConcurrency({ start: parallel, max: parallel }),
		pageSize: 10,
		latency: 10,
		...more,
	});
	const ahead = createPagesAhead(
		{ filters: {}, sort: [{ column: 'ticketNumber', direction: 'asc' }], select: [] },
		reader,
		end,
	);
	let told = 0;
	return {
		...ahead,
		reader,
		/** Takes a page, and says which one it is and for which others it asked. */
		take: async (position: number, offset: number, size = 10) => {
			const taken = await ahead.take(position, { offset, size });
			const asked = sent.slice(told).map(({ body }) => pagination(body));
			told = sent.length;
			return { ...taken, asked, offsets: asked.map((one) => one.offset) };
		},
	};
}

describe('pages that follow', () => {
	it('are asked for the more the longer it goes well, and taken from those', async () => {
		const { take } = world();
		const offsets = [];
		for (const position of [0, 10, 19, 28, 37, 46]) {
			const taken = await take(position, Math.max(0, position - 1));
			offsets.push(taken.offsets);
			expect(taken).toMatchObject({ offset: Math.max(0, position - 1), size: 10 });
			expect(taken.page).toMatchObject({
				ok: true,
				value: { data: expect.arrayContaining([ticket(taken.offset + 1)]) },
			});
		}
		expect(offsets).toEqual([[0], [9, 18, 27], [36, 45, 54], [63, 72, 81], [90, 99], [108]]);
	});

	it.each([
		[1, [9]],
		[2, [9, 18]],
		[3, [9, 18, 27]],
	])('are no more than may be in progress: %s', async (parallel, offsets) => {
		const { take } = world({ parallel });
		await take(0, 0);
		expect((await take(10, 9)).offsets).toEqual(offsets);
	});

	it('are not asked for where a page begins behind all that is known', async () => {
		const { take } = world();
		expect((await take(5, 5)).offsets).toEqual([5]);
		expect((await take(5, 5)).offsets).toEqual([5]);
		expect((await take(6, 5)).offsets).toEqual([5, 14, 23, 32, 41]);
	});

	it('come one after another again after one that did not fit', async () => {
		const { take, slowDown } = world({ parallel: 3 });
		await take(0, 0);
		await take(10, 9);
		slowDown();
		expect((await take(100, 99)).offsets).toEqual([99]);
		expect((await take(109, 108)).offsets).toEqual([108, 117, 126]);
	});

	it('overlap by as much as the page that was asked for', async () => {
		const wide = world();
		await wide.take(0, 0);
		expect((await wide.take(10, 7)).asked).toEqual([
			{ limit: 10, offset: 7 },
			{ limit: 10, offset: 14 },
			{ limit: 10, offset: 21 },
		]);
		const small = world({ pageSize: 2 });
		await small.take(0, 0, 2);
		await small.take(2, 1, 4);
		expect((await small.take(50, 47, 4)).asked).toEqual([
			{ limit: 4, offset: 47 },
			{ limit: 4, offset: 48 },
			{ limit: 4, offset: 49 },
			{ limit: 4, offset: 50 },
			{ limit: 4, offset: 51 },
		]);
	});

	it('have a hundred rows at most', async () => {
		const { take } = world({ pageSize: 150 });
		await take(0, 0, 100);
		const { asked } = await take(100, 99, 100);
		expect(asked.map(({ limit }) => limit)).toEqual([100, 100, 100]);
	});

	it('are as far apart as the service cuts them', async () => {
		const cut =
			(rows: number): Script =>
			({ body }) => {
				const { offset } = pagination(body);
				return page(
					upTo(rows).map((n) => ticket(offset + n)),
					true,
				);
			};
		const four = world({ script: cut(4) });
		await four.take(0, 0);
		expect((await four.take(4, 3)).offsets).toEqual([3, 6, 9]);
		const one = world({ script: cut(1) });
		await one.take(0, 0);
		expect((await one.take(1, 0)).offsets).toEqual([0]);
	});

	it.each([
		[
			27,
			[
				[9, 10],
				[18, 9],
			],
		],
		[
			28,
			[
				[9, 10],
				[18, 10],
			],
		],
		[
			29,
			[
				[9, 10],
				[18, 10],
				[27, 2],
			],
		],
		[19, [[9, 10]]],
		[
			20,
			[
				[9, 10],
				[18, 2],
			],
		],
	])('go no further than to row %s where that is the end', async (end, pages) => {
		const { take } = world({ end });
		await take(0, 0);
		const { asked } = await take(10, 9);
		expect(asked.map(({ offset, limit }) => [offset, limit])).toEqual(pages);
	});

	it('are not asked for once the last one came, or one failed', async () => {
		const failing: Script = (sent, number) =>
			pagination(sent.body).offset === 27 ? reply(403) : serving(1_000)(sent, number);
		for (const script of [serving(30), failing]) {
			const { take } = world({ script, latency: (number) => (number > 2 ? 5 : 10) });
			await take(0, 0);
			expect((await take(10, 9)).offsets).toEqual([9, 18, 27]);
			expect((await take(19, 18)).offsets).toEqual([]);
			const last = await take(28, 27);
			expect(last.offsets).toEqual([]);
			expect(last.page.ok).toBe(script !== failing);
			expect((await take(37, 36)).offsets).toEqual([36]);
		}
	});
});

describe('a page that is taken', () => {
	it('holds the row before its position, or is asked for', async () => {
		const inside = world({ parallel: 2 });
		await inside.take(0, 0);
		await inside.take(10, 9);
		expect(await inside.take(27, 26)).toMatchObject({ offset: 18, offsets: [27] });
		const behind = world({ parallel: 2 });
		await behind.take(0, 0);
		await behind.take(10, 9);
		expect(await behind.take(28, 27)).toMatchObject({ offset: 27, offsets: [27, 36] });
		const before = world({ parallel: 2 });
		await before.take(0, 0);
		await before.take(10, 9);
		expect(await before.take(18, 17)).toMatchObject({ offset: 17, offsets: [17] });
	});

	it('is the one that leads on the furthest, and others follow behind it', async () => {
		const { take } = world({ parallel: 3 });
		await take(0, 0);
		expect((await take(10, 5)).offsets).toEqual([5, 10, 15]);
		expect(await take(17, 12)).toMatchObject({ offset: 15, offsets: [20] });
		expect(await take(22, 17)).toMatchObject({ offset: 20, offsets: [25, 30] });
	});

	it('is not taken twice', async () => {
		const { take } = world({ parallel: 2 });
		await take(0, 0);
		await take(10, 9);
		expect(await take(19, 18)).toMatchObject({ offset: 18, offsets: [27] });
		expect(await take(19, 18)).toMatchObject({ offset: 18, offsets: [18] });
	});
});

it('waits at its end for all that was asked for', async () => {
	let came = 0;
	const known = { ...unknownService(), onPage: () => void (came += 1) };
	const { take, close } = world({ known, latency: (number) => (number > 2 ? 500 : 10) });
	await take(0, 0);
	await take(10, 9);
	expect(came).toBe(2);
	await close();
	expect(came).toBe(4);
	await close();
});
