import { AGENT, phoneOf } from '../../../support/samples';
import { fieldsRow, start } from '../../../support/startConversations';

describe('rows that are marked', () => {
	it('are left out with what can be read of them', async () => {
		const options = { doNotCall: 'yes' };
		const { rows, summary } = await start([
			fieldsRow({ options, toPhoneNumber: ' not a number ' }),
			fieldsRow({ options, toPhoneNumber: undefined }),
			{ parameters: { inputMode: 'fields', options } },
		]);
		expect(rows.map(({ details }) => details?.['outcome'])).toEqual(Array(3).fill('notSent'));
		expect(summary).toBe(
			'3 rows, 0 requests: 3 marked Do Not Call. 3 rows marked do not call have no number, so another row of the same person is left out only by its Person ID. Add the number in the sheet',
		);
	});

	it('are left out with all conversations of their JSON', async () => {
		const conversationsJson = [phoneOf(1), phoneOf(2)].map((toPhoneNumber) => ({
			agentId: AGENT,
			toPhoneNumber,
		}));
		const { summary, sent } = await start([
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: true } } },
			{ parameters: { inputMode: 'json', conversationsJson, options: { doNotCall: false } } },
		]);
		expect(summary).toBe('2 rows, 0 requests: 4 marked Do Not Call');
		expect(sent).toEqual([]);
		const fields = await start([fieldsRow({ conversationsJson, options: { doNotCall: 'x' } })]);
		expect(fields.summary).toBe('1 row, 0 requests: 1 marked Do Not Call');
	});

	it.each([
		['a type of its own', { conversationType: 'voice' }],
		['a person without a number', { conversationType: 'chat', toPhoneNumber: '' }],
	])('keep from being reached whoever another row names: %s', async (_, more) => {
		const whose = (doNotCall: unknown) =>
			fieldsRow({ ...more, options: { doNotCall, personId: 'P-1', duplicates: 'sendAll' } });
		const { sent, summary } = await start([whose('no'), whose('yes')]);
		expect(sent).toEqual([]);
		expect(summary).toBe('2 rows, 0 requests: 2 marked Do Not Call');
	});

	it.each([
		['in one of several', [{ agentId: 'wrong', toPhoneNumber: phoneOf(1) }, null]],
		['as the only one', { agentId: 'wrong', toPhoneNumber: '+1 (415) 555-0001' }],
		['with a number too large', `{"toPhoneNumber":"${phoneOf(1)}","a":12345678901234567890}`],
		['with a key twice', `{"a":1,"a":2,"toPhoneNumber":"${phoneOf(1)}"}`],
		['in a text', JSON.stringify({ toPhoneNumber: phoneOf(1) })],
	])('count though their JSON is wrong, %s', async (_, conversationsJson) => {
		const right = { agentId: AGENT, toPhoneNumber: phoneOf(1) };
		const rowOf = (json: unknown, doNotCall: unknown) => ({
			parameters: { inputMode: 'json', conversationsJson: json, options: { doNotCall } },
		});
		const { sent, rows } = await start([rowOf(right, 'no'), rowOf(conversationsJson, 'yes')]);
		expect(sent).toEqual([]);
		expect(rows.map(({ items }) => items.length)).toEqual([0, 0]);
	});

	it('may be in the whole body of a request, whose list is read', async () => {
		const conversations = [1, 2].map((n) => ({
			agentId: AGENT,
			toPhoneNumber: phoneOf(n),
			doNotCall: n === 1,
		}));
		const { sent, summary } = await start([
			{ parameters: { inputMode: 'json', conversationsJson: JSON.stringify({ conversations }) } },
		]);
		expect(sent.map(({ toPhoneNumber }) => toPhoneNumber)).toEqual([phoneOf(2)]);
		expect(summary).toContain('1 accepted, 1 marked Do Not Call');
	});

	it.each([[[]], ['not JSON'], [undefined]])('may have the JSON %j', async (conversationsJson) => {
		const options = { doNotCall: 'yes' };
		const { summary } = await start([
			{ parameters: { inputMode: 'json', conversationsJson, options } },
		]);
		expect(summary).toContain('1 row, 0 requests: 1 marked Do Not Call');
	});

	it('are marked whatever no one sees stands beside the mark', async () => {
		const marks = ['yes\u200b', '\u200eX', '\ufeff', 'no\u00ad'];
		const { rows, sent } = await start(
			marks.map((doNotCall, n) => fieldsRow({ toPhoneNumber: phoneOf(n), options: { doNotCall } })),
		);
		expect(rows.map(({ items }) => items.length)).toEqual([0, 0, 1, 1]);
		expect(sent).toHaveLength(2);
	});

	it('are an alarm where the mark is not used, with those who would be called or were', async () => {
		const dry = { options: { dryRun: true } };
		const marked = (n: number, mark: unknown, more: object = {}) =>
			fieldsRow({ toPhoneNumber: phoneOf(n), inputRow: { DNC: mark }, ...more });
		const unclear = marked(3, 'maybe', dry);
		expect((await start([marked(1, 'yes', dry), marked(2, 'x', dry), unclear])).alarms).toEqual([
			"2 people marked DNC would be called. Add 'Do Not Call' under Safeguards",
			"1 person marked DNC (unclear) would be called. Add 'Do Not Call' under Safeguards",
		]);
		expect((await start([marked(1, 'yes'), marked(1, 'yes'), marked(2, 'no')])).alarms).toEqual([
			"1 person marked DNC was called. Add 'Do Not Call' under Safeguards",
		]);
		const used = marked(1, 'yes', { options: { doNotCall: 'yes' } });
		expect((await start([used])).alarms).toEqual([]);
	});

	it.each<[string, object, string, object]>([
		[
			'flat, though another one says no',
			{ 'Opt Out': 'no', DNC: 'yes', City: 'Rome' },
			'DNC',
			{ City: 'Rome' },
		],
		[
			'in HubSpot',
			{ properties: { phone: phoneOf(1), do_not_call: 'true', city: 'Rome' } },
			'do_not_call',
			{ properties: { city: 'Rome' } },
		],
		[
			'in Airtable',
			{ id: 'r', fields: { 'Do Not Call': true, City: 'Rome' } },
			'Do Not Call',
			{ id: 'r', fields: { City: 'Rome' } },
		],
		[
			'in custom fields',
			{ tags: ['a'], custom: [{ name: 'Do Not Call', value: 'x' }, { name: 'City' }] },
			'Do Not Call',
			{ tags: ['a'], custom: [{ name: 'City' }] },
		],
	])('are an alarm %s, and never a variable', async (_, inputRow, name, dynamicVariables) => {
		const { alarms, sent } = await start([
			fieldsRow({
				toPhoneNumber: phoneOf(1),
				inputRow,
				variablesMode: 'columns',
			}),
		]);
		expect(alarms).toEqual([
			`1 person marked ${name} was called. Add 'Do Not Call' under Safeguards`,
		]);
		expect(sent[0]?.['dynamicVariables']).toEqual(dynamicVariables);
	});

	const doNotCall = 'yes';

	it.each<[string, object]>([
		['JSON', { variablesMode: 'json', dynamicVariablesJson: { doNotCall } }],
		['JSON as text', { variablesMode: 'json', dynamicVariablesJson: '{"contact":{"dnc":1}}' }],
		['fields', { dynamicVariables: { variables: [{ name: 'DNC', value: 'yes' }] } }],
		[
			'a row that is invalid',
			{ agentId: '', variablesMode: 'json', dynamicVariablesJson: { doNotCall } },
		],
	])('hold back everyone where a mark is a variable, in %s', async (_, variables) => {
		const { sent, summary } = await start([
			fieldsRow({ ...variables, options: { invalidRows: 'sendValid' } }),
			fieldsRow({ variablesMode: 'json', conversationType: 'chat', dynamicVariablesJson: {} }),
		]);
		expect([sent, summary]).toEqual([[], expect.stringContaining('marked Do Not Call')]);
	});

	it('stop the run where a mark cannot be read, or no row has one, and name what stands there', async () => {
		const long = await start([fieldsRow({ options: { doNotCall: 'x'.repeat(50) } })]);
		expect(JSON.stringify(long.problems)).toContain(`"${'x'.repeat(40)}\\" is neither yes nor no`);
		const columns = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`c${n}`, n]));
		const found = async (inputRow: object) => {
			const { problems } = await start([
				fieldsRow({ inputRow, options: { doNotCall: undefined } }),
			]);
			return JSON.stringify(problems).replace(/^.*Columns found: |"\]{3}$/g, '');
		};
		expect(await found(columns)).toMatch(/^c0, c1, .*, c11 and 28 more$/);
		expect(await found({})).toBe('none');
	});
});

it('asks for no Person ID where the number is only misspelt', async () => {
	const options = { maximumAttempts: 1, campaignKey: 'spring' };
	const { problems } = await start([fieldsRow({ toPhoneNumber: '12', options })]);
	expect(problems).toEqual([[['toPhoneNumber', expect.any(String)]]]);
});

it('takes people, campaigns, agents and types for the same that look the same', async () => {
	const chat = { toPhoneNumber: '', options: { maximumAttempts: 1 } };
	const one = { ...chat, conversationType: 'chat', agentId: AGENT };
	const other = { ...chat, conversationType: '\u200bChat', agentId: `${AGENT}\u200b` };
	const { sent, rows } = await start([
		fieldsRow({ ...one, options: { ...one.options, personId: 'P-1', campaignKey: 'spring' } }),
		fieldsRow({
			...other,
			options: { ...other.options, personId: '\u200eP-1', campaignKey: 'spring\u200b' },
		}),
	]);
	expect(sent).toEqual([{ agentId: AGENT, conversationType: 'chat', dynamicVariables: {} }]);
	expect(rows.map(({ items }) => items.length)).toEqual([1, 0]);
});
