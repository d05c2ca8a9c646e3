import type { Conversation } from '../../../src/conversations/conversation';
import {
	conversationSchema,
	simpleConversationSchema,
	simplify,
} from '../../../src/conversations/conversation';
import { uuidOf } from '../../support/samples';

const whole: Conversation = {
	id: uuidOf(1),
	phoneId: null,
	agentId: uuidOf(2),
	workspaceId: uuidOf(3),
	wsUrl: null,
	llmUrl: null,
	callStartTime: '2026-01-15T12:00:00.000Z',
	callEndTime: '2026-01-15T12:01:30.500Z',
	userJoinTime: null,
	userLeaveTime: '2026-01-15T12:01:30.000Z',
	customerId: uuidOf(4),
	toPhoneNumber: '+14155550178',
	fromPhoneNumber: null,
	conversationStatus: 'completed',
	telephonyType: 'outbound',
	telephonyStatus: null,
	endReason: 'user_did_not_answer',
	recordingStatus: null,
	postCallNotes: 'call again',
	postCallCategory1: null,
	postCallMetadata: null,
	conversationType: 'telephony',
	dynamicVariables: '{"firstName":"Ana"}',
	summary: '',
	createdAt: '2026-01-15T12:00:00.000Z',
	updatedAt: '2026-01-15T12:00:00.000Z',
};
const STATES = ['completed'];
const simple = (fields: Partial<Conversation>) => simplify({ id: 'x', ...fields }, STATES);

describe('a conversation', () => {
	it('is passed on whole, with fields that nobody knows', () => {
		const more = { ...whole, colour: 'red', postCallMetadata: [1] };
		expect(conversationSchema.parse(more)).toEqual(more);
		expect(conversationSchema.parse({ id: 'x' })).toEqual({ id: 'x' });
	});

	it.each([{}, { id: 5 }, { id: null }, null, [], 'x', { id: 'x', callEndTime: 5 }])(
		'is not %j',
		(value) => {
			expect(conversationSchema.safeParse(value).success).toBe(false);
		},
	);
});

describe('a simplified conversation', () => {
	it('has at most ten fields, without those that are null', () => {
		expect(Object.keys(simpleConversationSchema.shape).length).toBeLessThanOrEqual(10);
		expect(simplify(whole, STATES)).toEqual({
			conversationId: uuidOf(1),
			conversationStatus: 'completed',
			finished: true,
			endReason: 'user_did_not_answer',
			toPhoneNumber: '+14155550178',
			callStartTime: '2026-01-15T12:00:00.000Z',
			durationSeconds: 90.5,
			summary: '',
			postCallNotes: 'call again',
			dynamicVariables: { firstName: 'Ana' },
		});
		expect(simple({ summary: null, endReason: null })).toEqual({
			conversationId: 'x',
			finished: false,
		});
	});

	it('is what its schema says', () => {
		expect(simpleConversationSchema.parse(simplify(whole, STATES))).toEqual(
			simplify(whole, STATES),
		);
		expect(simpleConversationSchema.parse(simple({ dynamicVariables: 5 }))).toEqual({
			conversationId: 'x',
			finished: false,
			dynamicVariables: { text: 5 },
		});
	});

	it.each([
		['{"a":1}', { a: 1 }],
		[{ a: 1 }, { a: 1 }],
		['{}', {}],
		['{broken', { text: '{broken' }],
		['words', { text: 'words' }],
		['[1]', { text: '[1]' }],
		['"x"', { text: '"x"' }],
		['null', { text: 'null' }],
		[[1], { text: [1] }],
		[5, { text: 5 }],
		[false, { text: false }],
	])('reads the variables %j', (dynamicVariables, expected) => {
		expect(simple({ dynamicVariables }).dynamicVariables).toEqual(expected);
	});

	it.each([null, undefined, ''])('has no variables where they are %j', (dynamicVariables) => {
		expect(simple({ dynamicVariables })).toEqual({
			conversationId: 'x',
			finished: false,
		});
	});

	it('keeps a variable that has the name of the prototype', () => {
		const variables = simple({ dynamicVariables: '{"__proto__":{"a":1}}' }).dynamicVariables;
		expect(JSON.stringify(variables)).toBe('{"__proto__":{"a":1}}');
		expect(Object.getPrototypeOf(variables)).toBe(Object.prototype);
	});

	it.each([
		['2026-01-15T12:00:00Z', '2026-01-15T12:00:00Z', 0],
		['2026-01-15T12:00:00Z', '2026-01-15T13:00:00Z', 3600],
		['2026-01-15T12:00:00Z', '2026-01-15T11:00:00Z', undefined],
		['2026-01-15T12:00:00Z', null, undefined],
		[null, '2026-01-15T12:00:00Z', undefined],
		[undefined, undefined, undefined],
		['soon', 'later', undefined],
	])('lasts from %s to %s %s seconds', (callStartTime, callEndTime, expected) => {
		expect(simple({ callStartTime, callEndTime }).durationSeconds).toBe(expected);
	});
});
