import type { ExecutionLifecycleHooks } from 'n8n-core';
import type {
	ICredentialsHelper,
	ICredentialType,
	IHttpRequestOptions,
	IWorkflowExecuteAdditionalData,
	Workflow,
} from 'n8n-workflow';

const ADDRESS = 'http://n8n.test';

/** Makes the helper that gives every node the credential which `getDecrypted` returns. */
export function createCredentialsHelper(
	type: ICredentialType,
	getDecrypted: ICredentialsHelper['getDecrypted'],
): ICredentialsHelper {
	const helper: Partial<ICredentialsHelper> = {
		getDecrypted,
		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		preAuthentication: async () => undefined,
		authenticate: async (credential, _name, options) =>
			typeof type.authenticate === 'function'
				? await type.authenticate(credential, options as IHttpRequestOptions)
				: (options as IHttpRequestOptions),
		getCredentialsProperties: () => type.properties,
	};
	return helper as ICredentialsHelper;
}

/** Makes the data that n8n's server adds to a manual execution. */
export function createAdditionalData(
	Hooks: typeof ExecutionLifecycleHooks,
	workflow: Workflow,
	credentialsHelper: ICredentialsHelper,
): IWorkflowExecuteAdditionalData {
	const hooks = new Hooks('manual', workflow.id, {
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
		restApiUrl: `${ADDRESS}/rest`,
		instanceBaseUrl: `${ADDRESS}/`,
		formWaitingBaseUrl: `${ADDRESS}/form-waiting`,
		webhookBaseUrl: `${ADDRESS}/webhook`,
		webhookWaitingBaseUrl: `${ADDRESS}/webhook-waiting`,
		webhookTestBaseUrl: `${ADDRESS}/webhook-test`,
		variables: {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
