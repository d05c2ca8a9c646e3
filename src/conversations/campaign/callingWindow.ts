import { DateTime } from 'luxon';
import type { SendWindow } from '../../bulk/operation';
import type { NotAccepted, Outcome } from '../../bulk/outcomes';
import { formatCount } from '../../core/text';
import type { PlannedConversation } from '../createInput';
import type { CallingHours } from './callingHours';
import { closesMs, isOpen, nextOpenMs } from './callingHours';
import type { ZoneSource } from './hoursSettings';
import type { ZoneSet } from './phoneZones';
import { zonesOfNumber } from './phoneZones';

interface WindowSettings {
	readonly hours: CallingHours;
	readonly source: ZoneSource;
	/** The time zone of the workflow. */
	readonly zone: string;
}

/** What was found out for a set of zones at a moment. */
interface Verdict {
	readonly nowMs: number;
	readonly outcome: NotAccepted | undefined;
}

/** Lets only those be called who are inside the calling hours, in every place where their numbers may be. */
export function callingWindow({
	hours,
	source,
	zone,
}: WindowSettings): SendWindow<PlannedConversation> {
	const own = new Map<string, ZoneSet>();
	const verdicts = new Map<ZoneSet, Verdict>();

	function zonesOf({ conversation, timeZone }: PlannedConversation): ZoneSet | undefined {
		const name = source === 'workflow' ? zone : source === 'column' ? timeZone : undefined;
		if (name === undefined || name === '') return zonesOfNumber(conversation.toPhoneNumber ?? '');
		const zones = own.get(name) ?? [name];
		own.set(name, zones);
		return zones;
	}

	function judge(zones: ZoneSet, nowMs: number): NotAccepted | undefined {
		const known = verdicts.get(zones);
		if (known?.nowMs === nowMs) return known.outcome;
		const isInside = zones.every((each) => isOpen(hours, each, nowMs));
		const outcome = isInside ? undefined : outside(zones, nextOpenMs(hours, zones, nowMs));
		verdicts.set(zones, { nowMs, outcome });
		return outcome;
	}

	return {
		reason: (planned, nowMs) => {
			if (planned.conversation.toPhoneNumber === undefined) return undefined;
			const zones = zonesOf(planned);
			return zones ? judge(zones, nowMs) : unknownZone(planned.conversation.toPhoneNumber);
		},
		closesMs: (values, nowMs) =>
			Math.min(
				...[...new Set(values.map(zonesOf))].map((zones) =>
					zones ? closesMs(hours, zones, nowMs) : Infinity,
				),
			),
		note: (outcomes, nowMs) => noteOf(outcomes, { zone, nowMs }),
	};
}

const held = (message: string, facts: Readonly<Record<string, unknown>>): NotAccepted => ({
	outcome: 'notSent',
	failure: { kind: 'skipped', message, facts },
});

const SHOWN_ZONES = 5;

function outside(zones: ZoneSet, nextMs: number | undefined): NotAccepted {
	if (nextMs === undefined) {
		const shown = zones.slice(0, SHOWN_ZONES).join(', ');
		const more = zones.length > SHOWN_ZONES ? ` and ${zones.length - SHOWN_ZONES} more` : '';
		return held(
			`Not called, because Calling Hours never overlap in all its time zones (${shown}${more}). Set Time Zone to From a Column`,
			{ callableAt: null, timeZones: zones },
		);
	}
	const callableAt = DateTime.fromMillis(nextMs, { zone: 'utc' }).toISO({
		suppressMilliseconds: nextMs % 1000 === 0,
	});
	const place = zones.length === 1 ? zones.join() : 'at least one of its time zones';
	const message = `Not called, because it is outside Calling Hours in ${place}`;
	return held(message, { callableAt, timeZones: zones });
}

const unknownZone = (number: string): NotAccepted =>
	held(
		`Not called, because the time zone of ${number} is not known. Set Time Zone to From a Column`,
		{ callableAt: null, timeZones: [] },
	);

/** "312 of 900 are outside calling hours. The first can be called from 14:00". */
function noteOf(
	outcomes: ReadonlyArray<Outcome | undefined>,
	{ zone, nowMs }: { readonly zone: string; readonly nowMs: number },
): string | undefined {
	const moments = outcomes.flatMap((outcome) => {
		const failure = outcome && 'failure' in outcome ? outcome.failure : undefined;
		const facts = failure?.kind === 'skipped' ? failure.facts : undefined;
		return facts && 'callableAt' in facts ? [facts['callableAt']] : [];
	});
	if (moments.length === 0) return undefined;
	const [first] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const said = `${formatCount(moments.length)} of ${formatCount(outcomes.length)} are outside calling hours`;
	if (first === undefined) return `${said}, and none of them can be called later`;
	const next = DateTime.fromISO(first, { zone });
	const isToday = next.hasSame(DateTime.fromMillis(nowMs, { zone }), 'day');
	return `${said}, the first can be called from ${next.toFormat(isToday ? 'HH:mm' : 'yyyy-MM-dd HH:mm')} (${zone})`;
}
