import { get, memoize } from 'lodash';
import { DateTime } from 'luxon';
import { toLeftOut, type Failed } from '../../bulk/outcomes';
import { filterPending, type Entry } from '../../bulk/plan';
import type { OperationContext } from '../../core/operation';
import { zonesOfNumber, type ZoneSet } from '../../core/phone/zones';
import { listSome } from '../../core/words';
import { MAX_DELAY_MS } from '../contacts/contact';
import type { PlannedConversation } from '../plannedConversation';
import { findOpenMs, isOpen, type CallingHours } from './callingHours';

/** Leaves out the entries that may not be sent now, and returns the latest time to send the others (ms). */
type HoursCheck = (entries: ReadonlyArray<Entry<PlannedConversation>>) => {
	readonly leaveOut: ReadonlyMap<Entry<PlannedConversation>, Failed>;
	readonly deadlineMs: number;
};

/** Creates the check of calling hours: in the row's time zone, else in all possible zones of its number. */
export const createHoursCheck =
	(hours: CallingHours, { now }: Pick<OperationContext, 'now'>): HoursCheck =>
	(entries) => {
		const nowMs = now();
		// Many people share their zones.
		const check = (zones: ZoneSet) => checkZones(hours, zones, nowMs);
		const findOutcome = memoize(check, (zones) => zones.join());
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of filterPending(entries)) {
			const { conversation, timeZone } = entry.content;
			const { toPhoneNumber } = conversation;
			if (toPhoneNumber === undefined) continue; // A chat or web conversation.
			const zones = timeZone === '' ? zonesOfNumber(toPhoneNumber) : [timeZone];
			const outcome = zones ? findOutcome(zones) : toUnknownZoneOutcome(toPhoneNumber);
			if (outcome) leaveOut.set(entry, outcome);
		}
		// checkZones requires that calls stay allowed until this deadline.
		return { leaveOut, deadlineMs: nowMs + MAX_DELAY_MS };
	};

/** Returns why no call may be made: a zone is closed or closes within ten minutes (MAX_DELAY_MS); undefined if allowed. */
function checkZones(hours: CallingHours, zones: ZoneSet, nowMs: number): Failed | undefined {
	const nextMs = findOpenMs(hours, zones, nowMs);
	if (nextMs === nowMs) return undefined;
	if (nextMs === undefined) {
		const reason = `Calling Hours leave no ten minutes that all its time zones share (${listSome(zones)})`;
		const advice = zones.length === 1 ? 'Enter longer hours' : ENTER_ZONE;
		return toOutsideOutcome(NEVER, zones, `${reason}. ${advice}`);
	}
	const next = DateTime.fromMillis(nextMs, { zone: 'utc' });
	const callableAt = next.toISO({ suppressMilliseconds: true });
	const where = zones.length === 1 ? listSome(zones) : 'at least one of its time zones';
	const isEnding = zones.every((zone) => isOpen(hours, zone, nowMs));
	const state = isEnding ? 'Calling Hours end in a few minutes' : 'Outside Calling Hours';
	return toOutsideOutcome(callableAt, zones, `${state} in ${where}`);
}

/** Builds the outcome of a number without a known time zone, which is not called until the user enters one. */
const toUnknownZoneOutcome = (number: string): Failed =>
	toOutsideOutcome(NEVER, [], `The time zone of ${number} is not known. ${ENTER_ZONE}`);

/** The time at which a person can be called who is outside the hours at all times. */
const NEVER = null;

const ENTER_ZONE = 'Enter a Time Zone under Calling Hours';

/** Builds the outcome of a person outside the hours. `callableAt` is the first possible time, null if there is none. */
const toOutsideOutcome = (callableAt: string | null, timeZones: ZoneSet, reason: string): Failed =>
	toLeftOut('outsideHours', reason, { callableAt, timeZones });

/** Returns at most one note on people outside the hours, with the first time to call one of them. */
export function summarizeOutside(
	entries: ReadonlyArray<Entry<PlannedConversation>>,
	zone: string,
): string[] {
	// null for people who can never be called, e.g. because their time zone is not known.
	const moments = entries
		.map(({ outcome }): unknown => get(outcome, 'facts.callableAt'))
		.filter((moment) => moment !== undefined);
	if (moments.length === 0) return [];
	// All are in UTC, so the first in order of text is the earliest.
	const [first] = moments.filter((moment) => typeof moment === 'string').toSorted();
	if (first === undefined) return ['Outside calling hours: none of them can be called later'];
	const time = DateTime.fromISO(first, { zone }).toFormat('yyyy-MM-dd HH:mm');
	return [`Outside calling hours: the first can be called from ${time} (${zone})`];
}
