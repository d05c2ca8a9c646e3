import { runNode } from '../support/runNode';
import { forget, serve } from '../support/service';

const batch = { resource: 'customer', operation: 'createBatch' };
const mapped = (value: Record<string, string>) => ({
	mappingMode: 'defineBelow',
	value,
	schema: [],
	matchingColumns: [],
	attemptToConvertTypes: false,
	convertFieldsToString: false,
});
const contact = mapped({ identifier: '={{ $json.id }}', phoneNumber: '={{ $json.phone }}' });
const rows = [
	{ id: 1, phone: '+1 (415) 555-0178' },
	{ id: 2, phone: '1.4155E+10' },
	{ id: 3, phone: "'0014155550179" },
];
const accepted = { status: 200, body: { jobId: 'job-1' } };

afterEach(forget);

it('sends the valid rows in one request, repaired, and gives each its job', async () => {
	const received = serve(() => accepted);
	const { main, errors, hints } = await runNode({
		rows,
		parameters: { ...batch, customer: contact, strategy: 'upsert' },
		settings: { onError: 'continueErrorOutput' },
	});
	expect(received.map(({ path, body }) => ({ path, body }))).toEqual([
		{
			path: '/api/v2/customers/batch',
			body: {
				customers: [
					{ source: { method: 'api' }, identifier: '1', phoneNumber: '+14155550178' },
					{ source: { method: 'api' }, identifier: '3', phoneNumber: '+14155550179' },
				],
				strategy: 'upsert',
			},
		},
	]);
	expect(received[0]?.headers['authorization']).toBe('Bearer token-0123456789');
	expect(main).toMatchObject([
		{
			json: { outcome: 'accepted', jobId: 'job-1', batch: 1, customer: { identifier: '1' } },
			pairedItem: { item: 0 },
		},
		{
			json: { outcome: 'accepted', jobId: 'job-1', batch: 1, customer: { identifier: '3' } },
			pairedItem: { item: 2 },
		},
	]);
	expect(errors).toHaveLength(1);
	expect(errors[0]?.json).toMatchObject({
		error: expect.stringContaining(
			"Row 2: 'Customer > Phone Number' '1.4155E+10' was rounded by the spreadsheet",
		),
		details: { outcome: 'rejected', row: 2 },
	});
	expect(hints).toEqual(['3 rows, 1 request: 2 accepted, 1 rejected before sending']);
});

it('stops before sending when asked to, and says so for every row', async () => {
	const received = serve(() => accepted);
	const { error } = await runNode({
		rows,
		parameters: { ...batch, customer: contact, options: { invalidRows: 'stop' } },
	});
	expect(received).toEqual([]);
	expect(error?.message).toBe('3 rows, 0 requests: 1 rejected before sending, 2 not sent');
	expect(error?.description).toContain('Row 2:');
});

it('maps the columns of the input row by itself, and leaves foreign ones out', async () => {
	const received = serve(() => accepted);
	await runNode({
		rows: [{ identifier: 'C-1', name: 'Ana', city: 'Lagos', email: '' }],
		parameters: {
			...batch,
			customer: { ...mapped({}), mappingMode: 'autoMapInputData', value: null },
		},
	});
	expect(received[0]?.body).toMatchObject({
		customers: [{ source: { method: 'api' }, identifier: 'C-1', name: 'Ana' }],
		strategy: 'insert',
		partial: false,
	});
	expect(JSON.stringify(received[0]?.body)).not.toContain('Lagos');
});

it('takes many customers from one row of JSON and pairs all of them to it', async () => {
	const received = serve(() => accepted);
	const { main } = await runNode({
		parameters: {
			...batch,
			inputMode: 'json',
			customersJson: JSON.stringify([
				{ identifier: 'a' },
				{ identifier: 'b' },
				{ identifier: 'c' },
			]),
			options: { batchSize: 2, parallelRequests: 1 },
		},
	});
	expect(received.map(({ body }) => body)).toMatchObject([
		{ customers: [{ identifier: 'a' }, { identifier: 'b' }] },
		{ customers: [{ identifier: 'c' }] },
	]);
	expect(main.map(({ json, pairedItem }) => [json['batch'], pairedItem])).toEqual([
		[1, { item: 0 }],
		[1, { item: 0 }],
		[2, { item: 0 }],
	]);
});

it('never sends an insert again after a lost reply, but an upsert', async () => {
	const lost = serve(() => ({ broken: 'ECONNRESET' }));
	const insert = await runNode({
		parameters: { ...batch, customer: mapped({ identifier: 'a' }) },
		settings: { onError: 'continueRegularOutput' },
	});
	expect(lost).toHaveLength(1);
	expect(insert.main.map(({ json }) => json)).toMatchObject([
		{ details: { outcome: 'unknown', code: 'ECONNRESET' } },
	]);
	forget();
	const found = serve((_, number) => (number === 1 ? { broken: 'ECONNRESET' } : accepted));
	const upsert = await runNode({
		parameters: { ...batch, customer: mapped({ identifier: 'a' }), strategy: 'upsert' },
	});
	expect(found).toHaveLength(2);
	expect(upsert.main.map(({ json }) => json)).toMatchObject([{ outcome: 'accepted' }]);
});
