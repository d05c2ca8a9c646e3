import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeParameters, INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { runInstantly } from '../bench/instantNode.mts';
import { root } from '../checks/check.mts';

/** An operation that is run once for its trace. */
export interface Run {
	readonly title: string;
	readonly work: () => Promise<unknown[]>;
}

const ID = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';
const require = createRequire(import.meta.url);
const file = join(root, 'dist', 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');

/** Parameters as n8n hands them to the node: what is not set has the default of the panel. */
function withDefaults(parameters: INodeParameters): INodeParameters {
	const { ConversationDesk } = require(file) as {
		ConversationDesk: new () => { description: INodeTypeDescription };
	};
	// Its ES modules cannot be imported by Node.
	const n8n = require('n8n-workflow') as { NodeHelpers: typeof NodeHelpers };
	const { description } = new ConversationDesk();
	const node = { typeVersion: 1 };
	const all = n8n.NodeHelpers.getNodeParameters(
		description.properties,
		parameters,
		true,
		false,
		node,
		description,
	);
	if (all === null) throw new Error('n8n found no parameters for the node');
	return all;
}

const create = (): INodeParameters =>
	withDefaults({
		resource: 'conversation',
		operation: 'create',
		dryRun: false,
		agentId: ID,
		toPhoneNumber: '={{ $json.phone }}',
		whoMayBeCalled: 'notMarked',
		doNotCallColumn: 'Do Not Call',
	});

const customer = (): INodeParameters =>
	withDefaults({
		resource: 'customer',
		operation: 'upsertBatch',
		dryRun: false,
		customer: { mappingMode: 'autoMapInputData', value: null },
		doNotDisturbColumn: 'Do Not Call',
		options: { defaultCountry: 'US' },
	});

const search = (): INodeParameters =>
	withDefaults({
		resource: 'ticket',
		operation: 'search',
		returnAll: true,
		filters: {
			conditions: [{ column: 'priority', operator: 'in', priorityValues: ['urgent'] }],
		},
		sort: { rules: [{ column: 'createdAt', direction: 'desc' }] },
	});

/** One row with a dragged phone number, and one search with a condition and a sort; the service answers at once. */
export const runs: readonly Run[] = [
	{
		title: 'Conversation: Create, one row',
		work: () =>
			runInstantly({
				parameters: create(),
				rows: [{ phone: '+14155550100', 'Do Not Call': 'no' }],
				reply: () => JSON.stringify({ conversations: [{ id: ID }] }),
			}),
	},
	{
		title: 'Customer: Create or Update Batch, one row',
		work: () =>
			runInstantly({
				parameters: customer(),
				rows: [{ id: 'C-1', name: 'Ana Silva', phone: '(415) 555-0178', 'Do Not Call': 'no' }],
				reply: () => JSON.stringify({ jobId: 'job-1' }),
			}),
	},
	{
		title: 'Ticket: Search, Return All',
		work: () =>
			runInstantly({
				parameters: search(),
				rows: [{}],
				reply: () =>
					JSON.stringify({
						data: [{ id: ID, ticketNumber: 1, createdAt: '2025-01-01T00:00:00Z' }],
						metadata: { hasNextPage: false },
					}),
			}),
	},
];
