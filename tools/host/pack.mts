import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../lock.mjs';
import { npmCommand, npmEnvironment, runStep } from '../step.mjs';

/** A packed package. */
export interface Tarball {
	/** Path of the `.tgz`. */
	tarball: string;
	bytes: number;
	/** Paths inside the package. */
	files: string[];
}

const execute = promisify(execFile);
const checkout = dirname(dirname(import.meta.dirname));
/** The variable that hands a tarball on to the processes of a run. */
const PACKED = 'CONVERSATION_DESK_PACKED';

/** Builds the package and packs the files that npm would publish, once per run. */
export async function packPackage(
	options: { report?: (line: string) => void } = {},
): Promise<Tarball> {
	const packed = process.env[PACKED];
	if (packed !== undefined) return JSON.parse(packed) as Tarball;
	const { report = console.error } = options;
	// A build empties `dist`, so no other build may run before this one is packed.
	const lock = join(checkout, 'node_modules', '.conversation-desk-pack-lock');
	const tarball = await withLock(lock, report, async () => await buildAndPack(report));
	process.env[PACKED] = JSON.stringify(tarball);
	return tarball;
}

async function buildAndPack(report: (line: string) => void): Promise<Tarball> {
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-pack-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	await runStep({
		label: 'Building the package',
		command: npmCommand(['run', 'build']),
		cwd: checkout,
		log: join(folder, 'build.log'),
		report,
	});
	const [program, args] = npmCommand(['pack', '--json', '--ignore-scripts']);
	const { stdout } = await execute(program, [...args, '--pack-destination', folder], {
		cwd: checkout,
		env: npmEnvironment(),
	});
	const [packed] = JSON.parse(stdout) as Array<{
		filename: string;
		size: number;
		files: Array<{ path: string }>;
	}>;
	if (!packed) throw new Error('npm pack made no tarball. Check `files` in package.json.');
	return {
		tarball: join(folder, packed.filename),
		bytes: packed.size,
		files: packed.files.map((file) => file.path),
	};
}

/** Unpacks a package into a folder. */
export async function unpack(tarball: string, folder: string): Promise<void> {
	await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
}

/** Unpacks a package where n8n looks for community packages, and returns that folder. */
export async function installPackage(tarball: string, userFolder: string): Promise<string> {
	const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
	await mkdir(modules, { recursive: true });
	const unpacked = await mkdtemp(join(modules, '.unpacked-'));
	await unpack(tarball, unpacked);
	const manifest = await readFile(join(unpacked, 'package.json'), 'utf8');
	const target = join(modules, (JSON.parse(manifest) as { name: string }).name);
	await rm(target, { recursive: true, force: true });
	await rename(unpacked, target);
	return target;
}
