import { z } from 'zod/v4';
import type { Row } from '../../../src/core/operation';
import { workOnAllRows } from '../../../src/core/operation';
import { fakeRuntime, inTurn, reply } from '../../support/fakeRuntime';

/** Runs an operation whose rows note their IDs, and which notes all of them at the end. */
async function run(...rows: readonly Row[]) {
	const operation = workOnAllRows({
		settings: z.object({}),
		row: z.object({ id: z.string({ error: 'must be text' }) }),
		work: async (inputs) => ({
			results: inputs.map(({ input: { id }, position }) => ({
				items: [{ id, position }],
				note: id,
			})),
			note: 'all',
		}),
	});
	const { context } = fakeRuntime(inTurn(reply(200)));
	return await operation({ settings: { parameters: {} }, rows, count: rows.length }, context());
}

const rowsOf = (...ids: unknown[]) => ids.map((id) => ({ parameters: { id } }));

it('rows are checked, and keep their order, their positions and their own failures', async () => {
	const unread = { path: ['id'], reason: 'could not be read' };
	const { rows } = await run(...rowsOf('a', 5), { problems: [unread] }, ...rowsOf('b'));
	expect(rows).toMatchObject([
		{ items: [{ id: 'a', position: 0 }] },
		{ items: [], failure: { problems: [{ path: ['id'], reason: 'must be text' }] } },
		{ items: [], failure: { problems: [unread] } },
		{ items: [{ id: 'b', position: 3 }] },
	]);
});

it('rows report each note once with its rows, six at most, and the whole last', async () => {
	const summarize = async (...ids: string[]) => (await run(...rowsOf(...ids))).summary;
	expect(await summarize('n1')).toBe('n1. all');
	expect(await summarize('n1', 'n2', 'n1')).toBe('Rows 1 and 3: n1. Row 2: n2. all');
	const ids = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n7'];
	expect(await summarize(...ids)).toMatch(/^Row 1: n1\. .+ Row 6: n6\. And 2 more\. all$/);
});
