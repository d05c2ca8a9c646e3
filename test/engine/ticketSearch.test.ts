import { retries, search } from '../support/panel';
import { runNode } from '../support/runNode';
import { forget, serve } from '../support/service';
import { scriptedPage } from '../support/tickets';

afterEach(forget);

it('takes filters as JSON text and as an object', async () => {
	const received = serve(() => scriptedPage([]));
	const filters = { ticketNumber: { gte: 7 } };
	await runNode({
		parameters: { ...search, filterMode: 'json', filtersJson: JSON.stringify(filters) },
	});
	await runNode({
		rows: [{ filters }],
		parameters: { ...search, filterMode: 'json', filtersJson: '={{ $json.filters }}' },
	});
	expect(received.map(({ body }) => body)).toMatchObject([{ filters }, { filters }]);
});

it.each<[object, string]>([
	[{ success: false, error: 'database down', data: [] }, 'database down'],
	[{ error: { message: 'database down' }, data: [] }, 'database down'],
	[{ success: false, data: [] }, 'success'],
	[{ error: 'shard 2 timed out', data: [{ id: 'a' }] }, 'shard 2 timed out'],
	[{ success: false, data: [{ id: 'a' }] }, 'success'],
])(
	'takes %j with a 200 for an error in the words of the service, not for no tickets or all of them',
	async (body, words) => {
		serve(() => ({ status: 200, body: { metadata: { hasNextPage: false }, ...body } }));
		const { error } = await runNode({ parameters: search });
		expect(error?.message).toContain(words);
	},
);

it('puts a ticket with an `error` column under a key, so n8n does not take it for a failure', async () => {
	const received = serve(() => scriptedPage([{ ticketNumber: 1, error: 'text' }]));
	const { main } = await runNode({
		parameters: search,
		settings: retries,
	});
	expect(main.map(({ json }) => json)).toEqual([{ response: { ticketNumber: 1, error: 'text' } }]);
	expect(received).toHaveLength(1);
});
