import { PollContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { ConversationDeskTrigger } from '../../nodes/ConversationDesk/ConversationDeskTrigger.node';
import { good } from './credential';
import { additionalDataFor, workflowOfOne } from './runNode';

const trigger = new ConversationDeskTrigger();

interface Already {
	readonly credential?: ICredentialDataDecryptedObject;
	/** What n8n has in its database from before. */
	readonly state?: unknown;
}

/** The trigger in n8n's own context for polls, in a workflow that keeps its static data. */
export function setUpTrigger(
	parameters: INodeParameters,
	{ credential = good, state = {} }: Already = {},
) {
	const { node, workflow } = workflowOfOne(trigger, parameters, {
		id: 'test',
		active: true,
		settings: { timezone: 'Europe/Berlin' },
		staticData: JSON.parse(JSON.stringify(state)) as IDataObject,
	});
	const errors: Error[] = [];
	return {
		/** What n8n would show among the failed executions. */
		errors,
		/** Polls once, as the schedule or (with 'manual') as a test in the editor does. */
		poll: async (mode: 'trigger' | 'manual' = 'trigger') => {
			const context = new PollContext(
				workflow,
				workflow.getNode(node.name) ?? node,
				additionalDataFor(workflow, credential),
				mode,
				'activate',
				undefined,
				(error) => errors.push(error),
			);
			return (await trigger.poll.call(context))?.[0] ?? null;
		},
		/** What n8n would write into its database. */
		state: () => JSON.parse(JSON.stringify(workflow.staticData)) as unknown,
	};
}
