import { search } from '../../../../src/tickets/search/search';
import { fakeRuntime, reply } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { page } from '../../../support/tickets';

it('says first that conditions were skipped, whichever input row it was', async () => {
	const runtime = fakeRuntime(() => page([]));
	const row = (value: string) => ({
		parameters: {
			filters: { conditions: [{ column: 'title', operator: 'eq', value }] },
			options: { emptyValue: 'skip' },
		},
	});
	const { summary } = await runRows(search, [row('x'), row('y'), row('')], runtime.context());
	expect(summary).toMatch(
		/^1 empty condition skipped\. No conditions: every ticket matches\. 3 rows/,
	);
});

it('learns the spelling of the service once for all input rows', async () => {
	const runtime = fakeRuntime(({ body }) =>
		JSON.stringify(body).includes('"field"')
			? reply(400, { message: 'sort is invalid' })
			: page([]),
	);
	const row = (limit: number) => ({
		parameters: { limit, sort: { rules: [{ column: 'title', direction: 'asc' }] } },
	});
	await runRows(search, [row(1), row(2), row(3)], runtime.context());
	expect(runtime.sent).toHaveLength(4);
});
