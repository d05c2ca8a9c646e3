import type { INodeParameters } from 'n8n-workflow';
import { called, calls, retries } from '../support/panel';
import { runNode } from '../support/runNode';
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
});

const hoursFrom = (from: string) => ({
	when: { hours: { rows: [{ days: [1], from, until: '20:00' }] } },
});
const json = '{"agentId": "{{ $fromAI(\'agent\') }}"}';

/** Expressions that a model fills in, or that can reach its values. */
const modelInputs = [
	"$fromAI('max', '', 'number')",
	'$json.max',
	"$input.item.json['max']",
	"$tool.parameters.max ?? $('A')",
	"$from\\u0041I('max')",
	'$parameter.toPhoneNumber.length',
	"$evaluateExpression('{{ $from' + 'AI()')",
];

it.each<[string, INodeParameters]>([
	...modelInputs.map((expression): [string, INodeParameters] => [
		'Safeguards > Maximum Conversations',
		{ safeguards: { maximumConversations: `={{ ${expression} }}` } },
	]),
	['Dry Run', { dryRun: "={{ $FROMAI('dry') }}" }],
	[
		'Safeguards > Attempts',
		{ safeguards: { attempts: { limit: { campaignKey: "={{ $fromAI('key') }}", maximum: 1 } } } },
	],
	['Safeguards > Values That Mean Yes', { safeguards: { yesValues: "={{ $fromai('key') }}" } }],
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
	['Conversation (JSON)', { inputMode: 'json', conversationJson: `=${json}` }],
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
