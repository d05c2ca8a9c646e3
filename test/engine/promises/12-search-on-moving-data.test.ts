import type { INodeParameters } from 'n8n-workflow';
import type { Setup } from '../../support/runNode';
import { runNode, start } from '../../support/runNode';
import type { FaultInput as Rule } from '../../../sandbox/faults.mts';
import type { Row } from '../../support/sandbox.mts';
import { sizeOf } from '../../support/propertyRuns.mjs';
import { useSandbox } from '../../support/sandbox.mts';

const sandboxOf = useSandbox();

const setup = (parameters: INodeParameters): Setup => ({
	parameters: {
		resource: 'ticket',
		operation: 'search',
		output: 'raw',
		returnAll: true,
		...parameters,
	},
	credential: sandboxOf().credential,
});

/** Runs Return All in the engine, with columns that identify tickets. */
async function readAll(parameters: INodeParameters = {}) {
	const { main, error, hints } = await runNode(
		setup({
			output: 'selected',
			columns: ['id', 'ticketNumber', 'title'],
			...parameters,
		}),
	);
	return {
		rows: main.map(({ json }) => json as unknown as Row),
		error,
		hint: hints[0] ?? '',
		requests: (await sandboxOf().counts()).requests.searchTickets,
	};
}

const MATCHES = 'urgent';
const conditions = [{ column: 'priority', operator: 'eq', priorityValue: MATCHES }];

/** How many requests change something. */
const CHANGING = 700;

/** The n-th slice of a list that is dealt out in a mixed order, so changes fall everywhere. */
const dealt = (ids: readonly string[], n: number, size: number): string[] =>
	Array.from({ length: size }, (_, i) => ids[((n * size + i) * 7919) % ids.length] ?? '');

/**
 * Spreads changes over the requests: moving tickets are deleted, leave the filter or enter it. Staying tickets change only
 * in columns that the search does not use. New tickets are created at the end and in between.
 */
function movements(moving: readonly string[], staying: readonly string[]): Rule[] {
	return Array.from({ length: CHANGING }, (_, n): Rule[] => {
		const when = { operation: 'searchTickets', from: n + 1, to: n + 1 } as const;
		const updatedAt = `2026-05-01T00:00:00.${String(n % 1000).padStart(3, '0')}Z`;
		return [
			{
				kind: 'mutate',
				...when,
				create: { count: 2, template: { priority: MATCHES } },
				delete: { ids: dealt(moving, n, 3) },
				change: { ids: dealt(moving, n + 31, 2), set: { priority: 'low' } },
			},
			{
				kind: 'mutate',
				...when,
				create: { template: { priority: MATCHES, ticketNumber: n * 40 + 3 } },
				change: { ids: dealt(moving, n + 62, 2), set: { priority: MATCHES } },
			},
			{
				kind: 'mutate',
				...when,
				change: { ids: dealt(staying, n, 3), set: { summary: `${n}`, updatedAt } },
			},
		];
	}).flat();
}

interface Split {
	readonly moving: string[];
	readonly staying: string[];
	/** IDs of the tickets that match the filter and that no one touches in a way that counts. */
	readonly stable: Set<string>;
}

/** Splits all tickets into one third that moves and the rest that stays. */
async function split(): Promise<Split> {
	const rows = await sandboxOf().all({ priority: true });
	const moving = rows.filter((_, i) => i % 3 === 0).map(({ id }) => id);
	const stay = rows.filter((_, i) => i % 3 !== 0);
	const stable = stay.filter(({ priority }) => priority === MATCHES).map(({ id }) => id);
	return { moving, staying: stay.map(({ id }) => id), stable: new Set(stable) };
}

/** Every ticket that matched from start to end is there once, and no ticket twice. */
function expectComplete(rows: readonly Row[], { stable }: Split): void {
	const ids = new Set(rows.map(({ id }) => id));
	expect(rows.length - ids.size).toBe(0);
	expect([...stable].filter((id) => !ids.has(id))).toEqual([]);
}

/** 20,000 tickets in `npm test`, and all in `npm run test:worlds`. */
const COUNT = sizeOf(100_000);

/** Compares in the order of Return All: without a sort, the newest tickets are first. */
const orders = {
	newest: (a: Row, b: Row) => b.ticketNumber - a.ticketNumber,
	title: (a: Row, b: Row) =>
		new Intl.Collator('en').compare(String(a['title']), String(b['title'])) ||
		a.ticketNumber - b.ticketNumber,
};

describe('tens of thousands of tickets', () => {
	beforeEach(async () => await sandboxOf().invent(COUNT), 60_000);

	it('are not read on after a stop', async () => {
		await sandboxOf().forget();
		await sandboxOf().fault({ kind: 'latency', ms: 5 });
		const { done, cancel } = start(setup({ options: { parallelRequests: 6 } }));
		await sandboxOf().untilSearches(60);
		const { total } = await sandboxOf().counts();
		cancel();
		await done;
		// An aborted request may still arrive, so these follow it.
		for (let i = 0; i < 10; i++) await sandboxOf().search({});
		const after = (await sandboxOf().counts()).total;
		expect(after).toBeLessThan(COUNT / 100);
		// Only the requests in progress at the stop may arrive.
		expect(after - total).toBeLessThanOrEqual(6 * 4 + 10);
		for (let i = 0; i < 40; i++) await sandboxOf().search({});
		expect((await sandboxOf().counts()).total).toBe(after + 40);
	}, 60_000);

	it.each([
		['newest', []],
		['title', [{ column: 'title', direction: 'asc' }]],
	] as const)(
		'are all read once while they come, go and change before every request, by %s',
		async (order, rules) => {
			const parts = await split();
			await sandboxOf().forget();
			await sandboxOf().fault(
				...movements(parts.moving, parts.staying),
				{ kind: 'status', status: 429, retryAfter: 0.05, every: 61 },
				{ kind: 'status', status: 429, retryAfter: 1, from: 20, to: 20 },
				{ kind: 'status', status: 503, from: 40, to: 40 },
				{ kind: 'resetAfter', from: 60, to: 60 },
			);
			const { rows, error, requests } = await readAll({
				filters: { conditions },
				sort: { rules: [...rules] },
			});
			expect(error).toBeUndefined();
			expectComplete(rows, parts);
			expect(rows).toEqual(rows.toSorted(orders[order]));
			expect(parts.stable.size).toBeGreaterThan(COUNT / 7);
			expect(requests).toBeLessThanOrEqual(CHANGING);
			const faults = (await sandboxOf().received()).map(({ status }) => status);
			expect(faults).toEqual(expect.arrayContaining([200, 429, 503]));
		},
		120_000,
	);
});

describe('few tickets among a million numbers', () => {
	const spread = (count: number) =>
		Array.from({ length: count }, (_, i) => ({
			ticketNumber: 1 + Math.floor((i * 1_000_000) / count) + ((i * 37) % 19),
			title: `needle ${i}`,
		}));

	/** Many tickets at the low end, which mislead a search that guesses from density. */
	const hay = Array.from({ length: 4000 }, (_, i) => ({ ticketNumber: i + 1, title: 'hay' }));

	it.each([
		[50, 100, 6],
		[150, 100, 6],
		[50, 10, 8],
		[1000, 100, 18],
	])('%i of them, %i a page, take at most %i requests', async (count, pageSize, max) => {
		await sandboxOf().fill([...spread(count), ...hay]);
		const { rows, requests } = await readAll({
			filters: { conditions: [{ column: 'title', operator: 'startsWith', value: 'needle' }] },
			options: { pageSize },
		});
		expect(rows.map(({ ticketNumber }) => ticketNumber)).toEqual(
			spread(count)
				.map(({ ticketNumber }) => ticketNumber)
				.sort((a, b) => b - a),
		);
		expect(requests).toBeLessThanOrEqual(max);
	});
});
