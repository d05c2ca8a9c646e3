import { setTimeout as sleep } from 'node:timers/promises';
import { decodeExecution } from './execution.mts';
import type { Execution, ExecutionSummary } from './execution.mts';
import { owner, RestError, Session } from './session.mts';
import { triggerOf, withCredentials } from './workflow.mts';
import type { CredentialRef, WorkflowJson } from './workflow.mts';

export interface Credential {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

const unfinished = new Set(['new', 'running', 'waiting', 'unknown']);

/** n8n 1 stores how an execution ended a moment before it stores what came out. */
function hasEnded({ status, data }: Execution): boolean {
	const { runData, error } = data.resultData;
	const written = Object.keys(runData).length > 0 || error !== undefined;
	return !unfinished.has(status) && (written || !['success', 'error'].includes(status));
}

/** n8n 2.20 answers 500 in that moment. */
function whileWritten(error: unknown): undefined {
	if (error instanceof RestError && error.status === 500) return undefined;
	throw error;
}

/** n8n's own REST interface, as its editor uses it: owner, credentials, workflows, executions. */
export class N8nRest {
	readonly session: Session;

	constructor(url: string) {
		this.session = new Session(url);
	}

	/** Sets up the owner in a new n8n, or signs in to one that has it. */
	async signIn(): Promise<void> {
		const { email, password } = owner;
		try {
			await this.session.call('POST', '/owner/setup', owner);
		} catch (error) {
			if (!(error instanceof RestError) || error.status >= 500) throw error;
			await this.session.call('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	/** Stores a credential. */
	async createCredential(credential: Credential): Promise<CredentialRef> {
		const { id, name } = await this.session.call<CredentialRef>('POST', '/credentials', credential);
		return { id, name };
	}

	/** What the "Test" of a stored credential says; n8n tests nothing that is not stored. */
	async testCredential(
		credential: Credential & { id: string },
	): Promise<{ status: string; message: string }> {
		return await this.session.call('POST', '/credentials/test', { credentials: credential });
	}

	/** A list that the editor loads when it is opened. */
	async types<T>(list: 'nodes' | 'credentials'): Promise<T[]> {
		return await this.session.get(`/types/${list}.json`);
	}

	/** The fields that a resource mapper of a node offers. */
	async mapperFields(
		type: { name: string; version: number },
		{ path, methodName }: { path: string; methodName: string },
	): Promise<Array<{ id: string; displayName: string }>> {
		const reply = await this.session.call<{ fields: Array<{ id: string; displayName: string }> }>(
			'POST',
			'/dynamic-node-parameters/resource-mapper-fields',
			{ nodeTypeAndVersion: type, path, methodName, currentNodeParameters: {} },
		);
		return reply.fields;
	}

	/** Stores a workflow, with the credentials given by their type, and returns its id. */
	async importWorkflow(
		workflow: WorkflowJson,
		credentials: Record<string, CredentialRef> = {},
	): Promise<string> {
		const body = { settings: {}, ...withCredentials(workflow, credentials), active: false };
		const { id, ...given } = body as typeof body & { id?: unknown };
		return (await this.session.call<{ id: string }>('POST', '/workflows', given)).id;
	}

	/** A stored workflow. */
	async workflow(id: string): Promise<WorkflowJson & { id: string; versionId: string }> {
		return await this.session.call('GET', `/workflows/${id}`);
	}

	/** Publishes a workflow, so its trigger works by itself. */
	async activateWorkflow(id: string): Promise<void> {
		await this.switchWorkflow(id, 'activate');
	}

	/** Switches a published workflow off. */
	async deactivateWorkflow(id: string): Promise<void> {
		await this.switchWorkflow(id, 'deactivate');
	}

	/** n8n 1 has no versions to publish: a workflow is active or not. */
	private async switchWorkflow(id: string, action: 'activate' | 'deactivate'): Promise<void> {
		const { versionId } = await this.workflow(id);
		try {
			const body = action === 'activate' ? { versionId } : {};
			await this.session.call('POST', `/workflows/${id}/${action}`, body);
		} catch (error) {
			if (!(error instanceof RestError) || error.status !== 404) throw error;
			const active = action === 'activate';
			await this.session.call('PATCH', `/workflows/${id}`, { active, versionId });
		}
	}

	/** "Execute workflow": starts a manual run and returns the id of its execution. */
	async startWorkflow(id: string, triggerNode?: string): Promise<string> {
		const workflowData = await this.workflow(id);
		const name = triggerNode ?? triggerOf(workflowData);
		const reply = await this.session.call<{ executionId?: string }>(
			'POST',
			`/workflows/${id}/run`,
			// n8n 1 runs the workflow that it is sent, n8n 2 the one that it has stored.
			{ triggerToStartFrom: { name }, workflowData },
		);
		if (!reply.executionId) throw new Error(`"${name}" waits for an outside event: nothing ran.`);
		return reply.executionId;
	}

	/** Starts a manual run and waits for its end. */
	async runWorkflow(
		id: string,
		options: { triggerNode?: string; timeoutMs?: number } = {},
	): Promise<Execution> {
		const executionId = await this.startWorkflow(id, options.triggerNode);
		return await this.waitForExecution(executionId, options.timeoutMs);
	}

	/** Waits until an execution has ended in any way: success, error, canceled, crashed. */
	async waitForExecution(id: string, timeoutMs = 120_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (let pause = 25; ; pause = Math.min(pause * 1.5, 500)) {
			const execution = await this.execution(id).catch(whileWritten);
			if (execution && hasEnded(execution)) return execution;
			if (Date.now() > deadline) {
				const status = execution?.status ?? 'unreadable';
				throw new Error(`Execution ${id} is still ${status} after ${timeoutMs} ms.`);
			}
			await sleep(pause);
		}
	}

	/** An execution as it is now, with its data. */
	async execution(id: string): Promise<Execution> {
		return decodeExecution(await this.session.call('GET', `/executions/${id}`));
	}

	/** The newest executions first, without their data. */
	async listExecutions(
		filter: { workflowId?: string; status?: string[] } = {},
	): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({ filter: JSON.stringify(filter), limit: '100' });
		const reply = await this.session.call<{ results: ExecutionSummary[] }>(
			'GET',
			`/executions?${query}`,
		);
		return reply.results;
	}

	/** "Stop": what a user does when a run has to end. */
	async stopExecution(id: string): Promise<void> {
		await this.session.call('POST', `/executions/${id}/stop`);
	}

	/** "Retry with currently saved workflow" of a failed execution; waits for the end of the new one. */
	async retryExecution(id: string, timeoutMs?: number): Promise<Execution> {
		const reply = await this.session.call<{ id: string }>('POST', `/executions/${id}/retry`, {
			loadWorkflow: true,
		});
		return await this.waitForExecution(reply.id, timeoutMs);
	}
}
