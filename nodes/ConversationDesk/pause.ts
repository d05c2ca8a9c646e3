import { sleep } from 'n8n-workflow';

/** Waits, but not longer than until the user stops the workflow. */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
	if (signal?.aborted) return;
	let wake = (): void => undefined;
	const stop = new Promise<void>((resolve) => {
		wake = resolve;
	});
	signal?.addEventListener('abort', wake, { once: true });
	// Only newer versions of n8n end their timer by the signal; they throw then.
	await Promise.race([sleep(ms, signal).catch(() => undefined), stop]);
	signal?.removeEventListener('abort', wake);
}
