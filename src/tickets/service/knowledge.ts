import type { CallError } from '../../core/client';
import type { Result } from '../../core/result';
import type { Dialect, SortRule } from '../search/query';
import { formal } from '../search/query';
import type { Page } from '../ticket';
import type { Member } from './dialect';

/** What the pages of a run have shown of the service; each assumption of `assumptions.md` that can be measured is here. */
export interface Knowledge {
	/** How it writes sort and select, by the last page that came. */
	dialect: Dialect;
	/** The members of a search that it took in one dialect, and those that it ignores in each. */
	readonly taken: Set<Member>;
	readonly ignored: Set<Member>;
	/** The spellings of a sort that a page showed to be ignored; other pages may be in order by chance. */
	readonly ignoredSorts: Set<Dialect['sort']>;
	/** Whether empty values come first, by the direction of a sort. */
	readonly nullsFirst: Partial<Record<SortRule['direction'], boolean>>;
	/** The most rules of a sort that it takes, where it takes few. */
	maxRules?: number;
	/** So many rules were taken, so no refusal is about them. */
	rulesTaken: number;
	/** The most tickets of a page that it was measured to give, where it gives fewer than were asked for. */
	pageSize?: number;
	/** Whether it hides tickets after it cut a page, so a page shows only some of its places. */
	hides?: boolean;
	/** Whether pages were found to have no end, so no other search looks for it. */
	isEndless?: Promise<boolean>;
	/** Whether it knows escapes in patterns, by a search that could have shown otherwise. */
	escapes?: boolean;
	/** Whether one plain search may show that all are rejected alike; a single search shows that by itself. */
	mayProbe: boolean;
	/** Whether any page came. */
	isUp: boolean;
	/** Told of the first page that came. */
	onPage?: () => void;
	/** Why nothing more is sent. */
	down?: CallError;
	/** Requests in a row that ended without a response that could be used. */
	failures: number;
}

/** A service about which nothing is known yet. */
export const unknownService = (dialect = formal): Knowledge => ({
	dialect,
	taken: new Set(),
	ignored: new Set(),
	ignoredSorts: new Set(),
	nullsFirst: {},
	mayProbe: false,
	isUp: false,
	rulesTaken: 0,
	failures: 0,
});

/** Statuses that no other search would change: the key, the path or the method is wrong. */
const NO_WAY_IN: readonly number[] = [401, 404, 405];

/** So many requests in a row without a response, or with a redirect, end the sending of a run. */
const MAX_FAILURES = 3;

/** Notes how a request ended, and whether the service is to be left alone; a list of ours may itself be what it cannot take. */
export function noteResult(
	known: Knowledge,
	result: Result<Page, CallError>,
	isList: boolean,
): void {
	if (result.ok) {
		known.failures = 0;
		return;
	}
	const { failure } = result;
	if (failure.kind === 'contract') return;
	const status = failure.kind === 'api' ? failure.status : 0;
	const isRedirect = status >= 300 && status < 400;
	const isOut = status === 0 || status === 408 || status === 429 || status >= 500 || isRedirect;
	if (isOut && !(isList && known.isUp)) known.failures += 1;
	const isDenied = NO_WAY_IN.includes(status) || (status === 403 && !isList);
	if (isDenied || known.failures >= MAX_FAILURES) known.down ??= failure;
}
