import { countBy } from 'lodash';
import { filterPending, type Plan } from '../../bulk/plan';
import { listCallableMoments } from '../hours/hoursCheck';
import { readConversationId } from './readOutcomes';
import type { PlannedConversation } from '../plannedConversation';

const SAMPLE_SIZE = 3;

/** Builds the fields for calling hours, countries and conversation IDs. A dry run also has a sample. */
export function toRunFields({
	entries,
}: Plan<PlannedConversation>): Readonly<Record<string, unknown>> {
	const moments = listCallableMoments(entries);
	const [firstCallableAt] = moments.filter((moment) => typeof moment === 'string').toSorted();
	const accepted = entries.filter(({ outcome }) => outcome?.outcome === 'accepted');
	const pending = filterPending(entries);
	const countries = countBy([...accepted, ...pending], ({ content }) => content.country ?? 'none');
	const sample = pending.slice(0, SAMPLE_SIZE).map(({ content }) => ({ ...content.conversation }));
	return {
		outsideHours: moments.length,
		...(firstCallableAt !== undefined && { firstCallableAt }),
		byCountry: Object.fromEntries(Object.entries(countries).toSorted(([, a], [, b]) => b - a)),
		conversationIds: accepted.flatMap(({ outcome }) => readConversationId(outcome) ?? []),
		...(pending.length > 0 && { sample }),
	};
}
