import Sequencer from '@jest/test-sequencer';

/** Files that take longest: begun last, they would leave one of the processors with nothing to do. */
const slow = [
	'12-search-on-moving-data',
	'sandbox.test',
	'phoneNumber.attack',
	'pollSchedules',
	'hostile.attack',
	'01-one-outcome',
	'randomSearches',
	'compareWithSent',
	'histories',
	'05-contacts-across',
];

const placeOf = ({ path }) => {
	const place = slow.findIndex((name) => path.includes(name));
	return place === -1 ? slow.length : place;
};

/** Runs the slow files first, even on a machine that has not run them yet. */
export default class SlowFirst extends Sequencer {
	sort(tests) {
		return super.sort(tests).sort((a, b) => placeOf(a) - placeOf(b));
	}
}
