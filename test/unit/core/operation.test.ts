import { z } from 'zod/v4';
import { eachRow, parseRow, problemsOf } from '../../../src/core/operation';
import { fakeWorld, inTurn, reply } from '../../support/fakeWorld';

const schema = z.object({ id: z.string({ error: 'must be text' }) });

describe('the rows of an operation', () => {
	it('are checked, and keep their order and their own failures', async () => {
		const seen: string[] = [];
		const run = eachRow(schema, 2, () => async ({ id }) => {
			seen.push(id);
			await Promise.resolve();
			return { items: [{ id }] };
		});
		const result = await run(
			[
				{ parameters: { id: 'a' } },
				{ parameters: { id: 5 } },
				{ problems: [{ path: ['id'], message: 'could not be read' }] },
				{ parameters: { id: 'b' } },
			],
			fakeWorld(inTurn(reply(200))).desk(),
		);
		expect(seen).toEqual(['a', 'b']);
		expect(result.rows).toEqual([
			{ items: [{ id: 'a' }] },
			{
				items: [],
				failure: { kind: 'input', problems: [{ path: ['id'], message: 'must be text' }] },
			},
			{
				items: [],
				failure: { kind: 'input', problems: [{ path: ['id'], message: 'could not be read' }] },
			},
			{ items: [{ id: 'b' }] },
		]);
	});

	it('say each warning and note once, warnings first and three of each at most', async () => {
		const run = eachRow(schema, 1, () => async ({ id }) => ({
			items: [],
			...(id.startsWith('w') ? { warning: id } : { note: id }),
		}));
		const told = async (...ids: string[]) =>
			await run(
				ids.map((id) => ({ parameters: { id } })),
				fakeWorld(inTurn(reply(200))).desk(),
			);
		expect((await told('n1', 'w1', 'n1')).summary).toBe('w1; n1');
		expect((await told('n1', 'n2', 'n3')).summary).toBe('n1; n2; n3');
		expect((await told('n1', 'n2', 'n3', 'n4', 'n5', 'n4')).summary).toBe('n1; n2; n3; and 2 more');
		expect(await told()).toStrictEqual({ rows: [] });
	});

	it('are read by their schema', () => {
		expect(parseRow(schema, { parameters: { id: 'a' } })).toEqual({ input: { id: 'a' } });
		expect(parseRow(schema, { parameters: undefined })).toHaveProperty('problems');
	});

	it('name the place of a problem below the checked value', () => {
		const list = z.array(schema).safeParse([{ id: 'a' }, { id: 1 }]);
		expect(list.error && problemsOf(list.error, ['filters', 3])).toEqual([
			{ path: ['filters', 3, 1, 'id'], message: 'must be text' },
		]);
	});
});
