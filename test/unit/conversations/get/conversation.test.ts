import isNull from 'lodash/isNull';
import omitBy from 'lodash/omitBy';
import type { Conversation } from '../../../../src/conversations/get/conversation';
import {
	conversationSchema,
	selectFields,
	simplifiedFields,
} from '../../../../src/conversations/get/conversation';
import { uuidOf } from '../../../support/samples';

const whole: Conversation = {
	id: uuidOf(1),
	agentId: uuidOf(2),
	workspaceId: uuidOf(3),
	wsUrl: null,
	callStartTime: '2026-01-15T12:00:00.000Z',
	callEndTime: '2026-01-15T12:01:30.500Z',
	userJoinTime: null,
	userLeaveTime: '2026-01-15T12:01:30.000Z',
	customerId: uuidOf(4),
	toPhoneNumber: '+14155550178',
	fromPhoneNumber: null,
	conversationStatus: 'completed',
	endReason: 'user_did_not_answer',
	postCallNotes: 'call again',
	postCallCategory1: null,
	postCallMetadata: null,
	conversationType: 'telephony',
	dynamicVariables: '{"firstName":"Ana"}',
	summary: '',
};
const READING = {
	finishedStates: ['completed'],
	callAgainReasons: ['user_did_not_answer'],
};
const OPEN = { finished: false, reached: 'unknown', callAgain: false };
const simplify = (conversation: Conversation) =>
	omitBy(selectFields(conversation, simplifiedFields, READING), isNull);
const simple = (fields: Partial<Conversation>) => simplify({ id: 'x', ...fields });

describe('a conversation', () => {
	it('is passed on whole, with fields that no one knows', () => {
		const more = { ...whole, colour: 'red', postCallMetadata: [1] };
		expect(conversationSchema.parse(more)).toEqual(more);
		expect(conversationSchema.parse({ id: 'x' })).toEqual({ id: 'x' });
	});

	it.each([{}, { id: 5 }, [], { id: 'x', callEndTime: 5 }])('is not %j', (value) => {
		expect(conversationSchema.safeParse(value).success).toBe(false);
	});
});

describe('a simplified conversation', () => {
	it('has what people write back to a CRM, what became of the call first and IDs last', () => {
		const names = Object.keys(selectFields(whole, simplifiedFields, READING));
		expect(names.slice(0, 4)).toEqual(['reached', 'conversationStatus', 'summary', 'callAgain']);
		expect(names.slice(-3)).toEqual(['conversationId', 'customerId', 'agentId']);
		expect(simplify(whole)).toEqual({
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
		['{broken', { text: '{broken' }],
		[5, { text: 5 }],
	])('reads the variables %j', (dynamicVariables, expected) => {
		expect(simple({ dynamicVariables })['dynamicVariables']).toEqual(expected);
	});

	it.each([
		['2026-01-15T12:00:00Z', '2026-01-15T13:00:00Z', 3600],
		['2026-01-15T12:00:00Z', '2026-01-15T11:00:00Z', undefined],
		['2026-01-15T12:00:00Z', null, undefined],
	])('lasts from %s to %s %s seconds', (callStartTime, callEndTime, expected) => {
		expect(simple({ callStartTime, callEndTime })['durationSeconds']).toBe(expected);
	});
});

describe('whether a person was reached', () => {
	const over = { conversationStatus: 'completed' };
	const joined = { userJoinTime: '2026-01-15T12:00:00.000Z' };
	const unanswered = { endReason: ' User_did_not_answer ' };
	it.each([
		['someone joined', { ...over, ...joined }, true, false],
		['no one answered', { ...over, ...unanswered }, false, true],
		['no one answered, and it is not over', unanswered, 'unknown', false],
		['it says both', { ...over, ...joined, ...unanswered }, true, false],
		['the reason is not known', { ...over, endReason: 'voicemail' }, 'unknown', false],
		['the join time is blank', { ...over, ...unanswered, userJoinTime: ' ' }, false, true],
	] as const)('follows from the fields where %s', (_, fields, reached, callAgain) => {
		expect(simple(fields)).toMatchObject({ reached, callAgain });
	});
});
