export interface CredentialRef {
	id: string;
	name: string;
}

export interface WorkflowNode {
	id?: string;
	name: string;
	type: string;
	typeVersion: number;
	position: number[];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id?: string | null; name: string }>;
	disabled?: boolean;
	[other: string]: unknown;
}

export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, unknown>;
	settings?: Record<string, unknown>;
	[other: string]: unknown;
}

/** Gives each node the credential of its type, as a user does after an import. */
export function withCredentials(
	workflow: WorkflowJson,
	credentials: Record<string, CredentialRef>,
): WorkflowJson {
	return { ...workflow, nodes: workflow.nodes.map((node) => connect(node, credentials)) };
}

function connect(node: WorkflowNode, credentials: Record<string, CredentialRef>): WorkflowNode {
	if (!node.credentials) return node;
	const entries = Object.entries(node.credentials).map(([type, saved]) => [
		type,
		credentials[type] ?? saved,
	]);
	return { ...node, credentials: Object.fromEntries(entries) };
}

/** Returns the trigger of a manual execution: the Manual Trigger, or else the only trigger. */
export function triggerOf(workflow: WorkflowJson): string {
	const active = workflow.nodes.filter((node) => !node.disabled);
	const manual = active.find((node) => node.type === 'n8n-nodes-base.manualTrigger');
	const triggers = active.filter((node) => /trigger$/i.test(node.type));
	const trigger = manual ?? (triggers.length === 1 ? triggers[0] : undefined);
	if (trigger) return trigger.name;
	const names = triggers.map((node) => node.name).join(', ') || 'none';
	throw new Error(`"${workflow.name}" has no single trigger (${names}): name one as triggerNode.`);
}
