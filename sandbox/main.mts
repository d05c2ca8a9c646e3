import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { credentials } from './credentials.mts';
import { runtimeOptions } from './options.mts';
import type { SandboxOptions } from './options.mts';
import { startSandbox } from './start.mts';
import type { Sandbox } from './start.mts';

const flags = {
	port: { type: 'string', default: '4010' },
	tickets: { type: 'string', default: '5000' },
	latency: { type: 'string', default: '0' },
	spelling: { type: 'string', default: 'formal' },
	reply: { type: 'string', default: 'wrapped' },
	json: { type: 'boolean', default: false },
	key: { type: 'string', default: '' },
	cert: { type: 'string', default: '' },
} as const;

function readOptions(values: Record<keyof typeof flags, string | boolean>): SandboxOptions {
	return {
		...runtimeOptions.parse({
			latencyMs: Number(values.latency),
			spelling: values.spelling,
			conversationReply: values.reply,
		}),
		port: Number(values.port),
		tickets: Number(values.tickets),
		...(values.key !== '' && values.cert !== '' && { tls: tlsFiles(values) }),
	};
}

const tlsFiles = ({ key, cert }: Record<'key' | 'cert', string | boolean>) => ({
	key: readFileSync(String(key), 'utf8'),
	cert: readFileSync(String(cert), 'utf8'),
});

function greeting({ url, controlUrl, control }: Sandbox): string {
	return [
		'The sandbox: the service of this package, on this machine, with invented data.',
		`  Base URL        ${url}`,
		`  API Key         ${credentials.apiKey}`,
		`  Workspace ID    ${credentials.workspaceId}`,
		`  Workspace Slug  ${credentials.workspaceSlug}`,
		`  Access Token    ${credentials.accessToken}`,
		`It holds ${control.countTickets()} tickets. Nothing leaves this machine, nobody is called.`,
		`What it received: ${controlUrl}/received and ${controlUrl}/counts`,
		'Flags: --port --tickets --latency (ms) --spelling formal|narrative|both',
		'       --reply array|wrapped|ids|single|empty --json',
		'       --key --cert (PEM files, for https). Ctrl+C stops it.',
	].join('\n');
}

const { values } = parseArgs({ options: flags });
const sandbox = await startSandbox(readOptions(values));
const { url, controlUrl } = sandbox;
console.log(
	values.json ? JSON.stringify({ url, controlUrl, pid: process.pid }) : greeting(sandbox),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
}
