import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { credentialLabels, headersFor, isBelow, readCredential } from '../src/core/credential';
import { problemLines } from '../src/core/describeFailure';

export class ConversationDeskApi implements ICredentialType {
	name = 'conversationDeskApi';

	displayName = 'Conversation Desk API';

	icon: Icon = {
		light: 'file:../icons/conversationDesk.svg',
		dark: 'file:../icons/conversationDesk.dark.svg',
	};

	documentationUrl = 'https://github.com/conversation-desk/n8n-nodes-conversation-desk#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://desk.example.com/api/v2',
			description: 'The address of the service. /api/v2 is added if it is missing.',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'A key of this workspace',
		},
		{
			displayName: 'Workspace ID',
			name: 'workspaceId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
			description: 'The ID of the workspace (a UUID), not its short name',
		},
		{
			displayName: 'Workspace Slug',
			name: 'workspaceSlug',
			type: 'string',
			default: '',
			placeholder: 'e.g. my-workspace',
			description: 'The short name of the workspace. Ticket search and customer batches need it.',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'The bearer token. Customer batches need it.',
		},
		{
			displayName: 'Send Access Token With Every Request',
			name: 'bearerWithEveryRequest',
			type: 'boolean',
			default: false,
			description:
				'Whether to send the access token with all requests instead of customer batches only',
		},
	];

	/** Adds the headers, and only to requests that go to the base address; n8n would send them along with a redirect. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const access = readCredential(credentials);
		if (!access.ok)
			throw new UserError(
				`Conversation Desk API: ${problemLines(access.failure, labelOf).join('. ')}`,
			);
		const url = targetOf(requestOptions);
		if (!isBelow(access.value.baseUrl, url)) {
			throw new UserError(
				`The Conversation Desk API credential is for ${access.value.baseUrl} only. Its keys are not sent anywhere else`,
			);
		}
		return {
			...requestOptions,
			...noRedirect,
			headers: { ...requestOptions.headers, ...headersFor(access.value, url) },
		};
	};
}

/** In the words of both of n8n's ways to send a request. */
const noRedirect = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

const labelOf = ([field]: ReadonlyArray<string | number>): string =>
	Object.entries(credentialLabels).find(([name]) => name === field)?.[1] ?? 'Credential';

/**
 * Where a request goes, or nothing where that depends on who resolves it: beside a `baseURL` some join two texts and some
 * resolve an address, in which `//host` is another one. n8n's HTTP Request node names it `uri`.
 */
function targetOf(options: IHttpRequestOptions & { uri?: string }): string {
	const url = options.url || (options.uri ?? '');
	const { baseURL = '' } = options;
	if (baseURL === '' || /^https?:\/\//i.test(url)) return url;
	const isPath = !/^(\s|[/\\]{2}|[a-z][a-z0-9+.-]*:)/i.test(url);
	return isPath ? `${baseURL.replace(/\/$/, '')}/${url.replace(/^\//, '')}` : '';
}
