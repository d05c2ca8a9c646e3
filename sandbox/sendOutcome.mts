import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import type { Outcome } from './faultReply.mts';

function reset(response: ServerResponse): void {
	const { socket } = response;
	// A TLS socket cannot be reset, only destroyed; the client sees a lost connection either way.
	if (socket instanceof TLSSocket) socket.destroy();
	else socket?.resetAndDestroy();
}

async function write(response: ServerResponse, chunk: Buffer): Promise<void> {
	if (response.destroyed) return;
	if (!response.write(chunk)) {
		await Promise.race([once(response, 'drain'), once(response, 'close')]);
	}
}

async function sendSlowly(
	response: ServerResponse,
	outcome: Extract<Outcome, { kind: 'slow' }>,
): Promise<void> {
	const bytes = Buffer.from(outcome.reply.body);
	const size = Math.max(1, Math.ceil(bytes.length / outcome.chunks));
	for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
		await wait(outcome.msPerChunk);
		await write(response, bytes.subarray(start, start + size));
	}
}

/** Sends, delays or withholds the reply, as the outcome says. */
export async function sendOutcome(response: ServerResponse, outcome: Outcome): Promise<void> {
	if (outcome.kind === 'hang' || response.destroyed) return;
	if (outcome.kind === 'reset') {
		reset(response);
		return;
	}
	const { status, headers, body } = outcome.reply;
	if (outcome.kind === 'reply') {
		const length = { 'content-length': String(Buffer.byteLength(body)) };
		response.writeHead(status, { ...headers, ...length }).end(body);
		return;
	}
	response.writeHead(status, headers);
	await sendSlowly(response, outcome);
	response.end();
}
