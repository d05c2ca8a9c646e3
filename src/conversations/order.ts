import type { Bulk } from '../bulk/bulk';
import type { Duplicates } from '../bulk/holds';
import type { Order } from '../bulk/order';
import { readPhoneNumber } from '../core/phoneNumber';
import type { Input } from './createInput';
import { isBlank } from './createInput';
import type { NewConversation } from './newConversation';
import { conversationReplies } from './replies';

/** The most bytes of conversations in one request; the interface shows no limit. */
const LARGEST_BODY = 4_000_000;

const DUPLICATES = { callEvery: 'all', callOnce: 'first', stop: 'stop' } as const;

/** What the parameters of one row want to start, and on which terms. */
export const orderOf = (row: Input): Order<NewConversation> => ({
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
