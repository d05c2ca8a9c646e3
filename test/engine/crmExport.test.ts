import type { INodeParameters } from 'n8n-workflow';
import { readCrmExport } from '../support/crmExport.mts';
import { calls, mappedAutomatically, upsertBatch } from '../support/panel';
import { runNode } from '../support/runNode';
import { forget, serve } from '../support/service';

const contacts = readCrmExport();

/** What became of a row, in one line: the outcome and the reason. */
type Line = string;

/** Sends the export, and says for each of its rows what became of it and why. */
async function outcomes(parameters: INodeParameters, rows = contacts): Promise<Line[]> {
	const { main } = await runNode({
		rows,
		parameters,
		settings: { onError: 'continueRegularOutput' },
	});
	return main.map(({ json }) => {
		const { error } = json as { error?: unknown };
		const details = (json['details'] ?? json) as { outcome: string };
		const reason = String(typeof error === 'string' ? error : json['reason']);
		return details.outcome === 'accepted'
			? 'accepted'
			: `${details.outcome}: ${reason.replace(/^Row \d+: /, '')}`;
	});
}

type Contact = Record<string, string>;
type Faults = Record<string, (contact: Contact) => boolean>;

const phone = (contact: Contact): string => contact['Phone Number'] ?? '';

/** What is wrong with phone numbers of the export, by the words that have to say so. */
const ofPhones: Faults = {
	'has no country code': (contact) => /^\d{3}-|^00/.test(phone(contact)),
	'contains more than the digits': (contact) => /^'| ext\. /.test(phone(contact)),
	'was rounded by the spreadsheet': (contact) => phone(contact).includes('E+'),
};

/** Whoever is marked is sent with identifier and mark, whatever else is wrong. */
const ofUnmarked = (faults: Faults): Faults =>
	Object.fromEntries(
		Object.entries(faults).map(([words, isWrong]) => [
			words,
			(contact: Contact) =>
				isWrong(contact) && !(contact['Do Not Call'] === 'true' && contact['Record ID'] !== ''),
		]),
	);

/** Expects every line to say what is wrong with its contact and nothing else, and returns how often each was said. */
function expectWords(lines: readonly Line[], faults: Faults, asked: (line: Line) => boolean) {
	const counts: Record<string, number> = {};
	for (const [row, line] of lines.entries()) {
		if (!asked(line)) continue;
		const wrong = Object.keys(faults).filter((words) => faults[words]?.(contacts[row] ?? {}));
		const said = Object.keys(faults).filter((words) => line.includes(words));
		const isAccepted = line === 'accepted';
		expect({ row, line, said, isAccepted }).toEqual({
			row,
			line,
			said: wrong,
			isAccepted: wrong.length === 0,
		});
		for (const words of said) counts[words] = (counts[words] ?? 0) + 1;
	}
	return counts;
}

/** How many rows have each outcome. */
const tally = (lines: readonly Line[]) =>
	Object.fromEntries(
		['accepted', 'rejected', 'notSent', 'unknown'].map((outcome) => [
			outcome,
			lines.filter((line) => line.split(':')[0] === outcome).length,
		]),
	);

const campaign = {
	...calls,
	toPhoneNumber: "={{ $json['Phone Number'] }}",
	doNotCall: 'marked',
	doNotCallColumn: 'Do Not Call',
	options: { invalidRows: 'sendValid' },
};

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

const customers = {
	...upsertBatch,
	customer: mappedAutomatically,
	doNotDisturb: 'marked',
	doNotDisturbColumn: 'Do Not Call',
};
const chosen = (field: string, column: string) => ({ field, column });

it('asks about two people with one identifier before anything is sent', async () => {
	const received = serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const lines = await outcomes(customers);
	expect([received, tally(lines).notSent]).toEqual([[], 426]);
	expect(lines[0]).toContain('have the same Identifier: 100049 (rows 49 and 50)');
});

it('says for every contact whether it became a customer, and why not', async () => {
	serve(() => ({ status: 200, body: { jobId: 'job-1' } }));
	const columns = [chosen('identifier', 'Record ID'), chosen('priority', 'Priority')];
	const lines = await outcomes({ ...customers, options: { columnsToUse: { columns } } });
	expect(lines).toHaveLength(contacts.length);
	expect(tally(lines)).toEqual({ accepted: 422, rejected: 77, notSent: 1, unknown: 0 });
	const counts = expectWords(
		lines,
		{
			...ofUnmarked({
				...ofPhones,
				'is not an e-mail address': ({ Email }) => Email !== '' && !Email?.includes('@'),
				'must be a whole number': ({ Priority }) => /\D/.test(Priority ?? ''),
			}),
			'is empty': (contact) => contact['Record ID'] === '',
			'has the same identifier': (contact) => contacts.indexOf(contact) === 49,
		},
		() => true,
	);
	expect(counts).toEqual({
		'has no country code': 24,
		'contains more than the digits': 22,
		'was rounded by the spreadsheet': 10,
		'is not an e-mail address': 21,
		'must be a whole number': 4,
		'is empty': 1,
		'has the same identifier': 1,
	});
	expect(lines[2]).toBe('accepted');
});

it('stops where the number of a marked contact cannot be read, and names its row', async () => {
	const received = serve(() => ({ status: 200, body: {} }));
	const lines = await outcomes(campaign);
	expect(received).toEqual([]);
	expect(lines.join()).toMatch(/row \d+ is marked do not call and its number cannot be read/);
});

it('says for every contact whether it is called, and why not', async () => {
	serve(() => ({ status: 200, body: {} }));
	const isKnown = (contact: Contact): boolean =>
		contact['Do Not Call'] !== 'true' || /^(\+[\d ()-]+)?$/.test(phone(contact));
	const known = contacts.filter(isKnown);
	const lines = await outcomes(campaign, known);
	expect(lines).toHaveLength(known.length);
	expect(tally(lines)).toEqual({ accepted: 259, rejected: 68, notSent: 145, unknown: 0 });
	const left = 'notSent: Not called, because the row is marked do not call';
	for (const [row, line] of lines.entries())
		expect({ row, left: line === left }).toEqual({
			row,
			left: known[row]?.['Do Not Call'] === 'true',
		});
	const faults: Faults = { ...ofPhones, 'is empty': (contact) => phone(contact) === '' };
	for (const [row, line] of lines.entries()) {
		const wrong = Object.keys(faults).filter((words) => faults[words]?.(known[row] ?? {}));
		if (line === left || line.includes('has the same phone number')) continue;
		expect({ row, line, said: wrong.filter((words) => line.includes(words)) }).toEqual({
			row,
			line,
			said: line === 'accepted' ? [] : wrong,
		});
	}
});
