/** What the interface says about tickets, typed in a second time, so tests compare the code with the document. */

const NULL_EMPTY = ['isNull', 'isNotNull', 'isEmpty', 'isNotEmpty'];
const LIKE = ['iLike', 'notILike', 'like', 'notLike'];
const ORDER = ['gt', 'gte', 'lt', 'lte'];
const EQUAL = ['eq', 'ne', 'in', 'notIn'];

/** The order of the enum of `sort.field` in the interface. */
export const interfaceColumns: readonly string[] =
	'workspaceId, ticketNumber, ticketTypeId, title, description, summary, source, statusId, priority, customerId, createdByUserId, assigneeUserId, assignedTeamId, ownerUserId, ownerTeamId, conversationId, parentTicketId, mergedIntoTicketId, splitFromTicketId, flowId, agentId, firstResponseAt, resolvedAt, closedAt, snoozedUntil, lastCustomerActivityAt, lastAgentActivityAt, isShared, id, createdAt, updatedAt'.split(
		', ',
	);

const rows: ReadonlyArray<readonly [string, readonly string[]]> = [
	[
		'workspaceId, ticketTypeId, title, description, summary, statusId, customerId, createdByUserId, assigneeUserId, assignedTeamId, ownerUserId, ownerTeamId, conversationId, parentTicketId, mergedIntoTicketId, splitFromTicketId, flowId, agentId, id',
		[...EQUAL, ...NULL_EMPTY, ...LIKE],
	],
	['ticketNumber', [...EQUAL, ...NULL_EMPTY, ...ORDER]],
	['source', [...EQUAL, ...NULL_EMPTY, ...LIKE]],
	['priority', [...EQUAL, ...NULL_EMPTY, ...LIKE]],
	[
		'firstResponseAt, resolvedAt, closedAt, snoozedUntil, lastCustomerActivityAt, lastAgentActivityAt, createdAt, updatedAt',
		[...EQUAL, ...NULL_EMPTY, ...ORDER, 'isBetween', 'isRelativeToToday'],
	],
	['isShared', [...EQUAL, ...NULL_EMPTY]],
];

/** The operators of each column (interface: Filter operators by column kind). */
export const interfaceOperators: ReadonlyMap<string, readonly string[]> = new Map(
	rows.flatMap(([names, operators]) => names.split(', ').map((name) => [name, operators] as const)),
);

/** The values of source (interface: Ticket). */
export const interfaceSources: readonly string[] =
	'email, chat_widget, voice, whatsapp, sms, customer_portal, form, manual, api, slack, microsoft_teams, instagram, discord, telegram'.split(
		', ',
	);

/** The columns that the interface calls "or null", and those of a type without null. */
export const interfaceNullable: readonly string[] =
	'description, summary, customerId, createdByUserId, assigneeUserId, assignedTeamId, ownerUserId, ownerTeamId, conversationId'.split(
		', ',
	);
export const interfaceNotNull: readonly string[] =
	'workspaceId, ticketNumber, ticketTypeId, title, source, statusId, priority'.split(', ');
