import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Outcome } from './faultReply.mts';

/** Sends, delays or withholds a reply. */
export async function sendOutcome(response: ServerResponse, outcome: Outcome): Promise<void> {
	if (outcome.kind === 'hang' || response.destroyed) return;
	if (outcome.kind === 'reset') {
		const { socket } = response;
		// A TLS socket can only be destroyed, which also loses the connection of its client.
		if (socket instanceof TLSSocket) socket.destroy();
		else socket?.resetAndDestroy();
		return;
	}
	const { status, headers } = outcome.reply;
	const bytes = Buffer.from(outcome.reply.body);
	if (outcome.kind === 'reply') {
		response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
		return;
	}
	response.writeHead(status, headers);
	const size = Math.max(1, Math.ceil(bytes.length / outcome.chunks));
	for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
		await wait(outcome.msPerChunk);
		response.write(bytes.subarray(start, start + size));
	}
	response.end();
}
