import fc from 'fast-check';
import { conversationIdOf, conversationReplies } from '../../../src/conversations/responses';
import { AGENT, phoneOf, uuidOf } from '../../support/samples';

const planned = (count: number) =>
	Array.from({ length: count }, (_, n) => ({
		conversation: {
			agentId: AGENT,
			conversationType: 'telephony',
			toPhoneNumber: phoneOf(n),
			dynamicVariables: {},
		},
		campaignKey: '',
		personId: '',
	}));

const paired = (...replies: unknown[]) => replies;
const shared = undefined;
const [a, b] = [{ id: '1' }, { id: '2' }];

describe('the reply to a request of conversations', () => {
	it.each([
		['a list of the same length', [a, b], 2, paired(a, b)],
		['an object that holds one', { conversations: [a, b], ok: true }, 2, paired(a, b)],
		['a list of one', [a], 1, paired(a)],
		['an object for one', a, 1, paired(a)],
		['text for one', 'x', 1, paired('x')],
		[
			'one with an ID that holds a list of one',
			{ id: '1', tags: ['x'] },
			1,
			paired({ id: '1', tags: ['x'] }),
		],
		[
			'one with a conversation ID and a list',
			{ conversationId: '1', a: [b] },
			1,
			paired({ conversationId: '1', a: [b] }),
		],
		['an object for one that holds a list of one', { list: [a] }, 1, paired(a)],
		['a wrapper with an ID of its own', { id: '9', conversations: [a] }, 1, paired(a)],
		[
			'a list in another order that names the numbers',
			[
				{ id: 'x', toPhoneNumber: phoneOf(1) },
				{ id: 'y', toPhoneNumber: phoneOf(0) },
			],
			2,
			paired({ id: 'y', toPhoneNumber: phoneOf(0) }, { id: 'x', toPhoneNumber: phoneOf(1) }),
		],
		[
			'a list that names other numbers',
			[{ toPhoneNumber: '+1' }, { toPhoneNumber: '+2' }],
			2,
			shared,
		],
		['nothing for one', undefined, 1, paired(undefined)],
		['nulls', [null, a], 2, paired(null, a)],
		['a list of another length', [a], 2, shared],
		['two lists of the same length', { a: [1, 2], b: [3, 4] }, 2, shared],
		['one that fits and one that does not', { a: [1, 2], b: [] }, 2, paired(1, 2)],
		['an object', { ok: true }, 2, shared],
		['a list two deep', { data: { list: [a, b] } }, 2, shared],
		['text', 'done', 2, shared],
		['nothing', undefined, 2, shared],
		['null', null, 2, shared],
		['a number', 7, 2, shared],
	])('is split where it is %s', (_, reply, count, expected) => {
		expect(conversationReplies(reply, planned(count))).toEqual(expected);
	});

	it('is one reply for each conversation or one for all, whatever it is', () => {
		fc.assert(
			fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 5 }), (reply, count) => {
				const split = conversationReplies(reply, planned(count));
				if (count === 1) expect(split).toHaveLength(1);
				if (split) expect(split).toHaveLength(count);
				for (const part of split ?? [])
					expect(['string', 'object']).toContain(typeof conversationIdOf(part));
			}),
		);
	});
});

describe('the conversation ID', () => {
	it.each([
		[{ id: 'x' }, 'x'],
		[{ conversationId: 'x' }, 'x'],
		[{ id: 'x', conversationId: 'y' }, 'x'],
		[{ id: 5 }, null],
		[{ ID: 'x' }, null],
		[uuidOf(1), uuidOf(1)],
		['started', null],
		[null, null],
		[[], null],
		[5, null],
	])('in %j is %j', (reply, expected) => {
		expect(conversationIdOf(reply)).toBe(expected);
	});
});
