import { mapColumns } from '../../../src/customers/mapColumns';

it('the columns of many rows are read with pauses, until a stop', async () => {
	const rows = Array.from({ length: 1000 }, (_, n) => ({ identifier: `C-${n}`, name: 'Ana' }));
	const user = new AbortController();
	let nowMs = 0;
	let pauses = 0;
	const host = {
		now: () => (nowMs += 1),
		sleep: async () => {
			pauses += 1;
		},
		signal: user.signal,
	};
	const read = async () => await mapColumns(rows, { choices: [], markColumn: undefined }, host);
	await read();
	// Twice 1,000 rows of 1 ms, and a pause after 50 ms.
	expect(pauses).toBeGreaterThan(30);
	user.abort();
	nowMs = 0;
	await read();
	expect(nowMs).toBeLessThan(5);
});
