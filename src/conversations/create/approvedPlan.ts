import { hash } from 'crypto';
import type { Guard } from '../../bulk/plan';
import { filterPending } from '../../bulk/plan';
import { formatCount, plural } from '../../core/words';
import { comparableText } from '../../core/plainText';
import type { PlannedConversation } from './plannedConversation';

/** Stops a run whose rows differ from the approved plan. The ID of a plan covers all people in the rows. */
export const approvedPlanGuard = (
	approvedPlan: string | undefined,
	account: string,
): Guard<PlannedConversation> => ({
	open: ({ entries }) => {
		const pending = filterPending(entries);
		const planned = pending.map(({ identity, content }) => {
			const { conversation, campaignKey, personId } = content;
			return { identity, content: [conversation, comparableText(campaignKey), personId] };
		});
		const planId = buildPlanId(planned, account);
		const facts = { planCovers: pending.length, planId };
		const difference =
			approvedPlan === undefined ? undefined : planDifference(approvedPlan, planId);
		if (difference === undefined) return { facts };
		const stop = `the rows differ from Approved Plan: ${difference}. Do a dry run and have the new plan approved`;
		return { facts, stop };
	},
});

/** A person who would be contacted, and the content. */
export interface PlannedSend {
	readonly identity: string;
	readonly content: unknown;
}

const digest = (values: readonly string[], length: number): string =>
	hash('sha256', JSON.stringify(values.toSorted()), 'base64url').slice(0, length);

/** The ID of a plan: a hash of the workspace, the people and the contents, in any order. */
export function buildPlanId(planned: readonly PlannedSend[], account: string): string {
	const people = planned.map(({ identity }) => identity);
	const contents = planned.map(({ identity, content }) => JSON.stringify([identity, content]));
	return [
		'p3',
		planned.length,
		digest([account], 8),
		digest(people, 16),
		digest(contents, 22),
	].join('.');
}

/** Whether a text is the ID of a plan. */
export const isPlanId = (text: string): boolean =>
	/^p3\.\d{1,7}\.[\w-]{8}\.[\w-]{16}\.[\w-]{22}$/.test(text);

/** Describes the difference between the approved and the current plan; undefined if they are equal. */
export function planDifference(approved: string, current: string): string | undefined {
	if (approved === current) return undefined;
	const [, count, place, people] = approved.split('.');
	const [, countNow, placeNow, peopleNow] = current.split('.');
	if (place !== placeNow) return 'it was made for another workspace';
	const more = Number(countNow) - Number(count);
	if (more > 0) return plural(more, 'more row');
	if (more < 0) return `${formatCount(-more)} fewer ${more === -1 ? 'row' : 'rows'}`;
	return people === peopleNow ? 'the content of rows changed' : 'other people than in the plan';
}
