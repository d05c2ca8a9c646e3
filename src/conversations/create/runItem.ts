import countBy from 'lodash/countBy';
import { DateTime } from 'luxon';
import type { SentFacts } from '../../bulk/operation';
import type { Entry, Plan } from '../../bulk/plan';
import { filterPending } from '../../bulk/plan';
import { callableMoments } from '../hours/hoursGuard';
import { readConversationId } from './judge';
import type { PlannedConversation } from './plannedConversation';

const SAMPLE_SIZE = 3;

/** Counts the people of a run by country and by hour; a dry run also has a sample. */
export function toRunFields(
	{ entries }: Plan<PlannedConversation>,
	sent?: SentFacts,
): Readonly<Record<string, unknown>> {
	const moments = callableMoments(entries);
	const [firstCallableAt] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const hours = {
		outsideHours: moments.length,
		...(firstCallableAt !== undefined && { firstCallableAt }),
	};
	if (sent) {
		const accepted = entries.filter(({ outcome }) => outcome?.outcome === 'accepted');
		return {
			...hours,
			byCountry: countByCountry(accepted),
			perHour: countPerHour(accepted, sent),
			conversationIds: accepted.flatMap(({ outcome }) => readConversationId(outcome) ?? []),
		};
	}
	const pending = filterPending(entries);
	const sample = pending.slice(0, SAMPLE_SIZE).map(({ content }) => ({ ...content.conversation }));
	return { ...hours, byCountry: countByCountry(pending), sample };
}

/** Counts people by the ISO 3166 code of their number's country. */
function countByCountry(entries: ReadonlyArray<Entry<PlannedConversation>>) {
	const counts = countBy(entries, ({ content: { country } }) => country ?? 'none');
	return Object.fromEntries(Object.entries(counts).toSorted(([, a], [, b]) => b - a));
}

/** Counts accepted conversations by the hour in which they were sent. */
function countPerHour(
	accepted: ReadonlyArray<Entry<PlannedConversation>>,
	{ times, zone }: SentFacts,
) {
	const sentMs = accepted.flatMap(({ outcome }) =>
		outcome?.outcome === 'accepted' ? (times.get(outcome.request) ?? []) : [],
	);
	return Object.entries(countBy(sentMs, (ms) => formatHour(ms, zone))).map(([hour, count]) => ({
		hour,
		accepted: count,
	}));
}

const formatHour = (ms: number, zone: string): string =>
	DateTime.fromMillis(ms, { zone }).startOf('hour').toISO({ suppressMilliseconds: true }) ?? '';
