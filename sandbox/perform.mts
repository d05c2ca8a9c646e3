import type { IncomingHttpHeaders } from 'node:http';
import { authenticate } from './authenticate.mts';
import { createConversations } from './createConversations.mts';
import { createCustomers } from './createCustomers.mts';
import { getConversation } from './getConversation.mts';
import type { Operation } from './operations.mts';
import { parseJson } from './readBody.mts';
import { refusal } from './reply.mts';
import type { Reply } from './reply.mts';
import { searchTickets } from './searchTickets.mts';
import type { World } from './world.mts';

const writers = { searchTickets, createCustomers, createConversations };

/** A request with its body read; `text` is undefined when the body was too large. */
export interface FullRequest {
	headers: IncomingHttpHeaders;
	path: string;
	text: string | undefined;
}

/** Does the work of one operation: credentials, media type, JSON, schema, and then the thing itself. */
export function perform(world: World, operation: Operation, request: FullRequest): Reply {
	const refused = authenticate(operation, request);
	if (refused) return refused;
	if (operation === 'getConversation') return getConversation(world, request.path);
	const mediaType = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	if (mediaType !== 'application/json') return refusal(400);
	if (request.text === undefined) return refusal(413);
	const body = parseJson(request.text);
	return body === undefined ? refusal(400) : writers[operation](world, body);
}
