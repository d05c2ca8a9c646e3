import { z } from 'zod/v4';
import type { Desk, Operation, RowResult } from '../core/operation';
import { eachRow } from '../core/operation';
import { path } from '../core/request';
import { uuid } from '../core/uuid';
import type { Conversation } from './conversation';
import { conversationSchema, simpleConversationSchema, simplify } from './conversation';

const PARALLEL = 5;
const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const AFTER_CONVERSATIONS = /\/conversations\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** The ID in a web address: the one behind `/conversations/`, or else the last one. */
function idIn(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*https?:\/\//i.test(value)) return value;
	const [address = ''] = value.split(/[?#]/);
	return AFTER_CONVERSATIONS.exec(address)?.[1] ?? address.match(UUIDS)?.at(-1) ?? value;
}

const input = z.looseObject({
	conversationId: z.preprocess(idIn, uuid),
	simplify: z.boolean().default(true),
});

/** Reads conversations by their IDs (interface: GET /conversations/{conversationId}). */
export const get: Operation = {
	output: simpleConversationSchema,
	run: eachRow(input, PARALLEL, () => getRow),
};

async function getRow(row: z.infer<typeof input>, desk: Desk): Promise<RowResult> {
	const request = {
		method: 'GET' as const,
		path: path`/conversations/${row.conversationId}`,
		repeatable: true, // Reading changes nothing.
	};
	const read = await desk.client.call<Conversation>(request, conversationSchema);
	if (!read.ok) return { items: [], failure: read.failure };
	return { items: [row.simplify ? simplify(read.value) : read.value] };
}
