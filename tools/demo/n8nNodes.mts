import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCached } from '../host/cache.mts';
import { installArguments, readManifest } from '../host/install.mts';
import { npmCommand, npmEnvironment, runStep } from '../step.mjs';

/** The nodes of n8n that the three examples use, by their types. */
export const n8nNodeFiles: Readonly<Record<string, string>> = {
	manualTrigger: 'nodes/ManualTrigger/ManualTrigger.node.js',
	scheduleTrigger: 'nodes/Schedule/ScheduleTrigger.node.js',
	set: 'nodes/Set/Set.node.js',
	stickyNote: 'nodes/StickyNote/StickyNote.node.js',
	if: 'nodes/If/If.node.js',
	readWriteFile: 'nodes/Files/ReadWriteFile/ReadWriteFile.node.js',
	extractFromFile: 'nodes/Files/ExtractFromFile/ExtractFromFile.node.js',
	convertToFile: 'nodes/Files/ConvertToFile/ConvertToFile.node.js',
};

/** The folders of n8n-nodes-base with these nodes and their parts. */
const folders = [
	'nodes/ManualTrigger',
	'nodes/Schedule',
	'nodes/Set',
	'nodes/StickyNote',
	'nodes/If',
	'nodes/Files',
	'nodes/SpreadsheetFile',
	'nodes/ICalendar',
	'utils',
];

const hostLock = join(import.meta.dirname, '..', 'host', 'package-lock.json');
const execute = promisify(execFile);

interface LockedPackage {
	version: string;
	integrity: string;
}

/**
 * Returns the folder with a few files of n8n-nodes-base and the small packages that they load.
 * They are fetched into the cache, because n8n's licence does not allow copies in this repository.
 */
export async function ensureN8nNodes(report?: (line: string) => void): Promise<string> {
	const lock = JSON.parse(await readFile(hostLock, 'utf8')) as {
		packages: Record<string, LockedPackage>;
	};
	const locked = lock.packages['node_modules/n8n-nodes-base'];
	if (!locked) throw new Error(`${hostLock} has no n8n-nodes-base.`);
	const manifest = await readManifest(join(import.meta.dirname, 'nodes'));
	return await ensureCached({
		name: `n8n-nodes-${locked.version}`,
		inputs: [...manifest.inputs, locked.integrity, folders.join()],
		report,
		fill: async (folder, log) => {
			await manifest.copyTo(folder);
			const install = runStep({
				label: 'Fetching seven nodes of n8n and their packages (once, 26 MB)',
				command: npmCommand(installArguments),
				cwd: folder,
				log,
				report,
			});
			await Promise.all([install, unpackNodes(folder, locked)]);
		},
	});
}

/** Downloads n8n-nodes-base, compares its integrity with the lock, and unpacks the folders. */
async function unpackNodes(folder: string, { version, integrity }: LockedPackage): Promise<void> {
	const [program, args] = npmCommand(['pack', `n8n-nodes-base@${version}`, '--json']);
	const { stdout } = await execute(program, args, {
		cwd: folder,
		env: npmEnvironment(),
		maxBuffer: 64 * 1024 * 1024,
	});
	const [packed] = JSON.parse(stdout) as Array<{ filename: string; integrity: string }>;
	if (packed?.integrity !== integrity)
		throw new Error(`n8n-nodes-base ${version} is not the package that the lock names.`);
	const target = join(folder, 'n8n-nodes-base');
	await mkdir(target);
	const paths = folders.map((name) => `package/dist/${name}`);
	const options = ['-xzf', packed.filename, '--strip-components=1', '-C', target];
	await execute('tar', [...options, ...paths], { cwd: folder });
	await rm(join(folder, packed.filename));
}
