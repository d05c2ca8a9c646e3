import { credentials } from '../../sandbox/credentials.mts';
import { startSandbox } from '../../sandbox/start.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import type { SandboxOptions } from '../../sandbox/options.mts';

/** The service that the workflows talk to, and what n8n's credential has to hold for it. */
export interface Target {
	/** Only there when it is the sandbox, which counts what it receives. */
	sandbox?: Sandbox;
	agentId: string;
	access: Record<string, string>;
	close: () => Promise<void>;
}

const ownAgent = '5f0c6a3e-9d1b-4e7a-8c25-2b7d9e4f1a60';

/** A service of the user's own, named in environment variables; undefined when none is. */
export function ownService(environment = process.env): Target | undefined {
	const read = (name: string) => environment[`CONVERSATION_DESK_${name}`] ?? '';
	if (read('BASE_URL') === '') return undefined;
	const needed = ['API_KEY', 'WORKSPACE_ID', 'WORKSPACE_SLUG', 'ACCESS_TOKEN'];
	const missing = needed.filter((name) => read(name) === '');
	if (missing.length > 0) {
		const names = missing.map((name) => `CONVERSATION_DESK_${name}`).join(', ');
		throw new Error(`CONVERSATION_DESK_BASE_URL is set, but not ${names}. Set all or none.`);
	}
	return {
		agentId: read('AGENT_ID'),
		access: {
			baseUrl: read('BASE_URL'),
			apiKey: read('API_KEY'),
			workspaceId: read('WORKSPACE_ID'),
			workspaceSlug: read('WORKSPACE_SLUG'),
			accessToken: read('ACCESS_TOKEN'),
		},
		close: async () => {},
	};
}

/** The sandbox, in this process: invented data, no one is called. */
export async function sandboxTarget(options: SandboxOptions): Promise<Required<Target>> {
	const sandbox = await startSandbox(options);
	return {
		sandbox,
		agentId: ownAgent,
		access: { baseUrl: sandbox.url, ...credentials },
		close: sandbox.close,
	};
}
