import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import debounce from 'lodash/debounce.js';
import { root } from './checks/check.mts';
import { startDesk } from './demo/desk.mts';
import { examples, importExample } from './demo/examples.mts';
import { keepOpen } from './demo/talk.mts';
import { sandboxTarget } from './demo/target.mts';
import { npmCommand, runStep } from './step.mjs';

const say = (line: string) => console.log(line);

/** What the package is built from. */
const sources = ['credentials', 'icons', 'nodes', 'src'];

const desk = await startDesk(await sandboxTarget({ tickets: 5_000 }), say, {
	env: { N8N_DEV_RELOAD: 'true' },
});
for (const example of Object.values(examples)) await importExample(desk, example, { dryRun: true });

/** Builds the package and puts it where n8n loads it anew; a mistake in it is shown, and the last build stays. */
async function rebuild(): Promise<void> {
	try {
		await runStep({
			label: 'Building the package',
			command: npmCommand(['run', 'build']),
			cwd: root,
			log: join(desk.userFolder, 'build.log'),
		});
		cpSync(join(root, 'dist'), join(desk.installed, 'dist'), { recursive: true });
		say('n8n loads it now. Reload the editor to see changed parameters.');
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
