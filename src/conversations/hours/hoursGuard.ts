import { memoize } from 'lodash';
import { DateTime } from 'luxon';
import { toLeftOut, type Failed } from '../../bulk/outcomes';
import { filterPending, type Entry, type Findings, type Guard, type Plan } from '../../bulk/plan';
import type { OperationContext } from '../../core/operation';
import { zonesOfNumber, type ZoneSet } from '../../core/phone/zones';
import { formatCount, listSome } from '../../core/words';
import type { PlannedConversation } from '../create/plannedConversation';
import { findCloseMs, findOpenMs, type CallingHours } from './callingHours';

/** Leaves out everyone outside the calling hours in any time zone where the number may be. */
export function hoursGuard(
	hours: CallingHours,
	{ now, zone }: Pick<OperationContext, 'now' | 'zone'>,
): Guard<PlannedConversation> {
	/** Leaves out the pending entries outside the hours. The deadline is the first end of hours of the others. */
	function checkHours(
		entries: Plan<PlannedConversation>['entries'],
	): Findings<PlannedConversation> {
		const nowMs = now();
		// Many people share their zones, and equal sets are the same object.
		const judge = memoize(
			(zones: ZoneSet) => judgeZones(hours, zones, nowMs),
			(zones) => (zones.length === 1 ? zones[0] : zones),
		);
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		let deadlineMs = Infinity;
		for (const entry of filterPending(entries)) {
			const { conversation, timeZone } = entry.content;
			const { toPhoneNumber } = conversation;
			if (toPhoneNumber === undefined) continue; // A chat or web conversation.
			const zones = timeZone === '' ? zonesOfNumber(toPhoneNumber) : [timeZone];
			const verdict = zones ? judge(zones) : toUnknownZone(toPhoneNumber);
			if (typeof verdict === 'object') leaveOut.set(entry, verdict);
			// The verdict is the end of the hours in ms. A request leaves before, even after a long pause.
			else deadlineMs = Math.min(deadlineMs, verdict - 1);
		}
		return { leaveOut, deadlineMs };
	}

	return {
		open: ({ entries }) => checkHours(entries),
		before: checkHours, // The hours may end during the run.
		close: ({ entries }) => ({ notes: summarizeOutside(entries, zone) }),
	};
}

/** Returns when (in ms) the hours first end in a zone, or why no call is possible now: all zones must be open. */
function judgeZones(hours: CallingHours, zones: ZoneSet, nowMs: number): number | Failed {
	const nextMs = findOpenMs(hours, zones, nowMs);
	return nextMs === nowMs ? findCloseMs(hours, zones, nowMs) : explainOutside(zones, nextMs);
}

/** Explains why no call is possible now. `nextMs` is the next moment for a call; undefined if a year has none. */
function explainOutside(zones: ZoneSet, nextMs: number | undefined): Failed {
	if (nextMs === undefined) {
		const reason = `Calling Hours never overlap in all its time zones (${listSome(zones)})`;
		return toOutsideOutcome(null, zones, `${reason}. ${ENTER_ZONE}`);
	}
	const next = DateTime.fromMillis(nextMs, { zone: 'utc' });
	const callableAt = next.toISO({ suppressMilliseconds: true });
	const place = zones.length === 1 ? zones.join() : 'at least one of its time zones';
	return toOutsideOutcome(callableAt, zones, `it is outside Calling Hours in ${place}`);
}

/** The outcome of a number without known zones, which can never be called. */
const toUnknownZone = (number: string): Failed =>
	toOutsideOutcome(null, [], `the time zone of ${number} is not known. ${ENTER_ZONE}`);

const ENTER_ZONE = 'Enter a Time Zone under Calling Hours';

const toOutsideOutcome = (callableAt: string | null, timeZones: ZoneSet, reason: string): Failed =>
	toLeftOut(`Not called, because ${reason}`, 'outside calling hours', { callableAt, timeZones });

/** Lists when each person outside the hours can be called; null if no moment is known. */
export const listCallableMoments = (entries: ReadonlyArray<Entry<unknown>>): unknown[] =>
	entries.flatMap(({ outcome }) => {
		const facts = outcome && 'facts' in outcome ? outcome.facts : undefined;
		return facts && 'callableAt' in facts ? [facts['callableAt']] : [];
	});

/** "312 of 900 are outside calling hours, the first can be called from 2026-01-16 14:00 (Europe/Berlin)". */
function summarizeOutside(entries: Plan<PlannedConversation>['entries'], zone: string): string[] {
	const moments = listCallableMoments(entries);
	if (moments.length === 0) return [];
	const [first] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const count = `${formatCount(moments.length)} of ${formatCount(entries.length)} are outside calling hours`;
	if (first === undefined) return [`${count}, and none of them can be called later`];
	const time = DateTime.fromISO(first, { zone }).toFormat('yyyy-MM-dd HH:mm');
	return [`${count}, the first can be called from ${time} (${zone})`];
}
