import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../lock.mjs';
import { npmCommand, npmEnvironment, runStep } from '../step.mjs';

export interface Tarball {
	/** Path of the `.tgz`. */
	tarball: string;
	bytes: number;
	/** Paths inside the package. */
	files: string[];
}

interface PackReport {
	filename: string;
	size: number;
	files: Array<{ path: string }>;
}

const execute = promisify(execFile);
const checkout = dirname(dirname(import.meta.dirname));

/** Names a package that was packed for all tests of a run. */
export const PACKED = 'CONVERSATION_DESK_PACKED';

/** Builds the package and packs exactly what npm would publish, without running any publish script. */
export async function packPackage(
	options: { root?: string; report?: (line: string) => void } = {},
): Promise<Tarball> {
	const cwd = options.root ?? checkout;
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-pack-'));
	const packedBefore = process.env[PACKED];
	if (options.root === undefined && packedBefore !== undefined) {
		const before = JSON.parse(packedBefore) as Tarball;
		const tarball = join(folder, basename(before.tarball));
		await copyFile(before.tarball, tarball);
		return { ...before, tarball };
	}
	// A build empties `dist`, so no other one may run before it is packed.
	const lock = join(checkout, 'node_modules', '.conversation-desk-pack-lock');
	const { report = console.error } = options;
	return await withLock(lock, report, async () => await buildAndPack(cwd, folder, report));
}

async function buildAndPack(
	cwd: string,
	folder: string,
	report: (line: string) => void,
): Promise<Tarball> {
	await runStep({
		label: 'Building the package',
		command: npmCommand(['run', 'build']),
		cwd,
		log: join(folder, 'build.log'),
		report,
	});
	const [command, args] = npmCommand([
		'pack',
		'--json',
		'--ignore-scripts',
		'--pack-destination',
		folder,
	]);
	const { stdout } = await execute(command, args, { cwd, env: npmEnvironment() });
	const [packed] = JSON.parse(stdout) as PackReport[];
	if (!packed) throw new Error('npm pack made no tarball. Check `files` in package.json.');
	return {
		tarball: join(folder, packed.filename),
		bytes: packed.size,
		files: packed.files.map((file) => file.path),
	};
}

/** Puts a packed package where n8n keeps installed community packages and returns that folder; n8n loads it at its next start. */
export async function installPackage(tarball: string, userFolder: string): Promise<string> {
	const modules = join(userFolder, '.n8n', 'nodes', 'node_modules');
	await mkdir(modules, { recursive: true });
	const unpacked = await mkdtemp(join(modules, '.unpacked-'));
	await execute('tar', ['-xzf', tarball, '--strip-components=1', '-C', unpacked]);
	const manifest = await readFile(join(unpacked, 'package.json'), 'utf8');
	const target = join(modules, (JSON.parse(manifest) as { name: string }).name);
	await rm(target, { recursive: true, force: true });
	await rename(unpacked, target);
	return target;
}
