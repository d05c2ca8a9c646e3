import {
	readConversationId,
	readOutcomes,
} from '../../../../src/conversations/create/readOutcomes';
import { uuidOf } from '../../../support/samples';

const ID = uuidOf(1);
const batchError = { code: 'BAD_REQUEST', message: 'Invalid input data', issues: [] };
const readError = { code: 'NOT_FOUND', message: 'Not found', data: { httpStatus: 404 } };

const read = (reply: unknown, sent: readonly unknown[]) =>
	readOutcomes({ outcome: 'accepted', request: 1, reply, isPaired: false }, sent).map(
		({ outcome }) => outcome,
	);

const A = 'accepted';
const R = 'rejected';
const U = 'unknown';

it.each<[unknown, readonly string[]]>([
	['', [A, A]],
	[{ id: ID }, [A, A]],
	[batchError, [R, R]],
	[
		[{ id: ID }, { error: 'x' }],
		[A, R],
	],
	[{ conversations: [ID, readError] }, [A, R]],
	[{ data: [null, {}] }, [A, A]],
	// An item that has an ID and rejects itself contradicts itself.
	[{ data: [{ id: ID, error: 'x' }, { success: true }] }, [U, A]],
	[
		[
			{ conversationId: ID, success: false },
			{ id: 5, error: 'x' },
		],
		[U, R],
	],
	[[], [U, U]],
	[{ success: false, data: [] }, [U, U]],
	// The rejected item has the number of another row.
	[
		[
			{ id: ID, toPhoneNumber: 'b' },
			{ error: 'x', toPhoneNumber: 'a' },
		],
		[U, U],
	],
	// The response reports a failure, so an item without an error is unknown.
	[{ success: false, conversations: [{ id: ID }, { error: 'x' }] }, [U, R]],
	[{ success: false, conversations: [{ id: ID }, {}] }, [U, U]],
])('a response %j means %j for two conversations', (body, expected) => {
	const sent = ['a', 'b'].map((toPhoneNumber) => ({ conversation: { toPhoneNumber } }));
	expect(read(body, sent)).toEqual(expected);
});

it.each<[unknown, string | null]>([
	[{ id: ID }, ID],
	[{ conversationId: ID }, ID],
	[{ data: { id: ID } }, ID],
	[ID, ID],
	[{ id: 5 }, null],
])('the ID in %j is %j', (reply, id) => {
	const accepted = { outcome: 'accepted', request: 1, reply } as const;
	expect(readConversationId({ ...accepted, isPaired: true })).toBe(id);
	expect(readConversationId({ ...accepted, isPaired: false })).toBeNull();
});
