import { credentials } from '../../sandbox/credentials.mts';
import { startSandbox } from '../../sandbox/start.mts';
import type { SandboxOptions } from '../../sandbox/options.mts';
import type { Sandbox } from '../../sandbox/start.mts';

/** Headers that every operation accepts. */
export const goodHeaders: Readonly<Record<string, string>> = {
	'x-api-key': credentials.apiKey,
	'x-workspace-id': credentials.workspaceId,
	'x-workspace-slug': credentials.workspaceSlug,
	authorization: `Bearer ${credentials.accessToken}`,
	'content-type': 'application/json',
};

/** The parts of response bodies that tests read. */
interface Json {
	[name: string]: unknown;
	data?: Array<Record<string, unknown>>;
	metadata?: { hasNextPage: boolean };
	issues?: Array<{ path: unknown[]; message: string; code: string }>;
	conversations?: Array<{ id: string }>;
	jobId?: string;
	id?: string;
}

/** Sends one request and reads its response. */
export async function send(url: string, init: RequestInit) {
	const response = await fetch(url, { redirect: 'manual', ...init });
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text: string): Json {
	try {
		return JSON.parse(text) as Json;
	} catch {
		return {};
	}
}

/** Starts a sandbox and returns it with one function for each way of calling it. */
export async function open(options: SandboxOptions = {}) {
	const sandbox: Sandbox = await startSandbox(options);
	const post = (path: string, body: unknown, headers = goodHeaders) =>
		send(sandbox.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
	return {
		...sandbox,
		post,
		search: (body: unknown) => post('/tickets/search', body),
		batch: (body: unknown) => post('/customers/batch', body),
		create: (body: unknown) => post('/conversations', body),
		read: (id: string, headers = goodHeaders) =>
			send(`${sandbox.url}/conversations/${id}`, { method: 'GET', headers }),
		/** Calls an action of the control over HTTP. */
		act: (action: string, argument?: unknown) =>
			send(`${sandbox.controlUrl}/${action}`, {
				method: 'POST',
				body: JSON.stringify(argument) ?? null,
			}),
	};
}

/** One conversation to create. */
export function call(toPhoneNumber: string) {
	return {
		agentId: '4f9a1c1e-57b5-4f0e-9c39-0a1b2c3d4e5f',
		conversationType: 'telephony',
		toPhoneNumber,
		dynamicVariables: { name: 'Zoë' },
	};
}
