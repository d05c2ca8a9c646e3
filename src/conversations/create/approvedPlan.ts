import type { Guard } from '../../bulk/plan';
import { pendingOf } from '../../bulk/plan';
import { planDifference, planIdOf } from './planId';
import type { PlannedConversation } from './readRows';
import type { CreateSettings } from './settings';

/** Sends nothing where the rows ask for something else than the plan that was approved. The ID covers everyone whom the rows ask for, whenever they are called. */
export const approvedPlanGuard = (
	{ approvedPlan, outputAs }: CreateSettings,
	account: string,
): Guard<PlannedConversation> => ({
	open: ({ values }) => {
		if (outputAs !== 'run' && approvedPlan === undefined) return {};
		const pending = pendingOf(values);
		const planned = pending.map(({ identity, content }) => {
			const { conversation, campaignKey, personId } = content;
			return { identity, content: [conversation, campaignKey, personId] };
		});
		const planId = planIdOf(planned, account);
		const facts = { planCovers: pending.length, planId };
		const difference =
			approvedPlan === undefined ? undefined : planDifference(approvedPlan, planId);
		if (difference === undefined) return { facts };
		const stop = `Nothing was sent, because the rows differ from Approved Plan: ${difference}. Do a dry run and have the new plan approved`;
		return { facts, stop };
	},
});
