import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { UserError } from 'n8n-workflow';
import { credentialLabelOf, headersFor, isBelow, readCredential } from '../src/core/credential';
import { problemLines } from '../src/core/describeFailure';

/** The advice for statuses that fail the test of a credential. */
const statusAdvice = {
	"The service redirected to another address, which was not followed. Enter the right address as 'Base URL'":
		[301, 302, 303, 307, 308],
	"The service rejected the search of this test. Enter 'Workspace Slug', and check 'Workspace ID'":
		[400, 422],
	"The service did not accept the credential. Enter 'API Key' without quotes and without Bearer. It is not the 'Access Token'":
		[401],
	"The credential has no access to this workspace. Check 'Workspace ID' and 'Workspace Slug'": [
		403,
	],
	"There is no ticket search at this address. Check 'Base URL', which ends after /api/v2": [
		404, 405,
	],
	'The service receives too many requests at the moment. Try again later': [429],
	'The service does not work at the moment. Try again later': [500, 502, 503, 504],
};

const statusRules = Object.entries(statusAdvice).flatMap(([message, statuses]) =>
	statuses.map((value) => ({
		type: 'responseCode',
		properties: { value, message: `${message} (${value})` },
	})),
);

/** Rejects the page of another service that returns 200. */
const bodyRule = {
	type: 'responseSuccessBody',
	properties: {
		key: 'data',
		value: undefined,
		message: "This address returned something unexpected. Check 'Base URL'",
	},
};

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

	/** Searches for one ticket, which tests all fields except the access token. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/tickets/search',
			method: 'POST',
			body: { pagination: { limit: 1, offset: 0 } },
		},
		rules: [...statusRules, bodyRule] as ICredentialTestRequest['rules'],
	};

	/** Adds the headers to requests below the base URL. Other requests are rejected. */
	authenticate = async (
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		const access = readCredential(credentials);
		if (!access.ok)
			throw new UserError(
				`Conversation Desk API: ${problemLines(access.failure, ([, field]) => credentialLabelOf(field) ?? 'Credential').join('. ')}`,
			);
		// The test request contains the base URL as it was entered.
		const isTest = requestOptions.baseURL === credentials['baseUrl'];
		const baseURL = isTest ? access.value.baseUrl : requestOptions.baseURL;
		const url = buildTargetUrl({ ...requestOptions, baseURL });
		if (!isBelow(url, access.value.baseUrl))
			throw new UserError(
				`The Conversation Desk API credential is for ${access.value.baseUrl} only. Its keys are not sent anywhere else`,
			);
		return {
			...requestOptions,
			...(baseURL !== undefined && { baseURL }),
			...NO_REDIRECTS,
			headers: { ...requestOptions.headers, ...headersFor(access.value, url) },
		};
	};
}

/** Redirects would receive the headers. Both HTTP helpers of n8n have options of their own. */
const NO_REDIRECTS: object = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

/** Builds the full URL of a request. With a base URL, an ambiguous path such as "//host" gives ''. */
function buildTargetUrl(options: IHttpRequestOptions & { uri?: string }): string {
	const url = options.url || (options.uri ?? ''); // The HTTP Request node sets `uri`.
	const { baseURL = '' } = options;
	if (baseURL === '' || /^https?:\/\//i.test(url)) return url;
	const isPath = !/^(\s|[/\\]{2}|[a-z][a-z0-9+.-]*:)/i.test(url);
	return isPath ? `${baseURL.replace(/\/$/, '')}/${url.replace(/^\//, '')}` : '';
}
