import type { INodeParameters } from 'n8n-workflow';
import { readCrmExport } from '../support/crmExport.mts';
import { runNode } from '../support/runNode';
import { forget, serve } from '../support/service';

const contacts = readCrmExport();

/** Sends the export, and says for each of its rows what became of it and why. */
async function outcomes(parameters: INodeParameters): Promise<string[]> {
	const { main } = await runNode({
		rows: contacts,
		parameters,
		settings: { onError: 'continueRegularOutput' },
	});
	return main.map(({ json }, row) => {
		const { error } = json as { error?: unknown };
		const details = (json['details'] ?? json) as { outcome: string };
		const reason = typeof error === 'string' ? ` | ${error.replace(/^Row \d+: /, '')}` : '';
		return `${contacts[row]?.['Record ID'] ?? '?'} | ${details.outcome}${reason}`;
	});
}

afterEach(forget);

it('reads the export with its quotes and line breaks', () => {
	expect(contacts[4]).toEqual({
		'Record ID': '100005',
		'First Name': 'Samir',
		'Last Name': 'Rossi',
		Email: 'samir.rossi5@example.com',
		'Phone Number': '+17025550149',
		'Lifecycle Stage': 'lead',
		'Lead Status': 'CONNECTED',
		City: 'São Paulo',
		Priority: '1',
		'Do Not Call': 'false',
		'Last Modified Date': '2026-04-24 06:14',
		Notes: 'Línea 2\nsecond line',
	});
	expect(contacts[5]?.['Notes']).toBe('"VIP", see notes');
});

it('says for every contact whether it became a customer, and why not', async () => {
	serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const lines = await outcomes({
		resource: 'customer',
		operation: 'createBatch',
		strategy: 'upsert',
		customer: {
			mappingMode: 'autoMapInputData',
			value: null,
			schema: [],
			matchingColumns: [],
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
	});
	expect(lines).toHaveLength(contacts.length);
	expect(lines.join('\n')).toMatchSnapshot();
});

it('says for every contact whether it is called, and why not', async () => {
	serve(() => ({ status: 200, body: {} }));
	const lines = await outcomes({
		resource: 'conversation',
		operation: 'create',
		agentId: '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		toPhoneNumber: "={{ $json['Phone Number'] }}",
		options: {
			invalidRows: 'sendValid',
			doNotCall: "={{ $json['Do Not Call'] }}",
		},
	});
	expect(lines).toHaveLength(contacts.length);
	expect(lines.join('\n')).toMatchSnapshot();
});
