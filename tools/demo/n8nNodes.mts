import { execFile } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureCached } from '../host/cache.mts';
import { copyManifest, installLocked, readManifest } from '../host/install.mts';
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

/** The folders of n8n-nodes-base in which these nodes and their parts are. */
const folders = [
	...[
		'ManualTrigger',
		'Schedule',
		'Set',
		'StickyNote',
		'If',
		'Files',
		'SpreadsheetFile',
		'ICalendar',
	].map((name) => `nodes/${name}`),
	'utils',
];

const manifest = join(import.meta.dirname, 'nodes');
const hostLock = join(import.meta.dirname, '..', 'host', 'package-lock.json');

interface Locked {
	version: string;
	integrity: string;
}

interface PackReport {
	filename: string;
	integrity: string;
}

/**
 * Returns the folder with n8n's own nodes: a few files of n8n-nodes-base, and the small packages that they load.
 * They come from the registry into the cache, because n8n's licence does not allow copies in this repository.
 */
export async function ensureN8nNodes(report?: (line: string) => void): Promise<string> {
	const locked = await readLocked();
	return await ensureCached({
		name: `n8n-nodes-${locked.version}`,
		inputs: [...(await readManifest(manifest)), locked.integrity, folders.join()],
		report,
		fill: async (into, log) => {
			await copyManifest(manifest, into);
			await Promise.all([
				runStep({
					label: 'Fetching seven nodes of n8n and their packages (once, 26 MB)',
					command: npmCommand(installLocked),
					cwd: into,
					log,
					report,
				}),
				unpackNodes(into, locked),
			]);
		},
	});
}

/** The n8n-nodes-base that belongs to the n8n of the tests. */
async function readLocked(): Promise<Locked> {
	const { packages } = JSON.parse(await readFile(hostLock, 'utf8')) as {
		packages: Record<string, Locked>;
	};
	const locked = packages['node_modules/n8n-nodes-base'];
	if (!locked) throw new Error(`${hostLock} has no n8n-nodes-base.`);
	return locked;
}

const execute = promisify(execFile);

/** Downloads the package, compares its integrity with the lock, and unpacks the folders of the nodes. */
async function unpackNodes(folder: string, { version, integrity }: Locked): Promise<void> {
	const [command, args] = npmCommand(['pack', `n8n-nodes-base@${version}`, '--json']);
	const maxBuffer = 64 * 1024 * 1024;
	const { stdout } = await execute(command, args, {
		cwd: folder,
		env: npmEnvironment(),
		maxBuffer,
	});
	const [packed] = JSON.parse(stdout) as PackReport[];
	if (packed?.integrity !== integrity)
		throw new Error(`n8n-nodes-base ${version} is not the package that the lock names.`);
	const target = join(folder, 'n8n-nodes-base');
	await mkdir(target);
	const wanted = folders.map((name) => `package/dist/${name}`);
	const options = ['-xzf', packed.filename, '--strip-components=1', '-C', target];
	await execute('tar', [...options, ...wanted], { cwd: folder });
	await rm(join(folder, packed.filename));
}
