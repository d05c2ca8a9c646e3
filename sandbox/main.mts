import { parseArgs } from 'node:util';
import { credentials } from './credentials.mts';
import { runtimeOptions } from './options.mts';
import { startSandbox } from './start.mts';

const options = {
	port: { type: 'string', default: '4010' },
	tickets: { type: 'string', default: '5000' },
	latency: { type: 'string', default: '0' },
	spelling: { type: 'string', default: 'formal' },
	reply: { type: 'string', default: 'wrapped' },
	json: { type: 'boolean', default: false },
} as const;

const { values } = parseArgs({ options });
const sandbox = await startSandbox({
	...runtimeOptions.parse({
		latencyMs: Number(values.latency),
		spelling: values.spelling,
		conversationReply: values.reply,
	}),
	port: Number(values.port),
	tickets: Number(values.tickets),
});
const { url, controlUrl } = sandbox;
console.log(
	values.json
		? JSON.stringify({ url, controlUrl })
		: `The sandbox: the service of this package, on this machine, with invented data.
  Base URL        ${url}
  API Key         ${credentials.apiKey}
  Workspace ID    ${credentials.workspaceId}
  Workspace Slug  ${credentials.workspaceSlug}
  Access Token    ${credentials.accessToken}
It has ${sandbox.control.countTickets()} tickets. Nothing leaves this machine, and no one is called.
Received requests: ${controlUrl}/received and ${controlUrl}/counts
Flags: --port --tickets --latency (ms) --spelling formal|narrative
       --reply array|wrapped|ids|single|empty --json
Ctrl+C stops it.`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
