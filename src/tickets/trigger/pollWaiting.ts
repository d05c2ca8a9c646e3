import isEqual from 'lodash/isEqual';
import sortBy from 'lodash/sortBy';
import { MINUTE_MS } from '../../core/time';
import { readWhole } from '../search/readTickets';
import { fetchPage } from '../service/fetchPage';
import type { Ticket } from '../ticket';
import type { Change, Changes } from './changes';
import { changeOf, changesIn, isoOf, withTimes } from './changes';
import type { Poll, Settle } from './input';
import { lastDue, OLD, remember } from './memory';
import type { TriggerState } from './state';

/** The most tickets that wait at once and are remembered. */
const MAX_WAITING = 5_000;
const NEVER_MS = 0;

/** The moment up to which the time of a ticket has passed. */
const dueMs = ({ nowMs, wait }: Poll): number => nowMs - (wait?.delay ?? 0) * MINUTE_MS;

/** What the first poll leaves behind: whatever waits now is old, with its reminders. */
export async function beginWaiting(poll: Poll): Promise<Settle> {
	const floorMs = await floorOf(poll);
	const { changes, failure, malformed } = await readWaiting(poll, floorMs);
	if (failure) return () => ({ fresh: [], failure });
	const kept = remember({}, changes, { floorMs, minutes: () => OLD });
	const told = kept.floorMs > NEVER_MS ? (['waiting'] as const) : [];
	return () => ({ fresh: [], malformed, after: { cursorMs: dueMs(poll), ...kept }, told });
}

/** From when on what waits is remembered: always, or from the time of the newest that can be. */
async function floorOf(poll: Poll): Promise<number> {
	const { column, query, reader } = poll;
	const filters = withTimes(query, column, { lte: isoOf(dueMs(poll)) });
	const sort = [{ column, direction: 'desc' as const }];
	const rowAt = async (offset: number): Promise<Ticket | undefined> => {
		const span = { limit: reader.pageSize, offset };
		const page = await fetchPage({ ...query, filters, sort }, span, reader);
		return page.ok ? page.value.data[0] : undefined;
	};
	// A service may take no such offset, or answer with another place; whether it takes searches shows when all is read.
	const row = await rowAt(MAX_WAITING);
	const change = row && changeOf(row, column);
	const isThere = change && !isEqual(row, await rowAt(MAX_WAITING - reader.pageSize));
	return isThere ? change.atMs + 1 : NEVER_MS;
}

/** Reads all that waits now. */
async function readWaiting(poll: Poll, floorMs: number): Promise<Changes> {
	const { column, query, reader, applies } = poll;
	const toMs = dueMs(poll);
	const filters = withTimes(query, column, { gte: isoOf(floorMs), lte: isoOf(toMs) });
	const { rows, failure } = await readWhole({ ...query, filters, sort: [] }, reader);
	const read = changesIn(rows, { column, fromMs: floorMs, toMs });
	const changes = read.changes.filter(({ ticket, atMs }) => applies(ticket) && atMs >= floorMs);
	return { ...(failure && { failure }), ...read, changes };
}

/** Reads what waits, and gives the tickets that were not handed out, or are due again. */
export async function pollWaiting(poll: Poll, before: TriggerState): Promise<Settle> {
	const { changes, malformed, failure } = await readWaiting(poll, before.floorMs);
	const { delay = 0, repeat = 0 } = poll.wait ?? {};
	return ({ seen, floorMs } = before) => {
		/** How many minutes have passed since a ticket was due: first after the wait, then with each repeat from when it was last. */
		const passed = (change: Change): number =>
			(poll.nowMs - change.atMs) / MINUTE_MS - (lastDue(seen, change) ?? delay);
		const isDue = (change: Change): boolean => {
			const last = lastDue(seen, change);
			return last === undefined || (last !== OLD && repeat > 0 && passed(change) >= repeat);
		};
		/** Rounded, so one that comes late is not followed by its next reminder at once. */
		const minutes = (change: Change): number => {
			const repeats = repeat > 0 && isDue(change) ? Math.round(passed(change) / repeat) : 0;
			return (lastDue(seen, change) ?? delay) + repeat * Math.max(0, repeats);
		};
		// Where there are more than the maximum, reminders do not keep back what was never returned.
		const isReminder = (change: Change): boolean => lastDue(seen, change) !== undefined;
		const due = sortBy(changes.filter(isDue), [isReminder, (change) => -passed(change)]);
		const fresh = due.slice(0, poll.maxTickets);
		const all = remember(seen, fresh, { floorMs, minutes });
		const isFull = all.floorMs > floorMs && failure === undefined;
		// What waits no longer goes first.
		const waits = isFull ? changes.filter((one) => !isDue(one) || fresh.includes(one)) : [];
		const kept = isFull ? remember({}, waits, { floorMs, minutes }) : all;
		return {
			fresh: fresh.map(({ ticket }) => ticket),
			...(failure && { failure }),
			malformed,
			after: { cursorMs: Math.max(dueMs(poll), kept.floorMs), ...kept },
			told: kept.floorMs > floorMs ? ['waiting'] : [],
		};
	};
}
