import { setTimeout as sleep } from 'node:timers/promises';

/** Posts to a webhook of a workflow that was just published: n8n answers an activation a moment before it knows the webhook. */
export async function postToWebhook(url: string, body?: unknown): Promise<Response> {
	for (let tries = 0; ; tries += 1) {
		const response = await fetch(url, {
			method: 'POST',
			// A kept connection may be closed by n8n in the moment in which it is used again.
			headers: { connection: 'close', 'content-type': 'application/json' },
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (response.status !== 404 || tries === 300) return response;
		await sleep(200);
	}
}
