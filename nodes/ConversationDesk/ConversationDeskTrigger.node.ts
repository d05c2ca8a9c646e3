import type {
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { ticketTrigger } from './descriptions/ticketTrigger';
import { pollLater, testCredential } from './later';

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
			'={{ { ticketClosed: "Ticket Closed", ticketCreated: "Ticket Created", ticketResolved: "Ticket Resolved", ticketUpdated: "Ticket Updated" }[$parameter["event"]] }}',
		description: 'Starts the workflow when tickets are created, updated, resolved or closed',
		defaults: { name: 'Conversation Desk Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'conversationDeskApi', required: true, testedBy: 'testCredential' }],
		properties: ticketTrigger,
	};

	methods = { credentialTest: { testCredential } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollLater(this);
	}
}
