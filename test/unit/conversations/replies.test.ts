import fc from 'fast-check';
import {
	conversationIdOf,
	conversationReplies,
	rowReply,
} from '../../../src/conversations/replies';

const paired = (...replies: unknown[]) => replies.map((reply) => ({ paired: true, reply }));
const shared = (reply: unknown, count: number) =>
	new Array<unknown>(count).fill({ paired: false, reply });
const [a, b] = [{ id: '1' }, { id: '2' }];

describe('the reply to a request of conversations', () => {
	it.each([
		['a list of the same length', [a, b], 2, paired(a, b)],
		['an object that holds one', { conversations: [a, b], ok: true }, 2, paired(a, b)],
		['a list of one', [a], 1, paired(a)],
		['an object for one', a, 1, paired(a)],
		['text for one', 'x', 1, paired('x')],
		['nothing for one', undefined, 1, paired(null)],
		['nulls', [null, a], 2, paired(null, a)],
		['a list of another length', [a], 2, shared([a], 2)],
		[
			'two lists of the same length',
			{ a: [1, 2], b: [3, 4] },
			2,
			shared({ a: [1, 2], b: [3, 4] }, 2),
		],
		['one that fits and one that does not', { a: [1, 2], b: [] }, 2, paired(1, 2)],
		['an object', { ok: true }, 2, shared({ ok: true }, 2)],
		['a list two deep', { data: { list: [a, b] } }, 2, shared({ data: { list: [a, b] } }, 2)],
		['text', 'done', 2, shared('done', 2)],
		['nothing', undefined, 2, shared(null, 2)],
		['null', null, 2, shared(null, 2)],
		['a number', 7, 2, shared(7, 2)],
	])('is split where it is %s', (_, reply, count, expected) => {
		expect(conversationReplies(reply, count)).toEqual(expected);
	});

	it('is one reply for each conversation, whatever it is, and survives as JSON', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 5 }), (reply, count) => {
				const split = conversationReplies(reply, count);
				expect(split).toHaveLength(count);
				for (const part of split) {
					expect(rowReply.parse(JSON.parse(JSON.stringify(part)))).toEqual(
						JSON.parse(JSON.stringify(part)),
					);
					expect(['string', 'object']).toContain(typeof conversationIdOf(part));
				}
			}),
		);
	});
});

describe('the conversation ID', () => {
	it.each([
		[{ paired: true, reply: { id: 'x' } }, 'x'],
		[{ paired: true, reply: { conversationId: 'x' } }, 'x'],
		[{ paired: true, reply: { id: 'x', conversationId: 'y' } }, 'x'],
		[{ paired: true, reply: { id: 5 } }, null],
		[{ paired: true, reply: { ID: 'x' } }, null],
		[{ paired: true, reply: null }, null],
		[{ paired: true, reply: [] }, null],
		[{ paired: true, reply: 5 }, null],
		[{ paired: false, reply: { id: 'x' } }, null],
		[{ paired: false, reply: 'x' }, null],
	])('in %j is %j', (reply, expected) => {
		expect(conversationIdOf(reply)).toBe(expected);
	});
});
