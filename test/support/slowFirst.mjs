import Sequencer from '@jest/test-sequencer';

/** Files that take longest: begun last, they would leave one of the processors with nothing to do. */
const slow = [
	'sandboxMoving',
	'sandboxConversations',
	'phoneNumber.attack',
	'pollSchedules',
	'hostile.attack',
	'bulkSchedules',
	'linearWork.attack',
	'randomSearches',
	'compare.test',
	'histories',
	'memory',
];

const placeOf = ({ path }) => {
	const place = slow.findIndex((name) => path.includes(name));
	return place === -1 ? slow.length : place;
};

/** Begins with the slow files, on a machine that has not run them yet, too. */
export default class SlowFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
	}
}
