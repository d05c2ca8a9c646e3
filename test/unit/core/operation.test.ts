import { z } from 'zod/v4';
import { allRows } from '../../../src/core/operation';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';

const schema = z.object({ id: z.string({ error: 'must be text' }) });

const settings = z.object({ fast: z.boolean({ error: 'must be true or false' }).default(true) });

describe('the rows of an operation', () => {
	it('all say what is wrong with the settings of the run', async () => {
		let isReached = false;
		const work = async () => {
			isReached = true;
			return await Promise.resolve({ results: [] });
		};
		const run = allRows({ settings, row: schema, work });
		const rows = [{ parameters: { id: 'a' } }, { parameters: { id: 'b' } }];
		const context = fakeRuntime(inTurn(reply(200))).context();
		const failure = {
			kind: 'input',
			problems: [{ path: ['fast'], reason: 'must be true or false' }],
		};
		expect(await run({ settings: { parameters: { fast: 'x' } }, rows }, context)).toEqual({
			rows: [
				{ items: [], failure },
				{ items: [], failure },
			],
		});
		expect(isReached).toBe(false);
	});

	it('are checked, and keep their order, their positions and their own failures', async () => {
		const seen: unknown[] = [];
		const run = allRows({
			settings,
			row: schema,
			work: async (inputs) => {
				seen.push(...inputs.map(({ input, position }) => [input.id, position]));
				await Promise.resolve();
				return { results: inputs.map(({ input }) => ({ items: [input] })) };
			},
		});
		const result = await run(
			{
				settings: { parameters: {} },
				rows: [
					{ parameters: { id: 'a' } },
					{ parameters: { id: 5 } },
					{ problems: [{ path: ['id'], reason: 'could not be read' }] },
					{ parameters: { id: 'b' } },
				],
			},
			fakeRuntime(inTurn(reply(200))).context(),
		);
		expect(seen).toEqual([
			['a', 0],
			['b', 3],
		]);
		expect(result.rows).toEqual([
			{ items: [{ id: 'a' }] },
			{
				items: [],
				failure: { kind: 'input', problems: [{ path: ['id'], reason: 'must be text' }] },
			},
			{
				items: [],
				failure: { kind: 'input', problems: [{ path: ['id'], reason: 'could not be read' }] },
			},
			{ items: [{ id: 'b' }] },
		]);
	});

	it('say each warning and note once, warnings first, six at most, and the whole last', async () => {
		const told = async (note: string | undefined, ...ids: string[]) => {
			const run = allRows({
				settings,
				row: schema,
				work: async (inputs) => ({
					results: inputs.map(({ input: { id } }) => ({
						items: [],
						...(id.startsWith('w') ? { warning: id } : { note: id }),
					})),
					...(note !== undefined && { note }),
				}),
			});
			return await run(
				{ settings: { parameters: {} }, rows: ids.map((id) => ({ parameters: { id } })) },
				fakeRuntime(inTurn(reply(200))).context(),
			);
		};
		expect((await told(undefined, 'n1', 'w1', 'n1')).summary).toBe('w1. n1');
		expect((await told('all', 'n1', 'w2')).summary).toBe('w2. n1. all');
		const ids = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n7'];
		expect((await told('all', ...ids)).summary).toBe('n1. n2. n3. n4. n5. n6. And 2 more. all');
		expect(await told(undefined)).toStrictEqual({ rows: [] });
	});
});
