import { credentials } from '../../../sandbox/credentials.mts';
import { createPostNode } from '../nodes.mts';
import type { Question, Trial } from '../question.mts';
import { NAMES, prepareInN8n } from '../work.mts';

const AGENT = '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60';

const headers = {
	'content-type': 'application/json',
	'x-api-key': credentials.apiKey,
	'x-workspace-id': credentials.workspaceId,
};

const listPeople = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		phone: `+1415${String(5_000_000 + n)}`,
		firstName: `Person ${n}`,
	}));

const callByHttp = `={{ JSON.stringify({ conversations: [{
	agentId: "${AGENT}",
	conversationType: "telephony",
	toPhoneNumber: $json.phone,
	dynamicVariables: { firstName: $json.firstName },
}] }) }}`;

const createCallTrial = (latencyMs: number, atMost: number): Trial => ({
	title: `5,000 calls, ${latencyMs} ms`,
	ratios: [
		{ above: NAMES.desk, below: NAMES.http, figure: 'cpu', atMost: 0.15 },
		{ above: NAMES.desk, below: NAMES.helper, figure: 'ms', atMost },
	],
	prepare: prepareInN8n({
		latencyMs,
		listRows: (size) => listPeople(size(5_000)),
		desk: {
			resource: 'conversation',
			operation: 'create',
			dryRun: false,
			inputMode: 'fields',
			agentId: AGENT,
			conversationType: 'telephony',
			toPhoneNumber: '={{ $json.phone }}',
			whoMayBeCalled: 'everyone',
			dynamicVariables: { variables: [{ name: 'firstName', value: '={{ $json.firstName }}' }] },
			safeguards: { maximumConversations: 5_000 },
		},
		parallel: 1,
		createHttpNodes: (url) => [createPostNode(`${url}/conversations`, callByHttp)],
		sample: 1_000,
	}),
});

export const conversationQuestions: readonly Question[] = [
	{
		letter: 'G',
		meaning:
			'**Conversations by ID.** One request per conversation, 20 at once. The helper alone repeats them.',
		trials: [
			{
				title: '600 conversations, 20 ms',
				ratios: [{ above: NAMES.desk, below: NAMES.helper, figure: 'ms', atMost: 1.15 }],
				prepare: prepareInN8n({
					latencyMs: 20,
					listRows: async (_size, { url }) => {
						const conversations = listPeople(600).map(({ phone, firstName }) => ({
							agentId: AGENT,
							conversationType: 'telephony',
							toPhoneNumber: phone,
							dynamicVariables: { firstName },
						}));
						const body = JSON.stringify({ conversations });
						const response = await fetch(`${url}/conversations`, { method: 'POST', headers, body });
						return ((await response.json()) as { conversations: object[] }).conversations;
					},
					desk: {
						resource: 'conversation',
						operation: 'get',
						conversationId: '={{ $json.id }}',
						output: 'raw',
					},
					parallel: 20,
				}),
			},
		],
	},
	{
		letter: 'C',
		meaning:
			"**Calls.** 50 per request, one request at a time. This node writes everyone into n8n's database before the call, the helper alone writes nothing. HTTP Request sends one request per row, all at once, for 1,000 calls, and its times are multiplied by 5.",
		trials: [createCallTrial(20, 1.8), createCallTrial(200, 1.15)],
	},
];
