import { setTimeout as sleep } from 'node:timers/promises';
import { decodeExecution } from './execution.mts';
import type { Execution, ExecutionSummary } from './execution.mts';
import { owner, RestError, runningN8n, Session } from './session.mts';
import { triggerOf, withCredentials } from './workflow.mts';
import type { CredentialRef, WorkflowJson } from './workflow.mts';

/** A credential as n8n stores it. */
export interface Credential {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

const unfinished = new Set(['new', 'running', 'waiting', 'unknown']);

/** Whether an execution has ended; n8n 1 stores its status a moment before its data. */
function hasEnded({ status, data }: Execution): boolean {
	const { runData, error } = data.resultData;
	const hasData = Object.keys(runData).length > 0 || error !== undefined;
	return !unfinished.has(status) && (hasData || !['success', 'error'].includes(status));
}

/** Ignores the status 500 of n8n 2.20, which it returns in that moment. */
function ignoreServerError(error: unknown): undefined {
	if (error instanceof RestError && error.status === 500) return undefined;
	throw error;
}

/** Ignores the status 404 of an object that a test has removed itself. */
function ignoreMissing(error: unknown): void {
	if (!(error instanceof RestError) || error.status !== 404) throw error;
}

/** The REST interface of n8n, as its editor uses it. */
export class N8nRest {
	readonly session: Session;
	/** The paths of the workflows and credentials that it created. */
	readonly #workflows: string[] = [];
	readonly #credentials: string[] = [];

	constructor(url: string) {
		this.session = new Session(url);
	}

	/** Creates the owner of a new n8n, or signs the owner in. */
	async signIn(): Promise<void> {
		const { email, password } = owner;
		try {
			if (!runningN8n) return await this.session.call('POST', '/owner/setup', owner);
		} catch (error) {
			if (!(error instanceof RestError) || error.status >= 500) throw error;
		}
		await this.session.call('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Stores a credential. */
	async createCredential(credential: Credential): Promise<CredentialRef> {
		const { id, name } = await this.session.call<CredentialRef>('POST', '/credentials', credential);
		this.#credentials.push(`/credentials/${id}`);
		return { id, name };
	}

	/** Reads a list that the editor loads when it opens. */
	async types<T>(list: 'nodes' | 'credentials'): Promise<T[]> {
		return await this.session.get(`/types/${list}.json`);
	}

	/** Stores a workflow with credentials by their types, and returns its ID. */
	async importWorkflow(
		workflow: WorkflowJson,
		credentials: Record<string, CredentialRef> = {},
	): Promise<string> {
		const body = { settings: {}, ...withCredentials(workflow, credentials), active: false };
		const { id: _id, ...workflowBody } = body as typeof body & { id?: unknown };
		const { id } = await this.session.call<{ id: string }>('POST', '/workflows', workflowBody);
		this.#workflows.push(`/workflows/${id}`);
		return id;
	}

	/** Removes the credentials and the workflows that it created. n8n removes executions with their workflow. */
	async removeCreated(): Promise<void> {
		for (const path of this.#workflows) {
			await this.session.call('POST', `${path}/archive`);
			await this.session.call('DELETE', path);
		}
		for (const path of this.#credentials)
			await this.session.call('DELETE', path).catch(ignoreMissing);
	}

	/** Reads a stored workflow. */
	async workflow(id: string): Promise<WorkflowJson & { id: string; versionId: string }> {
		return await this.session.call('GET', `/workflows/${id}`);
	}

	/** Publishes a workflow, which starts its trigger. */
	async activateWorkflow(id: string): Promise<void> {
		await this.switchWorkflow(id, 'activate');
	}

	/** Switches a published workflow off. */
	async deactivateWorkflow(id: string): Promise<void> {
		await this.switchWorkflow(id, 'deactivate');
	}

	/** Publishes or unpublishes a workflow; n8n 1 has no versions but a flag. */
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

	/** Starts a manual execution and returns its ID. */
	async startWorkflow(id: string, triggerNode?: string): Promise<string> {
		const workflowData = await this.workflow(id);
		const name = triggerNode ?? triggerOf(workflowData);
		const { executionId } = await this.session.call<{ executionId?: string }>(
			'POST',
			`/workflows/${id}/run`,
			// n8n 1 executes the workflow of the request, n8n 2 the stored one.
			{ triggerToStartFrom: { name }, workflowData },
		);
		if (!executionId) throw new Error(`"${name}" waits for an outside event: nothing ran.`);
		return executionId;
	}

	/** Starts a manual execution and waits for its end. */
	async runWorkflow(
		id: string,
		options: { triggerNode?: string; timeoutMs?: number } = {},
	): Promise<Execution> {
		const executionId = await this.startWorkflow(id, options.triggerNode);
		return await this.waitForExecution(executionId, options.timeoutMs);
	}

	/** Waits until an execution has ended with any status. */
	async waitForExecution(id: string, timeoutMs = 120_000): Promise<Execution> {
		const deadline = Date.now() + timeoutMs;
		for (let pause = 25; ; pause = Math.min(pause * 1.5, 500)) {
			const execution = await this.execution(id).catch(ignoreServerError);
			if (execution && hasEnded(execution)) return execution;
			if (Date.now() > deadline) {
				const status = execution?.status ?? 'unreadable';
				throw new Error(`Execution ${id} is still ${status} after ${timeoutMs} ms.`);
			}
			await sleep(pause);
		}
	}

	/** Reads an execution with its data. */
	async execution(id: string): Promise<Execution> {
		return decodeExecution(await this.session.call('GET', `/executions/${id}`));
	}

	/** Lists executions without their data, the newest first. */
	async listExecutions(
		filter: { workflowId?: string; status?: string[] } = {},
	): Promise<ExecutionSummary[]> {
		const query = new URLSearchParams({ filter: JSON.stringify(filter), limit: '100' });
		type Page = { results: ExecutionSummary[] };
		return (await this.session.call<Page>('GET', `/executions?${query}`)).results;
	}

	/** Stops an execution, as the button of the editor does. */
	async stopExecution(id: string): Promise<void> {
		await this.session.call('POST', `/executions/${id}/stop`);
	}

	/** Retries an execution with the saved workflow and waits for the end of the new execution. */
	async retryExecution(id: string, timeoutMs?: number): Promise<Execution> {
		const body = { loadWorkflow: true };
		const retry = await this.session.call<{ id: string }>('POST', `/executions/${id}/retry`, body);
		return await this.waitForExecution(retry.id, timeoutMs);
	}
}
