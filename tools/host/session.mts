import { randomBytes } from 'node:crypto';

/** The address of an n8n that already runs, in CONVERSATION_DESK_N8N; undefined for a version or nothing. */
export const runningN8n = /^https?:/.test(process.env['CONVERSATION_DESK_N8N'] ?? '')
	? process.env['CONVERSATION_DESK_N8N']
	: undefined;

/** The owner of every n8n of this process; the password is in no file. An n8n that already runs has its own. */
export const owner = {
	email: process.env['CONVERSATION_DESK_N8N_EMAIL'] ?? 'owner@conversation-desk.example',
	firstName: 'Olive',
	lastName: 'Owner',
	password:
		process.env['CONVERSATION_DESK_N8N_PASSWORD'] ?? `Aa1-${randomBytes(18).toString('base64url')}`,
};

/** An unsuccessful response of n8n's REST interface. */
export class RestError extends Error {
	readonly status: number;

	constructor(call: string, status: number, text: string) {
		super(`n8n answered ${status} to ${call}: ${readMessage(text)}`);
		this.status = status;
	}
}

/** The session of a browser tab with n8n's REST interface: the cookie and the browser ID. */
export class Session {
	readonly url: string;
	#cookie = '';

	constructor(url: string) {
		this.url = url;
	}

	/** Sends one call to `/rest/...` and returns the `data` of its response. */
	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await this.#send<{ data: T }>(method, `/rest${path}`, body);
		return response?.data as T;
	}

	/** Reads a file that the editor loads. */
	async get<T>(path: string): Promise<T> {
		return (await this.#send<T>('GET', path)) as T;
	}

	async #send<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': 'conversation-desk',
				// A busy n8n may close an open connection just when it is used again.
				connection: 'close',
				cookie: this.#cookie,
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new RestError(`${method} ${path}`, response.status, text);
		const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
		if (cookies.length > 0) this.#cookie = cookies.join('; ');
		return text ? (JSON.parse(text) as T) : undefined;
	}
}

/** Returns the message of an error response. */
function readMessage(text: string): string {
	try {
		return (JSON.parse(text) as { message?: string }).message ?? text;
	} catch {
		return text.slice(0, 500);
	}
}
