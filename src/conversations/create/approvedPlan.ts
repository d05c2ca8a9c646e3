import { hash } from 'crypto';
import { filterPending, type Rule } from '../../bulk/plan';
import { isRecord } from '../../core/json';
import { comparableText } from '../../core/plainText';
import type { PlannedConversation } from '../plannedConversation';

/** Stops a run whose conversations differ from the approved plan. Each item of a dry run contains the plan ID. */
export const approvedPlanRule =
	(approvedPlan: string | undefined, account: string): Rule<PlannedConversation> =>
	({ entries }) => {
		// Earlier rules have left out other entries.
		const pending = filterPending(entries);
		const contents = pending.map(({ content: { conversation, campaignKey, personId } }) =>
			JSON.stringify([conversation, comparableText(campaignKey), personId], sortMembers),
		);
		const digest = hash('sha256', JSON.stringify([account, contents.toSorted()]), 'base64url');
		const planId = `p4.${contents.length}.${digest}`; // Version 4 of plan IDs, e.g. "p4.62.…" for 62 conversations.
		const facts = { planId };
		if (approvedPlan === undefined || approvedPlan === planId) return { facts };
		const [, approvedCount] = approvedPlan.split('.');
		const stop = `the rows to send, or what is sent, differ from Approved Plan (${pending.length} now, ${approvedCount} approved). Do a dry run and have the new plan approved`;
		return { facts, stop };
	};

/** Sorts the members of objects as a replacer for JSON.stringify, because a source may reorder its columns. */
const sortMembers = (_: string, value: unknown): unknown =>
	isRecord(value)
		? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
		: value;

/** Whether a text has the form of a plan ID: version, number of conversations, SHA-256 in base64url (43 characters). */
export const isPlanId = (text: string): boolean => /^p4\.\d{1,7}\.[\w-]{43}$/.test(text);
