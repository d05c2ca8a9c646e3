import { randomBytes } from 'node:crypto';
import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	INode,
	INodeType,
	INodeTypes,
	IVersionedNodeType,
} from 'n8n-workflow';
import { root } from '../checks/check.mts';
import {
	createAdditionalData,
	createCredentialsHelper,
} from '../../test/support/additionalData.ts';
import { MemoryDedupeStore } from '../../test/support/dedupeStore.ts';
import { decodeExecution } from '../host/execution.mts';
import type { Execution } from '../host/execution.mts';
import { triggerOf } from '../host/workflow.mts';
import type { WorkflowJson } from '../host/workflow.mts';
import { n8nNodeFiles } from './n8nNodes.mts';

/** The folders of n8n, of the workflows and of n8n's nodes, and the credential. */
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
type NodeType = INodeType | IVersionedNodeType;

const dist = join(root, 'dist');

/** Loads n8n's engine and returns the function that runs a workflow from its manual trigger. */
export async function startEngine({ userFolder, files, n8nNodes, access }: EngineSetup) {
	// n8n reads these when it is loaded.
	process.env['N8N_USER_FOLDER'] = userFolder;
	process.env['N8N_ENCRYPTION_KEY'] = randomBytes(32).toString('hex');
	process.env['N8N_RESTRICT_FILE_ACCESS_TO'] = files;
	resolveFromCheckout(n8nNodes);
	const core = require('n8n-core') as Core;
	const n8n = require('n8n-workflow') as N8nWorkflow;
	// The sandbox counts days in UTC.
	n8n.setGlobalState({ defaultTimezone: 'UTC' });
	await core.DataDeduplicationService.init(new MemoryDedupeStore());
	const nodeTypes = createNodeTypes(n8nNodes, n8n);
	const credentialFile = join(dist, 'credentials', 'ConversationDeskApi.credentials.js');
	const credentialType = createInstance<ICredentialType>(credentialFile);
	const helper = createCredentialsHelper(credentialType, async () => ({ ...access }));
	return async (json: WorkflowJson): Promise<Execution> => {
		const workflow = new n8n.Workflow({
			id: json.name,
			name: json.name,
			nodes: json.nodes as unknown as INode[],
			connections: json.connections as never,
			active: false,
			nodeTypes,
			settings: json.settings ?? {},
		});
		const data = createAdditionalData(core.ExecutionLifecycleHooks, workflow, helper);
		const startNode = workflow.getNode(triggerOf(json)) ?? undefined;
		const run = await new core.WorkflowExecute(data, 'manual').run({ workflow, startNode });
		return decodeExecution({
			id: json.name,
			workflowId: json.name,
			mode: 'manual',
			status: run.status,
			startedAt: null,
			stoppedAt: null,
			data: run.data,
		});
	};
}

/** Lets n8n's nodes in the cache load packages of this checkout, for example n8n-workflow. */
function resolveFromCheckout(n8nNodes: string): void {
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

/** Makes the node types of the examples; each is loaded when a workflow first uses it. */
function createNodeTypes(n8nNodes: string, { NodeHelpers }: N8nWorkflow): INodeTypes {
	const loaded = new Map<string, NodeType>();
	const load = (type: string): NodeType => {
		const node = loaded.get(type) ?? createInstance<NodeType>(fileOf(type, n8nNodes));
		loaded.set(type, node);
		return node;
	};
	return {
		getByName: load,
		getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(load(type), version),
		getKnownTypes: () => ({}),
	};
}

/** Returns the file with the class of a node type, e.g. "n8n-nodes-base.set". */
function fileOf(type: string, n8nNodes: string): string {
	if (type === 'n8n-nodes-conversation-desk.conversationDesk')
		return join(dist, 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');
	const file = n8nNodeFiles[type.replace('n8n-nodes-base.', '')];
	if (!file) throw new Error(`The demo has no node of the type ${type}.`);
	return join(n8nNodes, 'n8n-nodes-base', 'dist', file);
}

/** Makes an instance of the class that a file exports. */
function createInstance<T>(file: string): T {
	const [Class] = Object.values(require(file) as Record<string, new () => T>);
	if (!Class) throw new Error(`${file} exports no class.`);
	return new Class();
}
