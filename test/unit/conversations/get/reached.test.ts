import { endReasons, reachedBy } from '../../../../src/conversations/get/reached';

describe('who was reached', () => {
	const reached = (entered: unknown, conversation: object, finished = true) =>
		reachedBy({ id: 'x', ...conversation }, { finished, notReached: endReasons.parse(entered) });

	it('is read from names of end reasons', () => {
		expect(endReasons.parse(' No Answer ,busy,, ')).toEqual(
			endReasons.parse(['no answer', 'BUSY']),
		);
		expect(endReasons.parse(['', 'busy'])).toEqual(endReasons.parse('busy'));
		expect(endReasons.parse('')).toEqual([]);
	});

	it.each<[object, unknown, boolean]>([
		[{ endReason: 'No Answer' }, false, true],
		[{ endReason: 'no_answer', userJoinTime: '2026-01-15' }, 'unknown', false],
		[{ endReason: 'hangup', userJoinTime: '2026-01-15' }, true, false],
		[{ endReason: 'hangup', userJoinTime: ' ' }, 'unknown', false],
		[{ endReason: '' }, 'unknown', false],
		[{ endReason: null, userJoinTime: null }, 'unknown', false],
		[{}, 'unknown', false],
	])('is told by %j', (conversation, expected, callAgain) => {
		expect(reached('no answer, no_answer', conversation)).toEqual({ reached: expected, callAgain });
	});

	it('is open while the conversation goes on', () => {
		expect(reached('busy', { endReason: 'busy' }, false)).toEqual({
			reached: 'unknown',
			callAgain: false,
		});
	});
});
