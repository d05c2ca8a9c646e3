import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';
import { getCustomerFields } from '../../nodes/ConversationDesk/lists';
import { createBatch, mapped, mappedAutomatically, upsertBatch } from '../support/panel';
import { runNode } from '../support/runNode';
import { listOf, members, phoneOf } from '../support/samples';
import { forget, serve } from '../support/service';

const accepted = { status: 200, body: { jobId: 'job-1' } };

afterEach(forget);

it('reads fields for each row, and settings once', async () => {
	const received = serve(() => accepted);
	await runNode({
		rows: [1, 2, 3].map((id) => ({ id, bare: true, size: '2' })),
		parameters: {
			...upsertBatch,
			customer: mapped({ identifier: '={{ $json.id }}', name: 'Same' }),
			options: {
				leaveOutSource: '={{ $json.bare }}',
				batching: { batch: { batchSize: '={{ $json.size }}' } },
			},
		},
	});
	const customer = (identifier: string) => ({ identifier, name: 'Same' });
	expect(received.map(({ body }) => body)).toEqual([
		{ strategy: 'upsert', customers: ['1', '2'].map(customer) },
		{ strategy: 'upsert', customers: [customer('3')] },
	]);
});

const fields = async () => (await getCustomerFields.call({} as ILoadOptionsFunctions)).fields;

/** A new mapping, as the editor writes it: false for a boolean, null for all others. */
const untouched = async (): Promise<Record<string, false | null>> =>
	Object.fromEntries(
		(await fields()).map(({ id, type }) => [id, type === 'boolean' ? false : null]),
	);

async function sent(value: Parameters<typeof mapped>[0]): Promise<unknown> {
	const received = serve(() => accepted);
	const parameters = { ...createBatch, customer: mapped(value) };
	await runNode({ rows: [{ mark: true }], parameters });
	return listOf(received[0]?.body, 'customers')[0];
}

const source = { method: 'api' };

it('a mapping with only an identifier sends only an identifier', async () => {
	expect(await sent({ ...(await untouched()), identifier: 'C-1' })).toEqual({
		source,
		identifier: 'C-1',
	});
});

it.each([
	['={{ $json.mark }}', true],
	[false, false],
	['', undefined],
])('reads the mark %j as %j', async (entered, isDoNotDisturbEnabled) => {
	const customer = await sent({ identifier: 'C-1', isDoNotDisturbEnabled: entered });
	expect(customer).toMatchObject({ source, identifier: 'C-1' });
	expect(members(customer)['isDoNotDisturbEnabled']).toBe(isDoNotDisturbEnabled);
});

it('stops where the column of a field is gone from all rows, and says which', async () => {
	const received = serve(() => accepted);
	const customer = mapped({
		identifier: '={{ $json.id }}',
		isDoNotDisturbEnabled: '={{ $json["Do Not Call"] }}',
	});
	const parameters = { ...createBatch, customer };
	const rows = [
		{ id: 1, 'Do Not Call (new)': 'yes' },
		{ id: 2, 'Do Not Call (new)': 'no' },
	];
	const { error } = await runNode({ rows, parameters });
	expect(error?.message).toContain("'Do Not Disturb' reads 'Do Not Call', which no row has");
	expect(received).toEqual([]);
});

it('sends a mark from a row of which n8n could not read another parameter, and names rows without one', async () => {
	const received = serve(() => accepted);
	const rows = [
		{ id: 'A', name: 'Ana', dnc: 'yes', since: 'garbage' },
		{ id: 'A', name: 'Ana', dnc: 'no', since: '2026-01-01' },
	];
	const { hints } = await runNode({
		rows,
		parameters: {
			...upsertBatch,
			customer: mappedAutomatically,
			doNotDisturb: 'marked',
			doNotDisturbColumn: 'dnc',
			options: {
				invalidRows: 'sendValid',
				defaultCountry: '={{ $json.since.toDateTime() ? "US" : "" }}',
			},
		},
	});
	expect(received[0]?.body).toMatchObject({
		customers: [{ identifier: 'A', isDoNotDisturbEnabled: true }],
	});
	expect(hints.join()).not.toContain('cannot be read there');
	const byHand = { identifier: '={{ $json.since.toDateTime().year + $json.id }}' };
	const unread = await runNode({
		rows,
		parameters: {
			...upsertBatch,
			customer: mapped({ ...byHand, isDoNotDisturbEnabled: '={{ $json.dnc }}' }),
			options: { invalidRows: 'sendValid' },
		},
	});
	expect(unread.hints.join()).toContain('Row 1: a mark cannot be read there');
});

const DIFFERS =
	"'Dry Run' is false for row 1 and true for row 2. It is read once per run, so use one value for all rows";

it.each([
	['{{ $json.dry }}', DIFFERS],
	['{{ $thisItem.json.dry }}', DIFFERS],
	["{{ $('Input').all()[$thisItemIndex].json.dry }}", "'Dry Run' could not be read"],
])('reads a setting for every row where it may name the row: %s', async (expression, reason) => {
	const received = serve(() => accepted);
	const { error } = await runNode({
		rows: [{ dry: false }, { dry: true }],
		parameters: {
			...createBatch,
			customer: mapped({ identifier: 'a' }),
			dryRun: `=${expression}`,
		},
	});
	expect([received, error?.message]).toEqual([[], expect.stringContaining(reason)]);
});

it('names only rows that are sent in part', async () => {
	serve(() => accepted);
	const marked = { doNotDisturb: 'marked', doNotDisturbColumn: 'DNC' };
	const options = { duplicates: 'keepLast' };
	const rows = ['1', '2'].map((ID) => ({ ID, Name: 'Ana', Phone: '12', DNC: 'yes' }));
	const { hints } = await runNode({
		rows: [...rows, { ID: '1', Name: 'Ana', Phone: phoneOf(1), DNC: '' }],
		parameters: { ...upsertBatch, customer: mappedAutomatically, ...marked, options },
	});
	expect(hints.join()).toContain('Row 2: sent in part. The column reason says why');
	const stopping = await runNode({
		rows: rows.map((row) => ({ ...row, ID: '1' })),
		parameters: {
			...upsertBatch,
			dryRun: true,
			customer: mappedAutomatically,
			...marked,
			options: { duplicates: 'stop' },
		},
	});
	expect(stopping.hints.join()).not.toContain('sent in part');
});

it.each<[string, string, object, unknown]>([
	['identifier', '={{ $json.id }}{{ $json.vip ? "-v" : "" }}', { id: 7, vip: false }, '7'],
	[
		'identifier',
		'={{ ($json.kind || "crm") + "-" + $json.id }}',
		{ id: '' },
		"'Identifier' is empty",
	],
	['phoneNumber', '=+1{{ $json.phone }}', { phone: '' }, undefined],
	[
		'phoneNumber',
		'={{ $json.cc }}{{ $json.phone }}',
		{ cc: '', phone: '2125550123' },
		'{{ $json.cc }} gave no value',
	],
	[
		'phoneNumber',
		'={{ ($json.cc || "+49") + $json.area + $json.nr }}',
		{ cc: '', area: '', nr: '3012345' },
		'{{ $json.area }} gave no value',
	],
	['priority', '={{ Number($json.p) }}', { p: '' }, undefined],
	[
		'phoneNumber',
		'={{ $json.mobile || $json.home?.phone }}',
		{ mobile: '+12125550123' },
		'+12125550123',
	],
	[
		'phoneNumber',
		'={{ $json.atWork ? $json.mobile : $json.phone }}',
		{ atWork: true, mobile: '+12125550123', phone: '' },
		'+12125550123',
	],
	['phoneNumber', '={{ $json.mobile || $json.phone }}', { mobile: '', phone: null }, undefined],
])('sends no %s that %s makes of empty data', async (field, value, row, expected) => {
	const received = serve(() => ({ status: 200, body: { jobId: 'j' } }));
	const customer = mapped({ identifier: 'C-1', [field]: value });
	const { main } = await runNode({
		rows: [row as IDataObject],
		parameters: { ...createBatch, customer: customer as never },
	});
	const [sent] = received.flatMap(({ body }) => listOf(body, 'customers'));
	if (sent) return expect(members(sent)[field]).toBe(expected);
	return expect(main[0]?.json['reason']).toContain(expected);
});
