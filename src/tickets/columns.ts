/** The kind of a ticket column, which decides its operators and its widget. */
export type Kind =
	'identifier' | 'text' | 'number' | 'source' | 'priority' | 'timestamp' | 'boolean';

interface ColumnFacts {
	readonly label: string;
	readonly kind: Kind;
	/** Whether a returned row may contain null here; undefined if the interface does not show it. */
	readonly nullable?: boolean;
}

/** The 31 ticket columns that can be filtered, sorted and selected (interface: Ticket). */
export const columns = {
	agentId: { label: 'Agent ID', kind: 'identifier' },
	assignedTeamId: { label: 'Assigned Team ID', kind: 'identifier', nullable: true },
	assigneeUserId: { label: 'Assignee User ID', kind: 'identifier', nullable: true },
	closedAt: { label: 'Closed At', kind: 'timestamp' },
	conversationId: { label: 'Conversation ID', kind: 'identifier', nullable: true },
	createdAt: { label: 'Created At', kind: 'timestamp' },
	createdByUserId: { label: 'Created by User ID', kind: 'identifier', nullable: true },
	customerId: { label: 'Customer ID', kind: 'identifier', nullable: true },
	description: { label: 'Description', kind: 'text', nullable: true },
	firstResponseAt: { label: 'First Response At', kind: 'timestamp' },
	flowId: { label: 'Flow ID', kind: 'identifier' },
	id: { label: 'ID', kind: 'identifier' },
	isShared: { label: 'Is Shared', kind: 'boolean' },
	lastAgentActivityAt: { label: 'Last Agent Activity At', kind: 'timestamp' },
	lastCustomerActivityAt: { label: 'Last Customer Activity At', kind: 'timestamp' },
	mergedIntoTicketId: { label: 'Merged Into Ticket ID', kind: 'identifier' },
	ownerTeamId: { label: 'Owner Team ID', kind: 'identifier', nullable: true },
	ownerUserId: { label: 'Owner User ID', kind: 'identifier', nullable: true },
	parentTicketId: { label: 'Parent Ticket ID', kind: 'identifier' },
	priority: { label: 'Priority', kind: 'priority', nullable: false },
	resolvedAt: { label: 'Resolved At', kind: 'timestamp' },
	snoozedUntil: { label: 'Snoozed Until', kind: 'timestamp' },
	source: { label: 'Source', kind: 'source', nullable: false },
	splitFromTicketId: { label: 'Split From Ticket ID', kind: 'identifier' },
	statusId: { label: 'Status ID', kind: 'identifier', nullable: false },
	summary: { label: 'Summary', kind: 'text', nullable: true },
	ticketNumber: { label: 'Ticket Number', kind: 'number', nullable: false },
	ticketTypeId: { label: 'Ticket Type ID', kind: 'identifier', nullable: false },
	title: { label: 'Title', kind: 'text', nullable: false },
	updatedAt: { label: 'Updated At', kind: 'timestamp' },
	workspaceId: { label: 'Workspace ID', kind: 'identifier', nullable: false },
} as const satisfies Record<string, ColumnFacts>;

/** The name of a ticket column. */
export type Column = keyof typeof columns;

/** All column names, in the order of their labels. */
export const columnNames = Object.keys(columns) as readonly Column[];

/** The columns of the given kinds. */
export const listColumns = (...kinds: readonly Kind[]): Column[] =>
	columnNames.filter((name) => kinds.includes(columns[name].kind));

/** The channels a ticket can come from, with their labels (interface: Ticket, source). */
export const sources = {
	api: 'API',
	chat_widget: 'Chat Widget',
	customer_portal: 'Customer Portal',
	discord: 'Discord',
	email: 'Email',
	form: 'Form',
	instagram: 'Instagram',
	manual: 'Manual',
	microsoft_teams: 'Microsoft Teams',
	slack: 'Slack',
	sms: 'SMS',
	telegram: 'Telegram',
	voice: 'Voice',
	whatsapp: 'WhatsApp',
} as const;

/** The priorities of a ticket, with their labels (interface: Ticket, priority). */
export const priorities = { high: 'High', low: 'Low', medium: 'Medium', urgent: 'Urgent' } as const;

/** The least and the greatest ticket number (interface: Limits). */
export const ticketNumberRange = { min: -2147483648, max: 2147483647 } as const;
