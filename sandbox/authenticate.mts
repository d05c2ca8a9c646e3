import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod/v4';
import { credentials } from './credentials.mts';
import type { Operation } from './operations.mts';
import { readRefusal, refusal } from './reply.mts';
import type { Reply } from './reply.mts';

const uuid = z.uuid();

/** Returns the status for wrong headers, if any; 400 is for headers that break the schema. */
function refusedStatus(
	operation: Operation,
	headers: IncomingHttpHeaders,
): 400 | 401 | 403 | undefined {
	if (headers['x-api-key'] !== credentials.apiKey) return 401;
	const bearer = `Bearer ${credentials.accessToken}`;
	if (operation === 'createCustomers' && headers.authorization !== bearer) return 401;
	const workspace = String(headers['x-workspace-id'] ?? '');
	if (!uuid.safeParse(workspace).success) return 400;
	if (workspace.toLowerCase() !== credentials.workspaceId) return 403;
	if (operation !== 'createCustomers' && operation !== 'searchTickets') return undefined;
	const slug = headers['x-workspace-slug'];
	if (slug === undefined || slug === '') return 400;
	return slug === credentials.workspaceSlug ? undefined : 403;
}

/** Refuses a request with missing or wrong credentials; undefined accepts it. */
export function authenticate(
	operation: Operation,
	request: { headers: IncomingHttpHeaders; path: string },
): Reply | undefined {
	const status = refusedStatus(operation, request.headers);
	if (!status) return undefined;
	if (operation !== 'getConversation') return refusal(status);
	// The documented reply is "Conversation not found or access denied".
	return readRefusal(status === 403 ? 404 : status, request.path);
}
