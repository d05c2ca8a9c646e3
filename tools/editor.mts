import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import debounce from 'lodash/debounce.js';
import { root } from './checks/check.mts';
import { startDesk } from './demo/desk.mts';
import { examples, importExample } from './demo/examples.mts';
import { sandboxTarget } from './demo/target.mts';
import { owner } from './host/session.mts';
import { npmCommand, runStep } from './step.mjs';

const start = Date.now();

/** Prints one line of progress with the seconds since the start. */
const report = (line: string) => {
	const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
};

report(
	'This opens a real n8n with the example workflows. The service is a sandbox on this machine.',
);
report(
	'The first time it installs n8n and compiles its SQLite: 4 to 10 minutes, 2.2 GB. Later: 20 s.',
);
const target = await sandboxTarget({ tickets: 5_000 });
const desk = await startDesk(target, report, { env: { N8N_DEV_RELOAD: 'true' } });
for (const example of Object.values(examples)) await importExample(desk, example, { dryRun: true });

/** Builds the package and copies it to the folder from which n8n reloads it. */
async function rebuild(): Promise<void> {
	try {
		await runStep({
			label: 'Building the package',
			command: npmCommand(['run', 'build']),
			cwd: root,
			log: join(desk.userFolder, 'build.log'),
		});
		cpSync(join(root, 'dist'), join(desk.installed, 'dist'), { recursive: true });
		report('n8n loads it now. Reload the editor to see changed parameters.');
	} catch (error) {
		// The last build stays.
		console.error(error instanceof Error ? error.message : error);
	}
}

let lastBuild = Promise.resolve();
const onChange = debounce(() => {
	lastBuild = lastBuild.then(rebuild);
}, 300);
for (const folder of ['credentials', 'icons', 'nodes', 'src'])
	watch(join(root, folder), { recursive: true }, onChange);

const { access, agentId } = target;
console.log(`
The editor is ready with the three example workflows, and follows each change in the code:
  Address   ${desk.n8n.url}
  E-mail    ${owner.email}
  Password  ${owner.password}
  Sheets    ${desk.files}
n8n opens with its own start page: the house on the left leads to the workflows.
For workflows of your own take the credential "Conversation Desk", or make one:
  Base URL        ${access['baseUrl']}
  API Key         ${access['apiKey']}
  Workspace ID    ${access['workspaceId']}
  Workspace Slug  ${access['workspaceSlug']}
  Access Token    ${access['accessToken']}
  Agent ID        ${agentId} (a field of Conversation: Create; any UUID will do)
Ctrl+C stops n8n and the sandbox and removes their folder.
`);

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.on(signal, () => {
		if (isStopping) return;
		isStopping = true;
		console.log('\nStopping ...');
		desk.stop().then(
			() => process.exit(0),
			() => process.exit(1),
		);
	});
}
