import type { Conversation } from '../../../../src/conversations/get/conversation';
import {
	conversationSchema,
	simpleConversationSchema,
	simplify,
} from '../../../../src/conversations/get/conversation';
import { uuidOf } from '../../../support/samples';

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
const READING = {
	finishedStates: ['completed'],
	callAgainReasons: ['user_did_not_answer'],
};
const OPEN = { finished: false, reached: 'unknown', callAgain: false };
const simple = (fields: Partial<Conversation>) => simplify({ id: 'x', ...fields }, READING);

describe('a conversation', () => {
	it('is passed on whole, with fields that no one knows', () => {
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
	it('has what people write back to a CRM, without fields that are null', () => {
		expect(Object.keys(simpleConversationSchema.shape)).toEqual(
			expect.arrayContaining([
				...['customerId', 'agentId', 'callStartTime', 'postCallNotes', 'postCallMetadata'],
				...['postCallCategory1', 'postCallCategory2', 'postCallCategory3'],
			]),
		);
		expect(simplify(whole, READING)).toEqual({
			conversationId: uuidOf(1),
			conversationStatus: 'completed',
			finished: true,
			reached: false,
			callAgain: true,
			endReason: 'user_did_not_answer',
			toPhoneNumber: '+14155550178',
			customerId: uuidOf(4),
			agentId: uuidOf(2),
			callStartTime: '2026-01-15T12:00:00.000Z',
			postCallNotes: 'call again',
			durationSeconds: 90.5,
			summary: '',
			dynamicVariables: { firstName: 'Ana' },
		});
		expect(simple({ summary: null, endReason: null })).toEqual({
			conversationId: 'x',
			...OPEN,
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

describe('whether a person was reached', () => {
	const over = { conversationStatus: 'completed' };
	const joined = { userJoinTime: '2026-01-15T12:00:00.000Z' };
	const unanswered = { endReason: ' User_did_not_answer ' };
	it.each([
		['someone joined', { ...over, ...joined }, true, false],
		['someone joined a call in progress', joined, true, false],
		['no one answered', { ...over, ...unanswered }, false, true],
		['no one answered, and it is not over', unanswered, 'unknown', false],
		['it says both', { ...over, ...joined, ...unanswered }, 'unknown', false],
		['the reason is not known', { ...over, endReason: 'voicemail' }, 'unknown', false],
		['there is no reason', { ...over, endReason: null }, 'unknown', false],
		['the join time is blank', { ...over, ...unanswered, userJoinTime: ' ' }, false, true],
	] as const)('is told where %s', (_, fields, reached, callAgain) => {
		expect(simple(fields)).toMatchObject({ reached, callAgain });
	});
});
