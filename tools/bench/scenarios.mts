import type { Scenario } from './scenario.mts';
import { reading, starting } from './scenarios/conversations.mts';
import { customers, mapping } from './scenarios/customers.mts';
import { depth } from './scenarios/depth.mts';
import { growth } from './scenarios/growth.mts';
import { getPerRow, searchPerRow } from './scenarios/lookups.mts';
import { peak } from './scenarios/memory.mts';
import { nightly } from './scenarios/nightly.mts';
import { loading, rowOverhead } from './scenarios/overhead.mts';
import { searches } from './scenarios/searchAll.mts';
import { selective } from './scenarios/selective.mts';
import { sortByOffset } from './scenarios/sortByOffset.mts';

/** All parts of the benchmark, in their order. */
export const scenarios: readonly Scenario[] = [
	...searches,
	growth,
	depth,
	selective,
	sortByOffset,
	searchPerRow,
	getPerRow,
	customers,
	mapping,
	nightly,
	starting,
	reading,
	rowOverhead,
	loading,
	peak,
];
