import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { makeCertificate } from '../../tools/certificate.mts';
import type { Json } from '../../tools/host/execution.mts';
import type { N8nRest } from '../../tools/host/rest.mts';
import type { WorkflowJson } from '../../tools/host/workflow.mts';
import { startProxy } from './proxy.mts';

/** Other services as their documents describe them, behind a proxy: n8n's nodes send what they always send. */
export interface Services {
	/** The environment variables of n8n. */
	env: Record<string, string>;
	/** The cells of the only spreadsheet, with the column names as first row. */
	sheet: unknown[][];
	/** The contacts of HubSpot, what Salesforce returns to each query, and the orders of Shopify. */
	contacts: Contact[];
	salesforce: Json[];
	shopify: Json[];
	/** The queries to Salesforce, the messages to Slack, and the mails by Gmail. */
	queries: string[];
	messages: Json[];
	mails: string[];
	close: () => Promise<void>;
}

/** A contact of HubSpot. */
export interface Contact {
	id: string;
	properties: Record<string, unknown>;
}

interface Call {
	method: string;
	url: URL;
	body: Json;
}

type Answer = { status?: number; body: unknown };

const TAB = 'campaign-sheet';

/** The address of the spreadsheet. */
export const SHEET =
	'https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefg/edit';

/** The sheet to fill in, as Google Sheets imports it. */
export async function readSampleSheet(): Promise<string[][]> {
	const csv = await readFile(join(import.meta.dirname, '../../docs/campaign-sheet.csv'), 'utf8');
	return csv
		.trim()
		.split('\n')
		.map((line) => line.split(','));
}

/** Google Sheets: https://developers.google.com/workspace/sheets/api/reference/rest */
function sheets({ sheet }: Services, { method, url, body }: Call): Answer | undefined {
	const [, path = ''] = /^\/v4\/spreadsheets\/[\w-]+(.*)$/.exec(url.pathname) ?? [];
	if (path === '') return { body: { sheets: [{ properties: { sheetId: 0, title: TAB } }] } };
	if (method === 'GET' && path.startsWith('/values/')) {
		// Cells without a value at the end of a row are left out.
		const values = sheet.map((row) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1));
		return { body: { range: `${TAB}!A1:Z100`, majorDimension: 'ROWS', values } };
	}
	if (path !== '/values:batchUpdate') return undefined;
	const data = body['data'] as Array<{ range: string; values: unknown[][] }>;
	for (const { range, values } of data) {
		const [, column = '', row = ''] = /!([A-Z])(\d+)$/.exec(range) ?? [];
		const isFormula = body['valueInputOption'] !== 'RAW' && /^[=+]/.test(String(values[0]?.[0]));
		const cell = isFormula ? '#FORMULA' : values[0]?.[0];
		(sheet[Number(row) - 1] ??= [])[column.charCodeAt(0) - 65] = cell;
	}
	return { body: { spreadsheetId: 'sheet', totalUpdatedCells: data.length } };
}

/** Salesforce: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_query.htm */
function salesforce(services: Services, { url }: Call): Answer | undefined {
	if (!url.pathname.endsWith('/query')) return undefined;
	services.queries.push(url.searchParams.get('q') ?? '');
	const records = services.salesforce;
	return { body: { totalSize: records.length, done: true, records } };
}

/** HubSpot: https://developers.hubspot.com/docs/api-reference/search/guide and its older contacts API. */
function hubspot({ contacts }: Services, { url, body }: Call): Answer | undefined {
	if (url.pathname === '/crm/v3/objects/contacts/search') {
		const [{ filters }] = body['filterGroups'] as [{ filters: HubspotFilter[] }];
		const results = contacts.filter(({ properties }) =>
			filters.every(({ propertyName, operator, value }) => {
				const stored = properties[propertyName] ?? '';
				return operator === 'EQ'
					? stored === value
					: (stored !== '') === (operator === 'HAS_PROPERTY');
			}),
		);
		return { body: { total: results.length, results } };
	}
	// n8n's node reads the profile of a contact after it wrote it.
	const [, id, email] =
		/^\/contacts\/v1\/contact\/(?:vid\/(\d+)\/profile|createOrUpdate\/email\/(.+))$/.exec(
			url.pathname,
		) ?? [];
	const contact = contacts.find((each) => each.id === id || each.properties['email'] === email);
	if (!contact) return undefined;
	for (const { property, value } of (body['properties'] ?? []) as HubspotProperty[])
		contact.properties[property] = value;
	return { body: { vid: Number(contact.id), isNew: false } };
}

type HubspotFilter = { propertyName: string; operator: string; value?: string };
type HubspotProperty = { property: string; value: string };

/** Shopify: https://shopify.dev/docs/api/admin-rest/2024-07/resources/order */
function shopify({ shopify: orders }: Services, { url }: Call): Answer | undefined {
	// n8n's node asks for `//orders.json`.
	if (!/^\/admin\/api\/2024-07\/+orders\.json$/.test(url.pathname)) return undefined;
	return { body: { orders } };
}

/** Slack: https://docs.slack.dev/reference/methods/chat.postMessage */
function slack({ messages }: Services, { url, body }: Call): Answer | undefined {
	if (url.pathname !== '/api/chat.postMessage') return undefined;
	messages.push(body);
	return { body: { ok: true, channel: 'C0123456789', ts: '1795105200.000100', message: body } };
}

/** Gmail: https://developers.google.com/workspace/gmail/api/reference/rest/v1/users.messages/send */
function gmail({ mails }: Services, { url, body }: Call): Answer | undefined {
	if (url.pathname !== '/gmail/v1/users/me/messages/send') return undefined;
	mails.push(Buffer.from(String(body['raw']), 'base64url').toString());
	return { body: { id: '18c0', threadId: '18c0', labelIds: ['SENT'] } };
}

const hosts: Record<string, (services: Services, call: Call) => Answer | undefined> = {
	'api.hubapi.com': hubspot,
	'example.my.salesforce.com': salesforce,
	'example.myshopify.com': shopify,
	'gmail.googleapis.com': gmail,
	'sheets.googleapis.com': sheets,
	'slack.com': slack,
	'www.googleapis.com': gmail,
};

/** Starts the services. They reject requests without a token. Their proxy blocks every other host. */
export async function startServices(): Promise<Services> {
	const certificate = await makeCertificate(...Object.keys(hosts));
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const host = request.headers.host ?? '';
		const url = new URL(request.url ?? '', `https://${host}`);
		const content = await text(request);
		const body = content.startsWith('{') ? (JSON.parse(content) as Json) : {};
		const call = { method: request.method ?? '', url, body };
		const answered = hasToken(request) ? hosts[host]?.(services, call) : { status: 401, body: {} };
		const { status = 200 } = answered ?? { status: 404 };
		response.writeHead(status, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answered?.body ?? { error: `${host}${url.pathname}` }));
	};
	const hasToken = ({ headers }: IncomingMessage): boolean =>
		headers.authorization?.startsWith('Bearer ') ?? headers['x-shopify-access-token'] !== undefined;
	const proxy = await startProxy(Object.keys(hosts), certificate, (request, response) => {
		answer(request, response).catch(() => response.destroy());
	});
	const direct = '127.0.0.1,localhost,.invalid,.example';
	const services: Services = {
		env: {
			HTTPS_PROXY: proxy.url,
			NO_PROXY: direct,
			no_proxy: direct,
			NODE_EXTRA_CA_CERTS: certificate.certFile,
		},
		sheet: [],
		contacts: [],
		salesforce: [],
		shopify: [],
		queries: [],
		messages: [],
		mails: [],
		close: async () => {
			await proxy.close();
			certificate.remove();
		},
	};
	return services;
}

const oauth = (more: Json = {}): Json => ({
	clientId: 'stand-in',
	clientSecret: 'stand-in',
	oauthTokenData: { access_token: 'stand-in', token_type: 'Bearer', ...more },
});

/** The account of each service node: the type of its credential, and data that the stand-ins accept. */
const accounts: Record<string, { type: string; data: Json }> = {
	gmail: { type: 'gmailOAuth2', data: oauth() },
	googleSheets: { type: 'googleSheetsOAuth2Api', data: oauth() },
	hubspot: { type: 'hubspotAppToken', data: { appToken: 'stand-in' } },
	salesforce: {
		type: 'salesforceOAuth2Api',
		data: oauth({ instance_url: 'https://example.my.salesforce.com' }),
	},
	shopify: {
		type: 'shopifyAccessTokenApi',
		data: { shopSubdomain: 'example', accessToken: 'stand-in', appSecretKey: 'stand-in' },
	},
	slack: { type: 'slackApi', data: { accessToken: 'stand-in' } },
};

/** Chooses a credential in each node of a service, as a user with an account does. */
export async function withAccounts(path: N8nRest, workflow: WorkflowJson): Promise<WorkflowJson> {
	const nodes = workflow.nodes.map(async (node) => {
		const account = accounts[node.type.replace('n8n-nodes-base.', '')];
		if (!account) return node;
		const { type } = account;
		const stored = await path.createCredential({ name: type, ...account });
		return { ...node, credentials: { [type]: stored } };
	});
	return { ...workflow, nodes: await Promise.all(nodes) };
}
