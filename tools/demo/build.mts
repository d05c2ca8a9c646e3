import { readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../checks/check.mts';
import { npmCommand, runStep } from '../step.mjs';

/** Folders and files that the package is built from. */
const sources = ['credentials', 'icons', 'nodes', 'src', 'gulpfile.js', 'package.json'];
/** A file that each build writes. */
const built = join(root, 'dist', 'nodes', 'ConversationDesk', 'ConversationDesk.node.js');

/** Builds the package unless the last build is newer than every source. */
export async function buildIfChanged(report?: (line: string) => void): Promise<void> {
	const [newest, last] = await Promise.all([newestChange(), changeTime(built)]);
	if (last > newest) return;
	await runStep({
		label: 'Building the package',
		command: npmCommand(['run', 'build']),
		cwd: root,
		log: join(tmpdir(), `conversation-desk-build-${process.pid}.log`),
		report,
	});
}

/** When a source was last changed, in ms. */
async function newestChange(): Promise<number> {
	const times = await Promise.all(sources.map((name) => newestIn(join(root, name))));
	return Math.max(...times);
}

/** The latest change of a file, or of any file in a folder. */
async function newestIn(path: string): Promise<number> {
	const own = await stat(path);
	if (!own.isDirectory()) return own.mtimeMs;
	const names = await readdir(path);
	return Math.max(...(await Promise.all(names.map((name) => newestIn(join(path, name))))));
}

/** When a file was changed, in ms; 0 if it does not exist. */
async function changeTime(path: string): Promise<number> {
	try {
		return (await stat(path)).mtimeMs;
	} catch {
		return 0;
	}
}
