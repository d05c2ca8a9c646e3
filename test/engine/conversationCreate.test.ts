import type { INodeParameters, IRunExecutionData } from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { nodeContext } from '../support/nodeContext';
import { called, calls, outcomeOf, retries } from '../support/panel';
import { runNode, start } from '../support/runNode';
import { AGENT, PHONE, phoneOf, uuidOf } from '../support/samples';
import type { Received, Scripted } from '../support/service';
import { forget, serve } from '../support/service';

const create = {
	...calls,
	options: { batching: { batch: { batchSize: 1 } } },
};
const rows = [1, 2, 3].map((n) => ({ phone: `+1415555010${n}`, name: `Person ${n}` }));

const taken = ({ body }: Received): Scripted => ({
	status: 200,
	body: {
		conversations: (body as { conversations: object[] }).conversations.map((_, i) => ({
			id: `c-${i}`,
		})),
	},
});

afterEach(forget);

it('starts one conversation a row in bulk requests, with the variables of the row', async () => {
	const received = serve(taken);
	const { main, hints } = await runNode({
		rows,
		parameters: {
			...create,
			dynamicVariables: { variables: [{ name: 'firstName', value: '={{ $json.name }}' }] },
			options: { batching: { batch: { batchSize: 2 } } },
		},
	});
	expect(received.map(({ body }) => body)).toEqual([
		{
			conversations: [1, 2].map((n) => ({
				agentId: AGENT,
				conversationType: 'telephony',
				toPhoneNumber: `+1415555010${n}`,
				dynamicVariables: { firstName: `Person ${n}` },
			})),
		},
		{
			conversations: [
				{
					agentId: AGENT,
					conversationType: 'telephony',
					toPhoneNumber: '+14155550103',
					dynamicVariables: { firstName: 'Person 3' },
				},
			],
		},
	]);
	expect(main.map(({ json }) => json)).toMatchObject([
		{ outcome: 'accepted', conversationId: 'c-0', toPhoneNumber: '+14155550101', request: 1 },
		{ outcome: 'accepted', conversationId: 'c-1', toPhoneNumber: '+14155550102', request: 1 },
		{ outcome: 'accepted', conversationId: 'c-0', toPhoneNumber: '+14155550103', request: 2 },
	]);
	expect(hints).toEqual(['3 rows, 2 requests: 3 accepted']);
});

it('stops before the first call when a row is invalid, and calls no one', async () => {
	const received = serve(taken);
	const { error } = await runNode({
		rows: [...rows, { phone: '212-555-0196' }],
		parameters: create,
	});
	expect(received).toEqual([]);
	expect(error?.message).toMatch(
		/^0 people were called\. Row 4: 'To Phone Number' "212-555-0196" has no country code/,
	);
	expect(error?.description?.split('<br>')).toEqual([
		expect.stringMatching(/^4 rows, 0 requests: 1 rejected before sending, 3 not sent/),
		expect.stringMatching(/^The other rows: Not sent, because one row is invalid/),
	]);
});

it('does not fail for rows that are left out by choice, and says why they were', async () => {
	const received = serve(taken);
	const { main, error, hints } = await runNode({
		rows: [
			...rows.slice(0, 2),
			{ phone: '+1 (415) 555-0101' },
			{ phone: '+14155550109', mark: 'yes' },
		],
		parameters: { ...create, doNotCall: 'marked', doNotCallColumn: '={{ $json.mark }}' },
	});
	expect(error).toBeUndefined();
	expect(called(received)).toEqual(['+14155550101', '+14155550102']);
	expect(main.map(({ json, pairedItem }) => [json['outcome'], json['reason'], pairedItem])).toEqual(
		[
			['accepted', 'Called', { item: 0 }],
			['accepted', 'Called', { item: 1 }],
			['notSent', 'Not sent, because row 1 has the same phone number (+14155550101)', { item: 2 }],
			['notSent', 'Not called, because the row is marked do not call', { item: 3 }],
		],
	);
	expect(hints).toHaveLength(1);
	expect(hints[0]).toMatch(
		/^4 rows, 2 requests: 2 accepted, 1 left out as duplicates, 1 marked Do Not Call<br>No variables/,
	);
});

it('calls no one when there are more conversations than allowed', async () => {
	const received = serve(taken);
	const { error } = await runNode({
		rows,
		parameters: { ...create, safeguards: { maximumConversations: 2 } },
	});
	expect(received).toEqual([]);
	expect(error?.message).toMatch(
		/^0 people were called\. Not sent, because 3 conversations are more than 'Maximum Conversations' \(2\) allows/,
	);
	expect(error?.description).toMatch(/^3 rows, 0 requests: 3 not sent/);
});

const faults: Array<[string, Scripted, string]> = [
	['the connection breaks', { broken: 'ECONNRESET' }, 'unknown'],
	['the service fails', { status: 500 }, 'unknown'],
	['the reply is broken JSON', { status: 200, body: '{"conv' }, 'unknown'],
	[
		'the service refuses',
		{ status: 400, body: { message: 'Invalid input data', code: 'BAD_REQUEST' } },
		'rejected',
	],
];

it.each(faults)('calls no one twice under Retry On Fail when %s', async (_, fault, outcome) => {
	const received = serve((request, number) => (number === 1 ? fault : taken(request)));
	const { main } = await runNode({
		rows,
		parameters: create,
		settings: {
			onError: 'continueRegularOutput',
			...retries,
		},
	});
	const again = outcome === 'rejected' ? ['+14155550101'] : [];
	expect(called(received)).toEqual([...rows.map(({ phone }) => phone), ...again]);
	const outcomes = main.map(outcomeOf);
	expect(outcomes).toEqual([again.length > 0 ? 'accepted' : outcome, 'accepted', 'accepted']);
});

it('calls no one again when a failed execution is retried from its saved data', async () => {
	const first = serve((request, number) =>
		number === 2 ? { broken: 'ECONNRESET' } : taken(request),
	);
	const failed = await runNode({ rows, parameters: create });
	expect(failed.error?.message).toContain('Row 2: The connection broke before a response came');
	expect(failed.error?.description).toContain(
		'3 rows, 3 requests: 2 accepted, 1 unknown (may have arrived)',
	);
	expect(first).toHaveLength(3);
	forget();
	const saved = JSON.parse(JSON.stringify(failed.run.data)) as IRunExecutionData;
	const resultData = { ...saved.resultData };
	delete resultData.error;
	resultData.runData['Desk']?.pop();
	const second = serve(taken);
	const again = await runNode({
		rows,
		parameters: { ...create, options: { batching: { batch: { batchSize: 50 } } } },
		after: { ...saved, resultData },
	});
	expect(second).toEqual([]);
	expect(again.error?.description).toContain(
		'3 rows, 0 requests: 2 accepted, 1 unknown (may have arrived)',
	);
});

it('starts nothing after a stop', async () => {
	const execution: { cancel?: () => void } = {};
	const received = serve((request, number) => {
		if (number === 2) execution.cancel?.();
		return taken(request);
	});
	const { done, cancel } = start({ rows, parameters: create });
	execution.cancel = cancel;
	await done;
	expect(called(received)).toEqual(['+14155550101', '+14155550102']);
});

describe('as a tool of an agent', () => {
	const tool = {
		rows: rows.slice(0, 1),
		parameters: create,
		settings: { type: 'conversationDeskTool', ...retries },
	};

	it('calls once when the response is lost, and tells the model not to call again', async () => {
		const received = serve(() => ({ broken: 'ECONNRESET' }));
		const { error } = await runNode(tool);
		expect(called(received)).toEqual(['+14155550101']);
		expect(error?.message).toMatch(/^Do not call again\. /);
		expect(`${error?.message} ${error?.description ?? ''}`).not.toMatch(/retry the request/i);
	});

	it.each<[string, Scripted]>([
		['a page of a proxy', { status: 502, body: 'nginx at desk-7.internal.test failed' }],
		['a page of a login', { status: 403, body: '<p>Ask sso.internal.test</p>' }],
		[
			'a redirect',
			{ status: 302, body: '', headers: { location: 'https://sso.internal.test/login' } },
		],
	])('tells the model no name from %s, and a person all of it', async (_, answer) => {
		serve(() => answer);
		const { settings, ...asNode } = tool;
		for (const [index, onError] of (['stopWorkflow', 'continueRegularOutput'] as const).entries()) {
			const one = { ...tool, rows: rows.slice(index, index + 1) };
			const { main, error } = await runNode({ ...one, settings: { ...settings, onError } });
			const said = JSON.stringify([main, error?.message, error?.description]);
			expect(said).toMatch(/The service failed|has no access|redirected to another address/);
			expect(said).not.toMatch(/internal/);
		}
		const { error } = await runNode({ ...asNode, rows: rows.slice(2, 3), settings: {} });
		expect(error?.message).toContain('internal.test');
	});

	it('tells the model what the service itself says', async () => {
		serve(() => ({ status: 400, body: { code: 'BAD_REQUEST', message: 'No such agent' } }));
		const { error } = await runNode(tool);
		expect(error?.message).toContain('No such agent');
	});

	it.each([
		['one person', [PHONE, PHONE, PHONE], {}, 1],
		['more people than may be called', [1, 2, 3].map(phoneOf), { maximumConversations: 2 }, 2],
	])(
		'calls as few where a model calls it several times at once: %s',
		async (_, phones, guard, count) => {
			const received = serve(() => ({ status: 200, body: [{ id: uuidOf(1) }] }));
			const desk = new ConversationDesk();
			const inside = {
				description: desk.description,
				parameters: { ...calls, safeguards: guard },
				execution: createRunExecutionData(),
				type: 'conversationDeskTool',
			};
			const runs = phones.map(async (phone) => {
				await desk.execute.call(nodeContext({ ...inside, rows: [{ phone }] }));
			});
			await Promise.allSettled(runs);
			expect(called(received)).toHaveLength(count);
		},
	);

	it('says so in an error item, too', async () => {
		serve(() => ({ broken: 'ECONNRESET' }));
		const { main } = await runNode({
			...tool,
			settings: { ...tool.settings, onError: 'continueRegularOutput' },
		});
		expect(String(main[0]?.json['error'])).toMatch(/^Do not call again\. Row 1: /);
	});
});

const hoursFrom = (from: string) => ({
	when: { hours: { rows: [{ days: [1], from, until: '20:00' }] } },
});
const json = '{"agentId": "{{ $fromAI(\'agent\') }}"}';

/** What a model may fill in, or can be reached from where it does. */
const filledIn = [
	"$fromAI('max', '', 'number')",
	'$json.max',
	"$input.item.json['max']",
	"$tool.parameters.max ?? $('A')",
	"$from\\u0041I('max')",
	'$parameter.toPhoneNumber.length',
	"$evaluateExpression('{{ $from' + 'AI()')",
];

it.each<[string, INodeParameters]>([
	...filledIn.map((expression): [string, INodeParameters] => [
		'Safeguards > Maximum Conversations',
		{ safeguards: { maximumConversations: `={{ ${expression} }}` } },
	]),
	['Dry Run', { dryRun: "={{ $FROMAI('dry') }}" }],
	[
		'Safeguards > Attempts',
		{ safeguards: { attempts: { limit: { campaignKey: "={{ $fromAI('key') }}", maximum: 1 } } } },
	],
	[
		'Safeguards > Numbers Never Called',
		{ safeguards: { numbersNeverCalled: "={{ $fromai('key') }}" } },
	],
	['Safeguards > Person ID', { safeguards: { personId: '={{ $json.personId }}' } }],
	[
		'Safeguards > Calling Hours',
		{ safeguards: { callingHours: hoursFrom("={{ $fromAi('from') }}") } },
	],
	[
		'Options > Additional Fields (JSON)',
		{ options: { additionalFieldsJson: "={{ $fromAI('fields') }}" } },
	],
	[
		'Options > Allow Premium-Rate Numbers',
		{ options: { allowPremiumRate: "={{ $fromAI('all') }}" } },
	],
	['Options > Allow Unassigned Numbers', { options: { allowUnassigned: "={{ $fromAI('all') }}" } }],
	['Default Country', { defaultCountry: "={{ $fromAI('country') }}" }],
	['Conversations (JSON)', { inputMode: 'json', conversationsJson: `=${json}` }],
])('lets no model set %s', async (label, guard) => {
	const received = serve(taken);
	const { error } = await runNode({
		rows: rows.slice(0, 1),
		parameters: { ...create, ...guard },
		settings: { type: 'conversationDeskTool' },
	});
	expect(error?.message).toContain(`'${label}' must not be set by the model`);
	expect(received).toHaveLength(0);
});
