import { hash } from 'crypto';
import { filterPending, type Guard } from '../../bulk/plan';
import { comparableText } from '../../core/plainText';
import type { PlannedConversation } from './plannedConversation';

/** Stops a run whose rows differ from the approved plan. Its ID covers the people whom no earlier guard leaves out. */
export const approvedPlanGuard = (
	approvedPlan: string | undefined,
	account: string,
): Guard<PlannedConversation> => ({
	open: ({ entries }) => {
		const pending = filterPending(entries);
		const contents = pending.map(({ content: { conversation, campaignKey, personId } }) =>
			JSON.stringify([conversation, comparableText(campaignKey), personId]),
		);
		const planId = buildPlanId(contents, account);
		const facts = { planCovers: pending.length, planId };
		if (approvedPlan === undefined || approvedPlan === planId) return { facts };
		const [, approvedCount] = approvedPlan.split('.'); // "p4.62.…"
		const stop = `the rows to send, or what is sent, differ from Approved Plan (${pending.length} now, ${approvedCount} approved). Do a dry run and have the new plan approved`;
		return { facts, stop };
	},
});

/** Builds the ID of a plan: a version, its size, and a hash of workspace and contents in any order, e.g. "p4.62.…". */
export function buildPlanId(contents: readonly string[], account: string): string {
	const digest = hash('sha256', JSON.stringify([account, contents.toSorted()]), 'base64url');
	return `p4.${contents.length}.${digest}`;
}

/** Whether a text has the form of a plan ID: version, number of people and hash. SHA-256 in base64url has 43 characters. */
export const isPlanId = (text: string): boolean => /^p4\.\d{1,7}\.[\w-]{43}$/.test(text);
