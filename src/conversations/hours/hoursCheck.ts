import { memoize } from 'lodash';
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

/** Creates the check of calling hours: in the time zone of the row, or in all zones where its number may be. */
export const createHoursCheck =
	(hours: CallingHours, { now }: Pick<OperationContext, 'now'>): HoursCheck =>
	(entries) => {
		const nowMs = now();
		// Many people share their zones. A list of several zones is one object for all of them, a list of one zone is not.
		const findOutcome = memoize(
			(zones: ZoneSet) => checkZones(hours, zones, nowMs),
			(zones) => (zones.length === 1 ? zones[0] : zones),
		);
		const leaveOut = new Map<Entry<PlannedConversation>, Failed>();
		for (const entry of filterPending(entries)) {
			const { conversation, timeZone } = entry.content;
			const { toPhoneNumber } = conversation;
			if (toPhoneNumber === undefined) continue; // A chat or web conversation.
			const zones = timeZone === '' ? zonesOfNumber(toPhoneNumber) : [timeZone];
			const outcome = zones ? findOutcome(zones) : toUnknownZone(toPhoneNumber);
			if (outcome) leaveOut.set(entry, outcome);
		}
		// The hours were checked until this deadline.
		return { leaveOut, deadlineMs: nowMs + MAX_DELAY_MS };
	};

/** Returns why calls are not allowed in all zones from now until the request has left; undefined if they are. */
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
	const where = zones.length === 1 ? zones.join() : 'at least one of its time zones';
	const isEnding = zones.every((zone) => isOpen(hours, zone, nowMs));
	const state = isEnding ? 'Calling Hours end in a few minutes' : 'Outside Calling Hours';
	return toOutsideOutcome(callableAt, zones, `${state} in ${where}`);
}

/** The outcome of a number without known zones, which can never be called. */
const toUnknownZone = (number: string): Failed =>
	toOutsideOutcome(NEVER, [], `The time zone of ${number} is not known. ${ENTER_ZONE}`);

/** The time at which a person can be called who is outside the hours at all times. */
const NEVER = null;

const ENTER_ZONE = 'Enter a Time Zone under Calling Hours';

/** Builds the outcome of a person outside the hours. `callableAt` is the first possible time, null if there is none. */
const toOutsideOutcome = (callableAt: string | null, timeZones: ZoneSet, reason: string): Failed =>
	toLeftOut('outsideHours', reason, { callableAt, timeZones });

/** Returns a note on people outside the hours: "the first can be called from 2026-01-16 14:00 (Europe/Berlin)"; an empty list without such people. */
export function summarizeOutside(
	entries: ReadonlyArray<Entry<PlannedConversation>>,
	zone: string,
): string[] {
	// null for people who can never be called, e.g. because their time zone is not known.
	const moments = entries.flatMap(({ outcome }) => {
		const facts = outcome && 'facts' in outcome ? outcome.facts : undefined;
		return facts && 'callableAt' in facts ? [facts['callableAt']] : [];
	});
	if (moments.length === 0) return [];
	const [first] = moments.filter((moment) => typeof moment === 'string').toSorted();
	if (first === undefined) return ['Outside calling hours: none of them can be called later'];
	const time = DateTime.fromISO(first, { zone }).toFormat('yyyy-MM-dd HH:mm');
	return [`Outside calling hours: the first can be called from ${time} (${zone})`];
}
