import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packPackage } from '../host/pack.mts';
import type { Tarball } from '../host/pack.mts';
import type { Check, Finding } from './check.mts';
import { command, root, verdict } from './check.mts';
import { scan, sourceFiles } from './scan.mts';

const largest = 260_000;
/** The build bundles a library into this file; its licences have to go along. */
const bundle = 'dist/nodes/ConversationDesk/runs';
const allowed = /^(dist\/.+|README\.md|LICENSE|package\.json)$/;
const forbidden = ['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides'];

/** The checks of what npm would publish: it builds, the scan finds nothing, and it holds what it should. */
export function packageChecks(): Check[] {
	let packed: Tarball | undefined;
	const tarball = (): Tarball => {
		if (packed) return packed;
		throw new Error('There is no package to look at, because it could not be built.');
	};
	return [
		{
			name: 'build and pack (gulp build)',
			work: async () => {
				packed = await packPackage({ report: () => {} });
				return verdict(undefined);
			},
		},
		{ name: 'n8n verification scan of the source', work: () => scan(root, sourceFiles) },
		{
			name: 'n8n verification scan of the package',
			work: () => unpacked(tarball(), (folder) => scan(folder)),
		},
		{
			name: 'shipped code can be read',
			work: () => unpacked(tarball(), unreadable),
		},
		{
			name: 'package facts',
			work: async () => {
				const found = await problems(tarball());
				await rm(dirname(tarball().tarball), { recursive: true, force: true });
				return verdict(found.length > 0 ? found.join('\n') : undefined);
			},
		},
	];
}

async function unpacked<T>({ tarball }: Tarball, work: (folder: string) => Promise<T>): Promise<T> {
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-scan-'));
	try {
		await command('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);
		return await work(folder);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** What n8n's reviewers, and their search for harmful packages, stumble over in a file that is shipped. */
const obscure: ReadonlyArray<readonly [RegExp, string]> = [
	[/(\\u[\da-f]{4}){6}/i, 'a run of escaped characters'],
	[/fromCharCode\((\s*\w+\s*,){8}/, 'a text made of character codes'],
	[
		/(["'])[^"'\n]{0,20}\1(\s*\+\s*(["'])[^"'\n]{0,20}\3){8}/,
		'a text put together from small parts',
	],
	[/\beval\(|new Function\(/, 'code made of text'],
	[/^(?=.{2000})(?=.*;.*;.*function)/m, 'minified code'],
];

async function unreadable(folder: string): Promise<Finding> {
	const found: string[] = [];
	for await (const file of glob('**/*.{js,json}', { cwd: folder })) {
		const text = await readFile(join(folder, file), 'utf8');
		for (const [pattern, what] of obscure)
			if (pattern.test(text)) found.push(`${file} contains ${what}`);
	}
	return verdict(found.length > 0 ? found.join('\n') : undefined);
}

async function problems({ bytes, files }: Tarball): Promise<string[]> {
	const text = await readFile(join(root, 'package.json'), 'utf8');
	const manifest = JSON.parse(text) as Record<string, unknown>;
	const strangers = files.filter((file) => !allowed.test(file));
	const peers = Object.keys((manifest['peerDependencies'] ?? {}) as object);
	return [
		...forbidden
			.filter((field) => manifest[field] !== undefined)
			.map((field) => `package.json has "${field}": nothing is needed at run time`),
		...(peers.join() === 'n8n-workflow' ? [] : [`Peer dependencies are ${peers.join(', ')}`]),
		...(bytes <= largest ? [] : [`The package has ${bytes} bytes, ${largest} are allowed`]),
		...strangers.map((file) => `${file} does not belong into the package`),
		...['LICENSE', 'README.md', `${bundle}.js`, `${bundle}.LICENSE.txt`]
			.filter((file) => !files.includes(file))
			.map((file) => `${file} is missing in the package`),
	];
}
