import {
	endReasons,
	finishedStates,
	isFinished,
} from '../../../../src/conversations/get/conversation';

const states = (value: unknown) => finishedStates.parse(value);

describe('the states in which a conversation is finished', () => {
	it.each([
		['completed', ['completed']],
		[' Completed , FAILED,, ', ['completed', 'failed']],
		['failed; canceled\nbusy', ['failed', 'canceled', 'busy']],
		[
			['No Answer', 'busy '],
			['no answer', 'busy'],
		],
	])('are read from %j', (value, expected) => {
		expect(states(value)).toEqual(expected);
	});

	it.each(['', ' , ,', []])('are refused where %j names none', (value) => {
		expect(finishedStates.safeParse(value).error?.issues[0]?.message).toBe(
			'is empty. Enter statuses, e.g. completed, failed',
		);
	});

	it.each([5, true, {}, null, ['completed', 5]])('are refused as %j', (value) => {
		expect(finishedStates.safeParse(value).error?.issues[0]?.message).toBe(
			'must be names of statuses separated by commas, e.g. completed, failed',
		);
	});
});

it('takes end reasons alike, and refuses the nothing that an expression gives', () => {
	expect(endReasons.parse(' No Answer ;busy,, ')).toEqual(['no answer', 'busy']);
	const refusal = (value: unknown) => endReasons.safeParse(value).error?.issues[0]?.message;
	expect(refusal('')).toBe('is empty. Enter end reasons, e.g. user_did_not_answer');
	expect(refusal([5])).toBe(
		'must be names of end reasons separated by commas, e.g. user_did_not_answer',
	);
});

describe('a conversation', () => {
	it.each([
		[{ conversationStatus: 'completed' }, true],
		[{ conversationStatus: ' COMPLETED ' }, true],
		[{ conversationStatus: 'completed_with_errors' }, false],
		[{ conversationStatus: 'in_progress' }, false],
		[{ conversationStatus: '' }, false],
		[{ conversationStatus: null }, false],
		[{}, false],
		[{ conversationStatus: 'in_progress', callEndTime: '2026-01-15T12:00:00Z' }, true],
		[{ callEndTime: null }, false],
		[{ callEndTime: ' ' }, false],
		[{ callEndTime: '0001-01-01T00:00:00Z' }, false],
		[{ callEndTime: '1970-01-01T00:00:00.000Z' }, false],
	])('%j is finished: %s', (fields, expected) => {
		expect(isFinished({ id: 'x', ...fields }, ['completed'])).toBe(expected);
	});

	it('is finished in every state of the list', () => {
		expect(isFinished({ id: 'x', conversationStatus: 'Failed' }, states('completed, failed'))).toBe(
			true,
		);
	});
});
