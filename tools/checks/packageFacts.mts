import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackage, unpack } from '../host/pack.mts';
import type { Tarball } from '../host/pack.mts';
import { listVerdict, root, verdict } from './check.mts';
import type { Check, Finding } from './check.mts';

interface Scanner {
	SOURCE_FILE_PATTERNS: string[];
	analyzePackage: (
		folder: string,
		patterns?: string[],
	) => Promise<{ passed: boolean; message?: string; details?: string }>;
}

// It publishes no types, and its command exits with 0 even if it finds something.
const scannerPath = '@n8n/scan-community-package/scanner/scanner.mjs';
const { SOURCE_FILE_PATTERNS, analyzePackage } = (await import(scannerPath)) as Scanner;

const MAX_BYTES = 260_000;
/** The file that contains a library, with its licence beside it. */
const bundle = 'dist/nodes/ConversationDesk/lazy';
const ALLOWED = /^(dist\/.+|README\.md|LICENSE|package\.json)$/;
const FORBIDDEN = ['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides'];

/** Patterns that n8n's reviewers and their search for harmful code reject in a shipped file. */
const OBSCURE: ReadonlyArray<readonly [RegExp, string]> = [
	[/(\\u[\da-f]{4}){6}/i, 'a run of escaped characters'],
	[/fromCharCode\((\s*\w+\s*,){8}/, 'a text made of character codes'],
	[
		/(["'])[^"'\n]{0,20}\1(\s*\+\s*(["'])[^"'\n]{0,20}\3){8}/,
		'a text put together from small parts',
	],
	[/\beval\(|new Function\(/, 'code made of text'],
	[/^(?=.{2000})(?=.*;.*;.*function)/m, 'minified code'],
];

/** Lists the checks of the package that npm would publish. */
export function packageChecks(): Check[] {
	const withPackage =
		(work: (folder: string, packed: Tarball) => Promise<Finding>) => async (): Promise<Finding> => {
			const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-scan-'));
			try {
				const packed = await packPackage({ report: () => {} });
				await unpack(packed.tarball, folder);
				return await work(folder, packed);
			} finally {
				await rm(folder, { recursive: true, force: true });
			}
		};
	return [
		{ name: 'build and pack (gulp build)', work: withPackage(async () => verdict(undefined)) },
		{
			name: 'n8n verification scan of the source',
			work: async () => await scan(root, SOURCE_FILE_PATTERNS),
		},
		{
			name: 'n8n verification scan of the package',
			work: withPackage(async (folder) => await scan(folder)),
		},
		{
			name: 'package facts, and shipped code that can be read',
			work: withPackage(async (folder, packed) =>
				listVerdict([...findFactProblems(packed), ...findObscureCode(folder)]),
			),
		},
	];
}

async function scan(folder: string, patterns?: string[]): Promise<Finding> {
	const { passed, message = '', details = '' } = await analyzePackage(folder, patterns);
	const isEmpty = message.startsWith('No files');
	return verdict(passed && !isEmpty ? undefined : `${message}\n${details}`);
}

function findObscureCode(cwd: string): string[] {
	return globSync('**/*.{js,json}', { cwd }).flatMap((file) => {
		const text = readFileSync(join(cwd, file), 'utf8');
		return OBSCURE.filter(([pattern]) => pattern.test(text)).map(
			([, problem]) => `${file} contains ${problem}`,
		);
	});
}

function findFactProblems({ bytes, files }: Tarball): string[] {
	const text = readFileSync(join(root, 'package.json'), 'utf8');
	const manifest = JSON.parse(text) as Record<string, unknown>;
	const peers = Object.keys((manifest['peerDependencies'] ?? {}) as object);
	return [
		...FORBIDDEN.filter((field) => manifest[field] !== undefined).map(
			(field) => `package.json has "${field}": nothing is needed at run time`,
		),
		...(peers.join() === 'n8n-workflow' ? [] : [`Peer dependencies are ${peers.join(', ')}`]),
		...(bytes <= MAX_BYTES ? [] : [`The package has ${bytes} bytes, ${MAX_BYTES} are allowed`]),
		...files
			.filter((file) => !ALLOWED.test(file))
			.map((file) => `${file} does not belong into the package`),
		...['LICENSE', 'README.md', `${bundle}.js`, `${bundle}.LICENSE.txt`]
			.filter((file) => !files.includes(file))
			.map((file) => `${file} is missing in the package`),
	];
}
