import { owner } from '../host/session.mts';
import type { Desk } from './desk.mts';

/** The lines with what to enter in a credential for the sandbox. */
const ownCredential = (access: Record<string, string>, agentId: string): string[] => [
	'n8n opens with its own start page: the house on the left leads to the workflows.',
	'For workflows of your own take the credential "Conversation Desk", or make one:',
	`  Base URL        ${access['baseUrl']}`,
	`  API Key         ${access['apiKey']}`,
	`  Workspace ID    ${access['workspaceId']}`,
	`  Workspace Slug  ${access['workspaceSlug']}`,
	`  Access Token    ${access['accessToken']}`,
	`  Agent ID        ${agentId} (a field of Conversation: Create; any UUID will do)`,
];

/** Says where the editor is and what is in it, and keeps everything running until Ctrl+C. */
export function keepOpen(desk: Desk, contents: string): void {
	const { access, agentId } = desk.target;
	const lines = [
		'',
		`The editor is ready with ${contents}:`,
		`  Address   ${desk.n8n.url}`,
		`  E-mail    ${owner.email}`,
		`  Password  ${owner.password}`,
		`  Sheets    ${desk.files}`,
		...ownCredential(access, agentId),
		'Ctrl+C stops n8n and the sandbox and removes their folder.',
		'',
	];
	console.log(lines.join('\n'));
	let stopping = false;
	// `on`, not `once`: the host's own handler ends this process when no other one is left.
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.on(signal, () => {
			if (stopping) return;
			stopping = true;
			console.log('\nStopping ...');
			desk.stop().then(
				() => process.exit(0),
				() => process.exit(1),
			);
		});
	}
}
