import { credentials } from '../../sandbox/credentials.mts';
import { startSandbox } from '../../sandbox/start.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import type { SandboxOptions } from '../../sandbox/options.mts';

/** A running sandbox and the values of n8n's credential for it. */
export interface Target {
	sandbox: Sandbox;
	agentId: string;
	access: Record<string, string>;
	close: () => Promise<void>;
}

/** Starts the sandbox in this process; its data is invented, and it calls no one. */
export async function sandboxTarget(options: SandboxOptions): Promise<Target> {
	const sandbox = await startSandbox(options);
	return {
		sandbox,
		agentId: '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60',
		access: { baseUrl: sandbox.url, ...credentials },
		close: sandbox.close,
	};
}
