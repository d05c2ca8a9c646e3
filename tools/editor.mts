import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import debounce from 'lodash/debounce.js';
import { root } from './checks/check.mts';
import { startDesk } from './demo/desk.mts';
import { examples, importExample } from './demo/examples.mts';
import { keepOpen } from './demo/talk.mts';
import { sandboxTarget } from './demo/target.mts';
import { npmCommand, runStep } from './step.mjs';

const start = Date.now();

/** Prints one line of progress with the seconds since the start. */
const report = (line: string) => {
	const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
};

/** Folders that the package is built from. */
const sources = ['credentials', 'icons', 'nodes', 'src'];

report(
	'This opens a real n8n with the example workflows. The service is a sandbox on this machine.',
);
report(
	'The first time it installs n8n and compiles its SQLite: 4 to 10 minutes, 2.2 GB. Later: 20 s.',
);
const desk = await startDesk(await sandboxTarget({ tickets: 5_000 }), report, {
	env: { N8N_DEV_RELOAD: 'true' },
});
for (const example of Object.values(examples)) await importExample(desk, example, { dryRun: true });

/** Builds the package and copies it to where n8n reloads it. After a mistake the last build stays. */
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
		console.error(error instanceof Error ? error.message : error);
	}
}

let last = Promise.resolve();
const onChange = debounce(() => {
	last = last.then(rebuild);
}, 300);
for (const folder of sources) watch(join(root, folder), { recursive: true }, onChange);
keepOpen(desk, 'the three example workflows, and follows each change in the code');
