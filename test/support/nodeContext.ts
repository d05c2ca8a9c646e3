import { ExecuteContext } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeType,
	INodeTypeDescription,
	IRunExecutionData,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import { good } from './credential';
import { additionalDataFor, workflowOfOne } from './runNode';

/** The parts of a context: description, parameters and rows of a node, and the user's stop signal. */
export interface Inside {
	readonly description: Partial<INodeTypeDescription>;
	readonly parameters?: INodeParameters;
	readonly rows?: readonly IDataObject[];
	readonly stop?: AbortSignal;
	readonly credential?: typeof good;
	/** The data that the runs of one execution share; without it, each run is separate. */
	readonly execution?: IRunExecutionData;
	/** The name of its type, which ends with Tool where an agent uses it. */
	readonly type?: string;
}

/** The context that n8n gives a node when it runs. */
export function nodeContext({
	description,
	parameters = {},
	rows = [{}],
	stop,
	credential = good,
	execution = createRunExecutionData(),
	type: typeName = 'desk',
}: Inside): IExecuteFunctions {
	const type = { description: { name: 'desk', properties: [], ...description } };
	const { node: workflowNode, workflow } = workflowOfOne(type as unknown as INodeType, parameters);
	const node = { ...workflowNode, type: typeName };
	const input = rows.map((json) => ({ json }));
	return new ExecuteContext(
		workflow,
		node,
		additionalDataFor(workflow, credential),
		'manual',
		execution,
		0,
		input,
		{ main: [input] },
		{ node, data: { main: [input] }, source: null },
		[],
		stop,
	);
}
