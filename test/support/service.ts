import nock from 'nock';

/** A request as the service of a test received it. */
export interface Received {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: unknown;
}

/** A response with status, body and headers, or the code of a broken connection. */
export type Scripted =
	| {
			readonly status: number;
			readonly body?: unknown;
			readonly headers?: Record<string, string>;
	  }
	| { readonly broken: string; readonly syscall?: string };

/** The service at the edge of the network: answers every request by a script, and remembers what it received. */
export function serve(
	script: (request: Received, number: number) => Scripted,
	origin = 'https://desk.test',
): Received[] {
	const received: Received[] = [];
	const reply = async (raw: Request) => {
		const text = raw.method === 'GET' ? '' : await raw.text();
		const request = {
			method: raw.method,
			path: raw.url.slice(origin.length),
			headers: Object.fromEntries(raw.headers.entries()),
			body: text === '' ? undefined : (JSON.parse(text) as unknown),
		};
		received.push(request);
		const response = script(request, received.length);
		if ('broken' in response) {
			const { broken: code, syscall = 'read' } = response;
			throw Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
		}
		const { status, body = '', headers = {} } = response;
		return [status, typeof body === 'string' ? body : JSON.stringify(body), headers] as const;
	};
	if (!nock.isActive()) nock.activate();
	nock.disableNetConnect();
	nock(origin).persist().get(/.*/).reply(reply);
	nock(origin).persist().post(/.*/).reply(reply);
	return received;
}

/** Takes the services away, and nock's hold on the network, which would outlive a test file. */
export function forget(): void {
	nock.cleanAll();
	nock.restore();
}
