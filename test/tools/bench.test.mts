import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chart } from '../../tools/bench/chart.mts';
import { judge, page } from '../../tools/bench/report.mts';
import { median, playRounds, ratioOf } from '../../tools/bench/rounds.mts';
import { ticketService } from '../../tools/bench/ticketPages.mts';

describe('the benchmark', () => {
	test('lets contenders take turns, and changes who is first', async () => {
		const turns: string[] = [];
		const contender = (name: string) => ({
			name,
			run: async () => ({ ms: turns.push(name) }),
		});
		const rounds = await playRounds([contender('a'), contender('b')], 3, () => undefined);
		assert.deepEqual(turns, ['a', 'b', 'b', 'a', 'a', 'b']);
		assert.deepEqual(rounds['a'], [{ ms: 1 }, { ms: 4 }, { ms: 5 }]);
	});

	test('takes the median of ratios within rounds, so a slow round counts no more than another', () => {
		const rounds = {
			a: [{ ms: 2 }, { ms: 300 }, { ms: 8 }],
			b: [{ ms: 1 }, { ms: 100 }, { ms: 2 }],
		};
		assert.equal(ratioOf(rounds, ['a', 'b']), 3);
		assert.equal(median([4, 1, 3, 2]), 2.5);
	});

	test('says of each bound whether it is kept', () => {
		const bound = (most: number) => ({ text: 'time', figure: () => 1.2, most, unit: 'x' });
		const scenario = { id: 'X', title: '', method: '', bounds: [bound(1.3), bound(1.1)] };
		assert.deepEqual(judge([{ scenario, rounds: {} }]), [
			'X time: 1.2 x, at most 1.3 x, kept',
			'X time: 1.2 x, at most 1.1 x, **missed**',
		]);
	});

	test('says which scenarios were not measured, and shows no chart of nothing', () => {
		const open = [{ id: 'S1', title: 'Search' }];
		const empty = page({ known: [], open, bars: [] }, 'Notes');
		assert.match(empty, /Not measured yet: S1 \(Search\)\./);
		assert.doesNotMatch(empty, /performance\.svg/);
		const full = page({ known: [], open: [], bars: [1] }, 'Notes');
		assert.doesNotMatch(full, /Not measured/);
		assert.match(full, /performance\.svg/);
	});

	test('draws bars as long as their figures', () => {
		const bars = [
			{ name: 'one', value: 1 },
			{ name: 'two & more', value: 2 },
		];
		const svg = chart([{ title: 'Bars', bars }]);
		const widths = [...svg.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) =>
			Number(width),
		);
		assert.equal((widths[1] ?? 0) / (widths[0] ?? 1), 2);
		assert.match(svg, /two &amp; more/);
	});

	test('serves pages of tickets by their numbers', () => {
		const ask = ticketService(250);
		const page = JSON.parse(
			ask({ filters: { ticketNumber: { gte: 101, lte: 250 } }, pagination: { limit: 100 } }),
		) as { data: Array<{ ticketNumber: number }>; metadata: { hasNextPage: boolean } };
		assert.equal(page.data.length, 100);
		assert.equal(page.data[0]?.ticketNumber, 101);
		assert.equal(page.metadata.hasNextPage, true);
	});
});
