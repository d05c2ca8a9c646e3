import type { Setup } from '../support/runNode';
import { runNode } from '../support/runNode';
import { uuidOf } from '../support/samples';
import { useSandbox } from '../support/sandbox.mts';

const sandboxOf = useSandbox();

beforeAll(async () => {
	await sandboxOf().fill([
		...Array.from({ length: 40 }, (_, i) => ({
			id: uuidOf(i + 1),
			ticketNumber: i + 1,
			title: `Ticket ${i + 1}`,
		})),
		{ id: uuidOf(101), ticketNumber: 500, title: 'One of two' },
		{ id: uuidOf(102), ticketNumber: 500, title: 'Two of two' },
	]);
}, 20_000);

beforeEach(async () => await sandboxOf().forget());

const byRow = {
	resource: 'ticket',
	operation: 'get',
	output: 'raw',
	ticketId: '={{ $json.ticketId }}',
};

const getAll = async (ticketIds: readonly unknown[], more: Partial<Setup> = {}) =>
	await runNode({
		rows: ticketIds.map((ticketId) => ({ ticketId: ticketId as string })),
		parameters: byRow,
		credential: sandboxOf().credential,
		...more,
	});

const NEITHER =
	'is neither a ticket number, e.g. 1042, nor a ticket ID, e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

it('keeps the order and the pairing of many rows that are read together', async () => {
	const numbers = Array.from({ length: 40 }, (_, i) => 40 - i);
	const { main, error } = await getAll(numbers);
	expect(error).toBeUndefined();
	expect(main.map(({ json }) => json['ticketNumber'])).toEqual(numbers);
	expect(main.map(({ pairedItem }) => pairedItem)).toEqual(numbers.map((_, item) => ({ item })));
	expect((await sandboxOf().counts()).total).toBe(1);
});

const mixed = [1, 77, 'x', 500, uuidOf(2)];

it('gives one error item for each row that failed when it continues on errors', async () => {
	const { main, errors, error } = await getAll(mixed, {
		settings: { onError: 'continueErrorOutput' },
	});
	expect(error).toBeUndefined();
	expect(main.map(({ json, pairedItem }) => [json['title'], pairedItem])).toEqual([
		['Ticket 1', { item: 0 }],
		['Ticket 2', { item: 4 }],
	]);
	expect(errors.map(({ json }) => json)).toMatchObject([
		{ ticketId: 77, error: expect.stringMatching(/^Row 2: There is no ticket with the number 77/) },
		{ ticketId: 'x', error: expect.stringMatching(/^Row 3: 'Ticket Number or ID' "x" is neither/) },
		{ ticketId: 500, error: expect.stringMatching(/^Row 4: There is more than one ticket/) },
	]);
});

it('names every row that failed in one error otherwise', async () => {
	const { main, error } = await getAll(mixed);
	expect(main).toEqual([]);
	expect(error?.message).toBe(
		'3 of 5 rows failed. Row 2: There is no ticket with the number 77, or the credential may not see it',
	);
	expect(error?.description?.split('<br>')).toEqual([
		'Check it, and that the credential is for the same workspace',
		`Row 3: &#39;Ticket Number or ID&#39; &quot;x&quot; ${NEITHER}`,
		'Row 4: There is more than one ticket with the number 500. Enter the ID of the ticket instead of its number',
	]);
});

it('says in one sentence what is wrong with many values, and names their rows behind it', async () => {
	const { error } = await getAll(['x', 'y', 'z', 1]);
	expect(error?.message).toBe(`3 rows: 'Ticket Number or ID' ${NEITHER} (rows 1 to 3)`);
});
