import { randomBytes } from 'node:crypto';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	INode,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';
import { root } from '../checks/check.mts';
import { decodeExecution } from '../host/execution.mts';
import type { Execution } from '../host/execution.mts';
import { triggerOf } from '../host/workflow.mts';
import type { WorkflowJson } from '../host/workflow.mts';
import { n8nNodeFiles } from './n8nNodes.mts';
import { MemoryStore } from './store.mts';

/** n8n's engine without its server, its editor and its database. */
export interface Engine {
	/** Runs a workflow from its manual trigger to the end. */
	run: (workflow: WorkflowJson) => Promise<Execution>;
}

/** What the engine needs: a folder for n8n's own files, one for the workflows, n8n's nodes, and the credential. */
export interface EngineSetup {
	userFolder: string;
	files: string;
	n8nNodes: string;
	access: ICredentialDataDecryptedObject;
}

// n8n-core loads n8n-workflow as CommonJS. An import here would load it a second time.
const require = createRequire(import.meta.url);
type Core = typeof import('n8n-core');
type N8nWorkflow = typeof import('n8n-workflow');

const dist = join(root, 'dist');

/** Loads n8n's engine with n8n's nodes and the nodes of this package. */
export async function startEngine(setup: EngineSetup): Promise<Engine> {
	setEnvironment(setup);
	findPackagesHere(setup.n8nNodes);
	const core = require('n8n-core') as Core;
	const n8n = require('n8n-workflow') as N8nWorkflow;
	// The sandbox counts days in UTC.
	n8n.setGlobalState({ defaultTimezone: 'UTC' });
	await core.DataDeduplicationService.init(new MemoryStore());
	const nodeTypes = loadNodeTypes(setup.n8nNodes, n8n);
	const credentialsHelper = credentialsHelperFor(setup.access);
	return {
		run: async (json) => {
			const workflow = new n8n.Workflow({
				id: json.name,
				name: json.name,
				nodes: json.nodes as unknown as INode[],
				connections: json.connections as never,
				active: false,
				nodeTypes,
				settings: json.settings ?? {},
			});
			const data = additionalData(core, workflow, credentialsHelper);
			const startNode = workflow.getNode(triggerOf(json)) ?? undefined;
			const run = await new core.WorkflowExecute(data, 'manual').run({ workflow, startNode });
			const summary = { id: json.name, workflowId: json.name, mode: 'manual' };
			return decodeExecution({
				...summary,
				status: run.status,
				startedAt: null,
				stoppedAt: null,
				data: run.data,
			});
		},
	};
}

/** Settings that n8n reads from the environment when it is loaded. */
function setEnvironment({ userFolder, files }: EngineSetup): void {
	Object.assign(process.env, {
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: randomBytes(32).toString('hex'),
		N8N_RESTRICT_FILE_ACCESS_TO: files,
	});
}

/** Lets n8n's nodes in the cache load packages of this checkout, for example n8n-workflow. */
function findPackagesHere(n8nNodes: string): void {
	const cache = pathToFileURL(n8nNodes).href;
	registerHooks({
		resolve: (name, context, next) => {
			try {
				return next(name, context);
			} catch (error) {
				if (!context.parentURL?.startsWith(cache)) throw error;
				return { url: pathToFileURL(require.resolve(name)).href, shortCircuit: true };
			}
		},
	});
}

/** The node types of the examples; each is loaded when a workflow first uses it. */
function loadNodeTypes(n8nNodes: string, { NodeHelpers }: N8nWorkflow): INodeTypes {
	const loaded = new Map<string, INodeType | IVersionedNodeType>();
	const load = (type: string) => {
		const known = loaded.get(type) ?? createNode(fileOf(type, n8nNodes));
		loaded.set(type, known);
		return known;
	};
	return {
		getByName: load,
		getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(load(type), version),
		getKnownTypes: () => ({}),
	};
}

/** The file with the class of a node type, e.g. "n8n-nodes-base.set". */
function fileOf(type: string, n8nNodes: string): string {
	if (type === 'n8n-nodes-conversation-desk.conversationDesk')
		return join(dist, 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');
	const file = n8nNodeFiles[type.replace('n8n-nodes-base.', '')];
	if (!file) throw new Error(`The demo has no node of the type ${type}.`);
	return join(n8nNodes, 'n8n-nodes-base', 'dist', file);
}

/** An instance of the class that a file of a node exports. */
function createNode(file: string): INodeType | IVersionedNodeType {
	const [NodeClass] = Object.values(
		require(file) as Record<string, new () => INodeType | IVersionedNodeType>,
	);
	if (!NodeClass) throw new Error(`${file} exports no node.`);
	return new NodeClass();
}

/** Gives every node the one credential of the demo. */
function credentialsHelperFor(access: ICredentialDataDecryptedObject): ICredentialsHelper {
	const { ConversationDeskApi } = require(
		join(dist, 'credentials', 'ConversationDeskApi.credentials.js'),
	) as { ConversationDeskApi: new () => ICredentialType };
	const type = new ConversationDeskApi();
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getDecrypted: async () => ({ ...access }),
		preAuthentication: async () => undefined,
		authenticate: async (credential, _name, options) =>
			typeof type.authenticate === 'function'
				? await type.authenticate(credential, options as IHttpRequestOptions)
				: (options as IHttpRequestOptions),
		getCredentialsProperties: () => type.properties,
	};
	return helper as ICredentialsHelper;
}

/** What n8n gives an execution besides its workflow. */
function additionalData(
	{ ExecutionLifecycleHooks }: Core,
	workflow: Workflow,
	credentialsHelper: ICredentialsHelper,
): IWorkflowExecuteAdditionalData {
	const address = 'http://127.0.0.1';
	const hooks = new ExecutionLifecycleHooks('manual', workflow.id, {
		id: workflow.id,
		name: workflow.name ?? '',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: Object.values(workflow.nodes),
		connections: {},
	});
	return {
		executionId: workflow.id,
		credentialsHelper,
		hooks,
		currentNodeExecutionIndex: 0,
		restApiUrl: `${address}/rest`,
		instanceBaseUrl: `${address}/`,
		formWaitingBaseUrl: `${address}/form-waiting`,
		webhookBaseUrl: `${address}/webhook`,
		webhookWaitingBaseUrl: `${address}/webhook-waiting`,
		webhookTestBaseUrl: `${address}/webhook-test`,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
