import { PollContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	INodeParameters,
} from 'n8n-workflow';
import { ConversationDeskTrigger } from '../../nodes/ConversationDesk/ConversationDeskTrigger.node';
import { good } from './credential';
import { additionalDataFor, workflowOfOne } from './runNode';

const trigger = new ConversationDeskTrigger();

/** The trigger in n8n's own context for polls, in a workflow that keeps its static data. */
export interface TriggerUnderTest {
	/** Polls once, as the schedule or (with 'manual') as a test in the editor does. */
	poll(mode?: 'trigger' | 'manual'): Promise<readonly INodeExecutionData[] | null>;
	/** What n8n would show among the failed executions. */
	readonly errors: readonly Error[];
	/** What n8n would write into its database. */
	state(): unknown;
}

interface Already {
	readonly credential?: ICredentialDataDecryptedObject;
	/** What n8n has in its database from before. */
	readonly state?: unknown;
}

/** Sets up a workflow that begins with the trigger. */
export function setUpTrigger(
	parameters: INodeParameters,
	{ credential = good, state = {} }: Already = {},
): TriggerUnderTest {
	const { node, workflow } = workflowOfOne(trigger, parameters, {
		id: 'test',
		active: true,
		settings: { timezone: 'Europe/Berlin' },
		staticData: JSON.parse(JSON.stringify(state)) as IDataObject,
	});
	const errors: Error[] = [];
	return {
		errors,
		poll: async (mode = 'trigger') => {
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
		state: () => JSON.parse(JSON.stringify(workflow.staticData)) as unknown,
	};
}
