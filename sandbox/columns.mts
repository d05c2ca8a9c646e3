/** The kind of a column decides its operators (interface: POST /tickets/search). */
export type ColumnKind = 'text' | 'number' | 'source' | 'priority' | 'timestamp' | 'boolean';

/** The values of the column `source`. */
export const sources = [
	'email',
	'chat_widget',
	'voice',
	'whatsapp',
	'sms',
	'customer_portal',
	'form',
	'manual',
	'api',
	'slack',
	'microsoft_teams',
	'instagram',
	'discord',
	'telegram',
] as const;

/** The values of the column `priority`. */
export const priorities = ['urgent', 'high', 'medium', 'low'] as const;

/** The ticket columns, in the order of the document, each with its kind. */
export const columnKinds = {
	workspaceId: 'text',
	ticketNumber: 'number',
	ticketTypeId: 'text',
	title: 'text',
	description: 'text',
	summary: 'text',
	source: 'source',
	statusId: 'text',
	priority: 'priority',
	customerId: 'text',
	createdByUserId: 'text',
	assigneeUserId: 'text',
	assignedTeamId: 'text',
	ownerUserId: 'text',
	ownerTeamId: 'text',
	conversationId: 'text',
	parentTicketId: 'text',
	mergedIntoTicketId: 'text',
	splitFromTicketId: 'text',
	flowId: 'text',
	agentId: 'text',
	firstResponseAt: 'timestamp',
	resolvedAt: 'timestamp',
	closedAt: 'timestamp',
	snoozedUntil: 'timestamp',
	lastCustomerActivityAt: 'timestamp',
	lastAgentActivityAt: 'timestamp',
	isShared: 'boolean',
	id: 'text',
	createdAt: 'timestamp',
	updatedAt: 'timestamp',
} as const satisfies Record<string, ColumnKind>;

/** The name of a ticket column. */
export type Column = keyof typeof columnKinds;

/** The names of all ticket columns. */
export const columns = Object.keys(columnKinds) as [Column, ...Column[]];

/** The columns that always hold a value. */
export const requiredColumns: ReadonlySet<Column> = new Set<Column>([
	'workspaceId',
	'ticketNumber',
	'ticketTypeId',
	'title',
	'source',
	'statusId',
	'priority',
	'isShared',
	'id',
	'createdAt',
	'updatedAt',
]);

/** Makes an object with one member for each ticket column. */
export function mapColumns<T>(make: (column: Column, kind: ColumnKind) => T): Record<Column, T> {
	const entries = columns.map((column) => [column, make(column, columnKinds[column])] as const);
	return Object.fromEntries(entries) as Record<Column, T>;
}
