import { randomBytes } from 'node:crypto';

export interface Owner {
	email: string;
	firstName: string;
	lastName: string;
	password: string;
}

/** The owner of the private n8ns of this process: the password is in no file, since a demo may hold a real account. */
export const owner: Owner = {
	email: 'owner@conversation-desk.example',
	firstName: 'Olive',
	lastName: 'Owner',
	password: `Aa1-${randomBytes(18).toString('base64url')}`,
};

/** A reply of n8n's REST interface that is not a success. */
export class RestError extends Error {
	readonly status: number;

	constructor(call: string, status: number, text: string) {
		super(`n8n answered ${status} to ${call}: ${messageIn(text)}`);
		this.status = status;
	}
}

/** A signed-in browser tab, as far as n8n's REST interface can tell: the cookie and the browser id. */
export class Session {
	readonly url: string;
	#cookie = '';

	constructor(url: string) {
		this.url = url;
	}

	/** Sends one call to `/rest/...` and returns the `data` of its reply. */
	async call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const reply = await this.#send<{ data: T }>(method, `/rest${path}`, body);
		return reply?.data as T;
	}

	/** Reads one of the files that the editor loads. */
	async get<T>(path: string): Promise<T> {
		return (await this.#send<T>('GET', path)) as T;
	}

	async #send<T>(method: string, path: string, body?: unknown): Promise<T | undefined> {
		const response = await fetch(`${this.url}${path}`, {
			method,
			headers: {
				'browser-id': 'conversation-desk',
				// A busy n8n closes a kept connection in the moment in which it is used again.
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

function messageIn(text: string): string {
	try {
		return (JSON.parse(text) as { message?: string }).message ?? text;
	} catch {
		return text.slice(0, 500);
	}
}
