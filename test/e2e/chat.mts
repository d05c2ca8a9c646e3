import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { credentials, desk } from './desk.mts';

/** Imports a chat workflow with its model at this address, asks a question, and returns the execution ID. */
export async function ask(
	workflow: WorkflowJson,
	modelUrl: string,
	chatInput: string,
	nodeCredentials: typeof credentials = credentials,
): Promise<string> {
	const { rest: api } = desk.n8n;
	const openAiApi = await api.createCredential({
		name: 'Stand-in',
		type: 'openAiApi',
		data: { apiKey: 'none', url: modelUrl, header: false },
	});
	const id = await api.importWorkflow(workflow, { ...nodeCredentials, openAiApi });
	const item = { json: { sessionId: 'e2e', action: 'sendMessage', chatInput } };
	const run = { startTime: 0, executionTime: 0, executionIndex: 0, executionStatus: 'success' };
	const data = { ...run, source: [], data: { main: [[item]] } };
	const { executionId } = await api.session.call<{ executionId: string }>(
		'POST',
		`/workflows/${id}/run`,
		{
			triggerToStartFrom: { name: 'Question', data },
			workflowData: await api.workflow(id),
		},
	);
	return executionId;
}
