import { hash } from 'crypto';
import type { Problem } from '../../core/failures';
import { isBlank, textOf, visible } from '../../core/text';
import { identityOf } from './identity';
import type { PlannedConversation } from './readRows';

/** The variable by which a conversation finds its row again. */
const ROW_KEY = 'rowKey';

/** Adds the key of a row to its conversation: the one that the user chose, or a hash of campaign and person. */
export function withRowKey(
	planned: PlannedConversation,
	chosen: unknown,
): { readonly planned: PlannedConversation } | { readonly problem: Problem } {
	const { conversation, campaignKey } = planned;
	const { dynamicVariables } = conversation;
	const rowKey = isBlank(chosen)
		? hash('sha256', JSON.stringify([campaignKey, identityOf(planned)]), 'base64url').slice(0, 16)
		: visible(textOf(chosen));
	const entered = dynamicVariables[ROW_KEY];
	if (Object.hasOwn(dynamicVariables, ROW_KEY) && textOf(entered) !== rowKey) {
		const message = `would replace the variable ${ROW_KEY}, which has a different value. Rename that variable, or remove Row Key`;
		return { problem: { path: ['options', 'rowKey'], message } };
	}
	if (typeof chosen === 'object' && chosen !== null)
		return { problem: { path: ['options', 'rowKey'], message: 'must be text or a number' } };
	const variables = { ...dynamicVariables, [ROW_KEY]: rowKey };
	return {
		planned: { ...planned, conversation: { ...conversation, dynamicVariables: variables }, rowKey },
	};
}
