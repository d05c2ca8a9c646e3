import { z } from 'zod/v4';
import type { Bulk } from '../bulk/bulk';
import type { Duplicates } from '../bulk/holds';
import type { Order } from '../bulk/order';
import type { Accepted } from '../bulk/outcomes';
import type { BulkItem } from '../bulk/run';
import { inBulk } from '../bulk/run';
import type { Operation } from '../core/operation';
import { parseRow } from '../core/operation';
import { readPhoneNumber } from '../core/phoneNumber';
import type { Input } from './createInput';
import { input, isBlank } from './createInput';
import type { NewConversation } from './newConversation';
import { conversationIdOf, conversationReplies } from './replies';

/** The most bytes of conversations in one request; the interface shows no limit. */
const LARGEST_BODY = 4_000_000;

/** One conversation that the service took; what it answered is in `reply`, its shape is not documented. */
const output = z.object({
	outcome: z.literal('accepted'),
	conversationId: z.string().nullable(),
	toPhoneNumber: z.string(),
	agentId: z.string(),
	batch: z.int(),
	reply: z.unknown(),
});

/** A conversation that the service took, with its ID where the reply tells it. */
type Started = Pick<z.infer<typeof output>, 'conversationId' | 'toPhoneNumber' | 'agentId'>;

/** All conversations that the service took with one request; `reply` is null where each of them had its own. */
interface ConversationsOfRequest {
	readonly outcome: 'accepted';
	readonly batch: number;
	readonly count: number;
	readonly conversations: ReadonlyArray<Started>;
	readonly reply: unknown;
}

const DUPLICATES = { callEvery: 'all', callOnce: 'first', stop: 'stop' } as const;

/** Starts conversations, many in one request (interface: POST /conversations). */
export const create: Operation<BulkItem<z.infer<typeof output>, ConversationsOfRequest>> = {
	output,
	run: inBulk({
		read: (row) => {
			const read = parseRow(input, row);
			return 'problems' in read ? read : orderOf(read.input);
		},
		identity: {
			of: ({ toPhoneNumber }: NewConversation) => toPhoneNumber,
			field: 'toPhoneNumber',
			name: 'phone number',
		},
		tooMany: (count, most) =>
			`Nothing was sent: ${count} conversations are more than 'Maximum Conversations' (${most}) allows. Raise it if you mean to start them all`,
		show: {
			one: (conversation, accepted) => ({
				outcome: 'accepted' as const,
				...started(conversation, accepted),
				batch: accepted.batch,
				reply: accepted.reply ?? null,
			}),
			all: (taken, batch): ConversationsOfRequest => ({
				outcome: 'accepted',
				batch,
				count: taken.length,
				conversations: taken.map(({ value, accepted }) => started(value, accepted)),
				reply: taken.find(({ accepted }) => !accepted.paired)?.accepted.reply ?? null,
			}),
		},
	}),
};

const orderOf = (row: Input): Order<NewConversation> => ({
	values: conversationsOf(row),
	terms: {
		group: JSON.stringify([
			row.options.dryRun,
			row.options.skipContacted,
			row.options.campaignKey,
			row.options.outputAs,
		]),
		invalidRows: row.options.invalidRows,
		duplicates: duplicatesOf(row),
		dryRun: row.options.dryRun,
		outputAs: row.options.outputAs,
		most: row.maximumConversations,
		bulk: () => bulkOf(row),
	},
	...(row.options.doNotCall && { barred: 'Not called, because the row is marked do not call' }),
});

const bulkOf = ({ options }: Input): Bulk<NewConversation> => ({
	operation: 'conversation:create',
	size: { count: options.batchSize, bytes: LARGEST_BODY },
	parallel: options.parallelRequests,
	pause: options.pause * 1000,
	request: (conversations) => ({
		method: 'POST',
		path: '/conversations',
		body: { conversations },
		repeatable: false, // Each conversation rings a phone.
		timeout: options.timeout,
	}),
	list: 'conversations',
	...(options.skipContacted && {
		memoryKey: ({ toPhoneNumber }) => JSON.stringify([options.campaignKey, toPhoneNumber]),
	}),
	replies: conversationReplies,
	isolate: false, // A conversation of a refused request may have been started all the same.
});

const started = (
	{ toPhoneNumber, agentId }: NewConversation,
	{ paired, reply }: Accepted,
): Started => ({
	conversationId: paired ? conversationIdOf(reply) : null,
	toPhoneNumber,
	agentId,
});

/** Nobody is called twice in a campaign that remembers whom it called. */
const duplicatesOf = ({ options: { duplicates, skipContacted } }: Input): Duplicates =>
	skipContacted && duplicates === 'callEvery' ? 'first' : DUPLICATES[duplicates];

function conversationsOf(row: Input): Array<NewConversation> {
	if (row.inputMode === 'json') return row.conversationsJson;
	if (row.inputMode === 'barred') {
		const { toPhoneNumber } = row;
		return [{ agentId: '', conversationType: '', toPhoneNumber, dynamicVariables: {} }];
	}
	const { agentId, conversationType, toPhoneNumber } = row;
	const entered = row.variablesMode === 'json' ? row.dynamicVariablesJson : row.dynamicVariables;
	const dynamicVariables = row.options.columnsAsVariables
		? { ...columnsOf(row.inputRow, toPhoneNumber), ...entered }
		: entered;
	return [{ agentId, conversationType, toPhoneNumber, dynamicVariables }];
}

/** The columns of a row as variables, without empty ones and the one that holds the number. */
function columnsOf(
	row: Readonly<Record<string, unknown>>,
	toPhoneNumber: string,
): Record<string, unknown> {
	const isNumber = (value: unknown): boolean => {
		const read = readPhoneNumber(value);
		return 'number' in read && read.number === toPhoneNumber;
	};
	return Object.fromEntries(
		Object.entries(row).filter(([, value]) => !isBlank(value) && !isNumber(value)),
	);
}
