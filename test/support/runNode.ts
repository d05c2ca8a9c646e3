import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IRun,
	IRunExecutionData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { NodeConnectionTypes, Workflow } from 'n8n-workflow';
import { ConversationDeskApi } from '../../credentials/ConversationDeskApi.credentials';
import { ConversationDesk } from '../../nodes/ConversationDesk/ConversationDesk.node';
import { createAdditionalData, createCredentialsHelper } from './additionalData';
import { good } from './credential';
import { useN8nStore } from './n8nStore';

/** The setup of a test: parameters, input rows, and the node's settings. */
export interface Setup {
	readonly parameters: INodeParameters;
	readonly rows?: readonly IDataObject[];
	readonly settings?: Partial<INode>;
	/** An error is what reading the credential ends in. */
	readonly credential?: ICredentialDataDecryptedObject | Error;
	/** Runs on with the data of an earlier execution, as "Retry" of a saved execution does. */
	readonly after?: IRunExecutionData;
	readonly timezone?: string;
}

/** The results of a node: its two outputs, the error of the execution, and all data of the engine. */
export interface Outcome {
	readonly main: INodeExecutionData[];
	readonly errors: INodeExecutionData[];
	readonly error?: { message: string; description?: string | null };
	readonly hints: string[];
	readonly run: IRun;
}

// Each test begins without the people called in an earlier one.
beforeEach(async () => void (await useN8nStore()));

const source: INodeType = {
	description: {
		displayName: 'Rows',
		name: 'rows',
		group: ['input'],
		version: 1,
		description: 'Gives the input rows of a test',
		defaults: { name: 'Rows' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [{ displayName: 'Rows', name: 'rows', type: 'json', default: '[]' }],
	},
	async execute() {
		const rows = JSON.parse(String(this.getNodeParameter('rows', 0))) as IDataObject[];
		return [rows.map((json, item) => ({ json, pairedItem: { item } }))];
	},
};

const desk = new ConversationDesk();

const typesBy = (find: (name: string) => INodeType): INodeTypes => ({
	getByName: find,
	getByNameAndVersion: find,
	getKnownTypes: () => ({}),
});

const deskNode = (parameters: INodeParameters): INode => ({
	id: 'desk',
	name: 'Desk',
	type: 'desk',
	typeVersion: 1,
	position: [200, 0],
	parameters,
	credentials: { conversationDeskApi: { id: '1', name: 'Test' } },
});

/** The workflow "Rows -> Desk", in which the node under test is called Desk. */
function workflowOf({ parameters, rows = [{}], settings = {}, timezone }: Setup): Workflow {
	const nodes: INode[] = [
		{
			id: 'rows',
			name: 'Rows',
			type: 'rows',
			typeVersion: 1,
			position: [0, 0],
			parameters: { rows: JSON.stringify(rows) },
		},
		{ ...deskNode(parameters), ...settings },
	];
	return new Workflow({
		id: 'test',
		nodes,
		connections: { Rows: { main: [[{ node: 'Desk', type: NodeConnectionTypes.Main, index: 0 }]] } },
		active: false,
		nodeTypes: typesBy((name) => (name === 'rows' ? source : desk)),
		settings: { timezone: timezone ?? 'Europe/Berlin' },
	});
}

function helperFor(credential: ICredentialDataDecryptedObject | Error): ICredentialsHelper {
	return createCredentialsHelper(
		new ConversationDeskApi(),
		async (_data, _node, _type, mode, executeData, _raw, values) => {
			if (credential instanceof Error) throw credential;
			if (!values) return { ...credential };
			// As in n8n, an expression in a credential is evaluated for one row.
			const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
			return workflow.expression.getParameterValue(
				credential as INodeParameters,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
			) as ICredentialDataDecryptedObject;
		},
	);
}

/** The data that n8n gives an execution besides its workflow. */
export const additionalDataFor = (
	workflow: Workflow,
	credential: ICredentialDataDecryptedObject | Error,
): IWorkflowExecuteAdditionalData =>
	createAdditionalData(ExecutionLifecycleHooks, workflow, helperFor(credential));

/** A workflow of one node of this type, which is called Desk. */
export function workflowOfOne(
	type: INodeType,
	parameters: INodeParameters,
	more: Partial<ConstructorParameters<typeof Workflow>[0]> = {},
): { node: INode; workflow: Workflow } {
	const node = deskNode(parameters);
	const workflow = new Workflow({
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes: typesBy(() => type),
		...more,
	});
	return { node, workflow };
}

/** Starts the node in n8n's own engine; the execution can be cancelled. */
export function start(setup: Setup): { done: Promise<Outcome>; cancel: () => void } {
	const workflow = workflowOf(setup);
	const data = additionalDataFor(workflow, setup.credential ?? good);
	// n8n starts a retry with the nodes of the workflow as it is now.
	for (const each of setup.after?.executionData?.nodeExecutionStack ?? [])
		each.node = workflow.getNode(each.node.name) ?? each.node;
	const execution = setup.after
		? new WorkflowExecute(data, 'manual', setup.after).processRunExecutionData(workflow)
		: new WorkflowExecute(data, 'manual').run({
				workflow,
				startNode: workflow.getNode('Rows') ?? undefined,
			});
	return { done: execution.then(outcomeOf), cancel: () => execution.cancel() };
}

/** Runs the node in n8n's own engine. */
export const runNode = async (setup: Setup): Promise<Outcome> => await start(setup).done;

/** The saved data of a failed execution, from which "Retry" continues. */
export function savedOf({ run }: Outcome): IRunExecutionData {
	const saved = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	const resultData = { ...saved.resultData };
	delete resultData.error;
	resultData.runData['Desk']?.pop();
	return { ...saved, resultData };
}

function outcomeOf(run: IRun): Outcome {
	const task = run.data.resultData.runData['Desk']?.at(-1);
	const error = run.data.resultData.error ?? task?.error;
	return {
		main: task?.data?.['main']?.[0] ?? [],
		errors: task?.data?.['main']?.[1] ?? [],
		...(error && { error: { message: error.message, description: error.description } }),
		hints: (task?.hints ?? []).map(({ message }) => message),
		run,
	};
}
