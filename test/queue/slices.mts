import type { ExecutionSummary } from '../../tools/host/execution.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { importFanOut as importInto } from '../support/fanOut.mts';
import { farm } from './farm.mts';

export { acceptedRows } from '../support/fanOut.mts';

/** The two workflows of the example in the farm, for so many customers; `change` alters them first. */
export async function importFanOut(
	path: string,
	customers: number,
	change: (workflow: WorkflowJson) => WorkflowJson = (workflow) => workflow,
): Promise<{ fanOut: string; slice: string }> {
	const { main: n8n, credential } = farm;
	return await importInto({ n8n, credential, path, settings: { customers }, change });
}

/** The executions of the slices, the newest first. */
export const slicesOf = async (slice: string): Promise<ExecutionSummary[]> =>
	await farm.main.rest.listExecutions({ workflowId: slice });
