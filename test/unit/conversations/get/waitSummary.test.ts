import { notFinished } from '../../../../src/conversations/get/waitSummary';

it.each([
	[1_000, '1 second'],
	[59_950, '60 seconds'],
	[60_000, '1 minute'],
	[61_000, '61 seconds'],
	[119_999, '120 seconds'],
	[120_000, '2 minutes'],
	[150_000, '2.5 minutes'],
])('says %d ms as %s', (ms, words) => {
	expect(notFinished({ id: 'x', conversationStatus: 'ringing' }, ms).message).toBe(
		`The conversation was not finished after ${words}, its status is 'ringing'`,
	);
	expect(notFinished({ id: 'x' }, ms).message).toContain('it has no status');
});
