import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { listen } from '../../sandbox/listen.mts';

/** Another host: it notes the headers of what it receives and answers an empty object. */
export async function startListener() {
	const received: IncomingHttpHeaders[] = [];
	const server = createServer((request, response) => {
		received.push(request.headers);
		response.setHeader('content-type', 'application/json').end('{}');
	});
	const { port, close } = await listen(server);
	return { url: `http://127.0.0.1:${port}`, received, close };
}
