import { z } from 'zod/v4';
import { workOnAllRows } from '../../../src/core/operation';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';

const schema = z.object({ id: z.string({ error: 'must be text' }) });

const settings = z.object({ fast: z.boolean({ error: 'must be true or false' }).default(true) });

describe('the rows of an operation', () => {
	it('are checked, and keep their order, their positions and their own failures', async () => {
		const seen: unknown[] = [];
		const run = workOnAllRows({
			settings,
			row: schema,
			work: async (inputs) => {
				seen.push(...inputs.map(({ input, position }) => [input.id, position]));
				await Promise.resolve();
				return { results: inputs.map(({ input }) => ({ items: [input] })) };
			},
		});
		const unread = { path: ['id'], reason: 'could not be read' };
		const rows = [
			{ parameters: { id: 'a' } },
			{ parameters: { id: 5 } },
			{ problems: [unread] },
			{ parameters: { id: 'b' } },
		];
		const { context } = fakeRuntime(inTurn(reply(200)));
		const result = await run({ settings: { parameters: {} }, rows, count: rows.length }, context());
		expect(seen).toEqual([
			['a', 0],
			['b', 3],
		]);
		expect(result.rows).toMatchObject([
			{ items: [{ id: 'a' }] },
			{ items: [], failure: { problems: [{ path: ['id'], reason: 'must be text' }] } },
			{ items: [], failure: { problems: [unread] } },
			{ items: [{ id: 'b' }] },
		]);
	});

	it('report each note once with its rows, six at most, and the whole last', async () => {
		const summarize = async (...ids: string[]) => {
			const run = workOnAllRows({
				settings,
				row: schema,
				work: async (inputs) => ({
					results: inputs.map(({ input: { id } }) => ({
						items: [],
						note: id,
					})),
					note: 'all',
				}),
			});
			const rows = ids.map((id) => ({ parameters: { id } }));
			const { context } = fakeRuntime(inTurn(reply(200)));
			return (await run({ settings: { parameters: {} }, rows, count: rows.length }, context()))
				.summary;
		};
		expect(await summarize('n1')).toBe('n1. all');
		expect(await summarize('n1', 'n2', 'n1')).toBe('Rows 1 and 3: n1. Row 2: n2. all');
		const ids = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n7'];
		expect(await summarize(...ids)).toMatch(/^Row 1: n1\. .+ Row 6: n6\. And 2 more\. all$/);
	});
});
