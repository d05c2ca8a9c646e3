import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { listSearch, loadOptions, ticketTrigger } from './panel';

export class ConversationDeskTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Conversation Desk Trigger',
		name: 'conversationDeskTrigger',
		icon: {
			light: 'file:../../icons/conversationDesk.svg',
			dark: 'file:../../icons/conversationDesk.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ { customerWaiting: "Customer Waiting For", notAnswered: "Not Answered For", snoozeOver: "Snooze Ended", ticketClosed: "Ticket Closed", ticketCreated: "Ticket Created", ticketResolved: "Ticket Resolved", ticketUpdated: "Ticket Created or Updated" }[$parameter["event"]] }}',
		description:
			'Call people with AI agents, sync customers, and search tickets. Or start when tickets change.',
		builderHint: {
			searchHint:
				'Use to react to new, updated, resolved or closed tickets, and to tickets that wait too long. Existing tickets are ignored.',
		},
		defaults: { name: 'Conversation Desk Trigger' },
		polling: true,
		activationMessage: 'The workflow starts for events from now on. Existing tickets are ignored.',
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'conversationDeskApi', required: true }],
		properties: ticketTrigger,
	};

	methods = { listSearch, loadOptions };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		// Loaded with the first poll, because n8n loads every node at its start.
		const { runPoll } = await import('./lazy.ts');
		return await runPoll(this);
	}
}
