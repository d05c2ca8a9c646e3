import type { Scenario } from './scenario.mts';
import { longList, reading, starting } from './scenarios/conversations.mts';
import { customers, mapping } from './scenarios/customers.mts';
import { growth } from './scenarios/growth.mts';
import { getPerRow, searchPerRow } from './scenarios/lookups.mts';
import { loading, rowOverhead } from './scenarios/overhead.mts';
import { searches } from './scenarios/searchAll.mts';
import { pressed } from './scenarios/pressed.mts';
import { selective } from './scenarios/selective.mts';
import { capacity, tokens, wideArea } from './scenarios/services.mts';

/** All parts of the benchmark, in their order. */
export const scenarios: readonly Scenario[] = [
	...searches,
	growth,
	selective,
	tokens,
	capacity,
	wideArea,
	searchPerRow,
	getPerRow,
	customers,
	mapping,
	...starting,
	longList,
	pressed,
	reading,
	rowOverhead,
	loading,
];
