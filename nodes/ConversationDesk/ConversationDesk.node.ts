import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Parameters } from './execute';
import {
	conversationCreate,
	conversationGet,
	customerBatches,
	listSearch,
	loadOptions,
	resourceMapping,
	ticketGet,
	ticketSearch,
} from './panel';

const parameters: Parameters = {
	conversation: { create: conversationCreate, get: conversationGet },
	customer: { createBatch: customerBatches, upsertBatch: customerBatches },
	ticket: { get: ticketGet, search: ticketSearch },
};

export class ConversationDesk implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Desk',
		name: 'conversationDesk',
		icon: {
			light: 'file:../../icons/conversationDesk.svg',
			dark: 'file:../../icons/conversationDesk.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ { conversation: "Conversation", customer: "Customer", ticket: "Ticket" }[$parameter["resource"]] + ": " + { create: "Create", createBatch: "Create Batch", get: "Get", search: "Search", upsertBatch: "Create or Update Batch" }[$parameter["operation"]] }}',
		description: 'Call people with AI agents, sync customers in bulk, and search tickets',
		builderHint: {
			searchHint:
				'Use for outbound AI phone calls from a list, bulk customer sync, and ticket search. Dry Run previews calls and is on by default.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-conversation-desk.conversationDeskTrigger',
					relationHint: 'Starts a workflow when tickets are created, updated, resolved or closed',
				},
			],
		},
		defaults: { name: 'Conversation Desk' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'conversationDeskApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Conversation', value: 'conversation' },
					{ name: 'Customer', value: 'customer' },
					{ name: 'Ticket', value: 'ticket' },
				],
				default: 'ticket',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['conversation'] } },
				options: [
					{
						name: 'Create',
						value: 'create',
						description: 'Call people, or start chats, with an AI agent',
						action: 'Create conversations',
					},
					{
						name: 'Get',
						value: 'get',
						description: 'Get the status and result of a conversation',
						action: 'Get conversations',
					},
				],
				default: 'create',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['customer'] } },
				options: [
					{
						name: 'Create Batch',
						value: 'createBatch',
						description: 'Create many customers with few requests (insert)',
						action: 'Create batch of customers',
					},
					{
						name: 'Create or Update Batch',
						value: 'upsertBatch',
						description: 'Create many customers, or update those that already exist (upsert)',
						action: 'Create or update batch of customers',
					},
				],
				default: 'upsertBatch',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['ticket'] } },
				options: [
					{
						name: 'Get',
						value: 'get',
						description: 'Get a ticket by its number or ID',
						action: 'Get tickets',
					},
					{
						name: 'Search',
						value: 'search',
						description: 'Find tickets with filters',
						action: 'Search tickets',
					},
				],
				default: 'search',
			},
			...conversationCreate,
			...conversationGet,
			...customerBatches,
			...ticketGet,
			...ticketSearch,
		],
	};

	methods = { listSearch, loadOptions, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		// Loaded with the first run, because n8n loads every node at its start.
		const { execute } = await import('./lazy.ts');
		return [await execute(this, parameters)];
	}
}
