import { DateTime } from 'luxon';
import type { LeftOut } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import type { Entry, Findings, Guard } from '../../bulk/plan';
import type { OperationContext } from '../../core/operation';
import { formatCount } from '../../core/words';
import type { PlannedConversation } from '../create/plannedConversation';
import type { CallingHours, HoursRow } from './callingHours';
import { closesMs, nextOpenMs } from './callingHours';
import type { ZoneSet } from '../../core/phone/zones';
import { zonesOfNumber } from '../../core/phone/zones';

/** Lets only those be called who are inside the calling hours, in every place where their numbers may be. */
export function hoursGuard(
	hours: CallingHours,
	{ now, zone }: Pick<OperationContext, 'now' | 'zone'>,
): Guard<PlannedConversation> {
	const verdicts = new Map<string, Verdict & { readonly fromMs: number }>();

	/** Judges the same zones once, as long as nothing opens or closes there: many people share them. */
	function judge(zones: ZoneSet, nowMs: number): Verdict {
		const key = zones.join();
		const known = verdicts.get(key);
		if (known && known.fromMs <= nowMs && nowMs < known.untilMs) return known;
		const nextMs = nextOpenMs(hours, zones, nowMs);
		const verdict =
			nextMs === nowMs
				? { outcome: undefined, untilMs: closesMs(hours, zones, nowMs) }
				: { outcome: outside(zones, nextMs), untilMs: nextMs ?? Infinity };
		verdicts.set(key, { ...verdict, fromMs: nowMs });
		return verdict;
	}

	function leaveOutOutside(
		entries: ReadonlyArray<Entry<PlannedConversation>>,
	): Findings<PlannedConversation> {
		const nowMs = now();
		const leaveOut = new Map<Entry<PlannedConversation>, LeftOut>();
		let deadlineMs = Infinity;
		for (const entry of entries) {
			const { conversation, timeZone } = entry.content;
			const { toPhoneNumber } = conversation;
			if (entry.outcome || toPhoneNumber === undefined) continue;
			const zones = timeZone === '' ? zonesOfNumber(toPhoneNumber) : [timeZone];
			const { outcome, untilMs } = zones ? judge(zones, nowMs) : unknownZone(toPhoneNumber);
			if (outcome) leaveOut.set(entry, outcome);
			// A pause that the service asks for must end within the hours.
			else deadlineMs = Math.min(deadlineMs, untilMs - 1);
		}
		return { leaveOut, deadlineMs };
	}

	return {
		open: ({ entries }) => ({
			...leaveOutOutside(entries),
			notes: hours.rows.filter(({ from, until }) => until <= from).map(overnight),
		}),
		before: leaveOutOutside,
		close: ({ entries }) => ({ notes: noteOf(entries, { zone, nowMs: now() }) }),
	};
}

/** What is to know of hours that go on after midnight, as reversed ones do. */
const overnight = ({ from, until }: HoursRow): string =>
	`Calling Hours from ${timeOf(from)} until ${timeOf(until)} go on overnight, so people may be called at night`;

const timeOf = (minutes: number): string =>
	`${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Whether people in some zones may be called, and until when that is so. */
interface Verdict {
	readonly outcome: LeftOut | undefined;
	readonly untilMs: number;
}

const COUNTED_AS = 'outside calling hours';
const SHOWN_ZONES = 5;

function outside(zones: ZoneSet, nextMs: number | undefined): LeftOut {
	if (nextMs === undefined) {
		const shown = zones.slice(0, SHOWN_ZONES).join(', ');
		const more = zones.length > SHOWN_ZONES ? ` and ${zones.length - SHOWN_ZONES} more` : '';
		return leftOut(
			`Not called, because Calling Hours never overlap in all its time zones (${shown}${more}). Enter a Time Zone under Calling Hours`,
			COUNTED_AS,
			{ callableAt: null, timeZones: zones },
		);
	}
	const callableAt = DateTime.fromMillis(nextMs, { zone: 'utc' }).toISO({
		suppressMilliseconds: nextMs % 1000 === 0,
	});
	const place = zones.length === 1 ? zones.join() : 'at least one of its time zones';
	const message = `Not called, because it is outside Calling Hours in ${place}`;
	return leftOut(message, COUNTED_AS, { callableAt, timeZones: zones });
}

const unknownZone = (number: string): Verdict => ({
	outcome: leftOut(
		`Not called, because the time zone of ${number} is not known. Enter a Time Zone under Calling Hours`,
		COUNTED_AS,
		{ callableAt: null, timeZones: [] },
	),
	untilMs: Infinity,
});

/** From when people may be called who are outside the hours; null where that is never. */
export const callableMoments = (entries: ReadonlyArray<Entry<unknown>>): unknown[] =>
	entries.flatMap(({ outcome }) => {
		const facts = outcome && 'facts' in outcome ? outcome.facts : undefined;
		return facts && 'callableAt' in facts ? [facts['callableAt']] : [];
	});

/** "312 of 900 are outside calling hours. The first can be called from 14:00". */
function noteOf(
	entries: ReadonlyArray<Entry<unknown>>,
	{ zone, nowMs }: { readonly zone: string; readonly nowMs: number },
): string[] {
	const moments = callableMoments(entries);
	if (moments.length === 0) return [];
	const [first] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const said = `${formatCount(moments.length)} of ${formatCount(entries.length)} are outside calling hours`;
	if (first === undefined) return [`${said}, and none of them can be called later`];
	const next = DateTime.fromISO(first, { zone });
	const isToday = next.hasSame(DateTime.fromMillis(nowMs, { zone }), 'day');
	return [
		`${said}, the first can be called from ${next.toFormat(isToday ? 'HH:mm' : 'yyyy-MM-dd HH:mm')} (${zone})`,
	];
}
