import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from './checks/check.mts';

/** The folders of src, each tested by the folder of its name in test/unit. */
const folders = ['core', 'bulk', 'tickets', 'conversations', 'customers'];

/** Lets Stryker change the code of one folder of src; true where enough of the changes were noticed. */
const mutate = async (folder: string): Promise<boolean> =>
	await new Promise((done, fail) => {
		const env = { ...process.env, MUTATED_FOLDER: folder };
		const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
		const child = spawn(process.execPath, [stryker, 'run'], { cwd: root, env, stdio: 'inherit' });
		child.once('error', fail);
		child.once('exit', (code) => done(code === 0));
	});

const chosen = process.argv.slice(2);
const unknown = chosen.filter((folder) => !folders.includes(folder));
if (unknown.length > 0)
	throw new Error(
		`Unknown: ${unknown.join(', ')}. Name some of ${folders.join(', ')}, or none for all.`,
	);

for (const folder of chosen.length > 0 ? chosen : folders)
	if (!(await mutate(folder))) process.exitCode = 1;
