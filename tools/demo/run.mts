import { globSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../checks/check.mts';
import { npmCommand, runStep } from '../step.mjs';
import { startEngine } from './engine.mts';
import { copySheets, examples, mustSucceed, readExample, withSettings } from './examples.mts';
import { readFigures } from './figures.mts';
import type { Figures } from './figures.mts';
import { ensureN8nNodes } from './n8nNodes.mts';
import { sandboxTarget } from './target.mts';
import { findDifferences } from './verify.mts';

/** The figures of the three examples and of the sandbox. */
export interface DemoResult {
	figures: Figures[];
	/** Requests that the sandbox received, by operation. */
	requests: Readonly<Record<string, number>>;
	/** Sentences about figures that the sandbox counted otherwise. */
	differences: string[];
}

type Report = (line: string) => void;

/** Runs the three example workflows in n8n's engine against the sandbox; `folder` has their files. */
export async function runDemo(folder: string, report: Report): Promise<DemoResult> {
	const [n8nNodes] = await Promise.all([ensureN8nNodes(), buildIfChanged()]);
	await rm(folder, { recursive: true, force: true });
	await copySheets(folder);
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-engine-'));
	const { sandbox, agentId, access, close } = await sandboxTarget({ tickets: 5_000 });
	try {
		const runWorkflow = await startEngine({ userFolder, files: folder, n8nNodes, access });
		report("n8n's engine and a sandbox with 5,000 tickets are ready.");
		const figures: Figures[] = [];
		for (const example of Object.values(examples)) {
			const settings = { folder, agentId, startSends: true, dryRun: false };
			const workflow = withSettings(await readExample(example), settings);
			const execution = mustSucceed(await runWorkflow(workflow), example);
			figures.push(readFigures(execution, example, folder));
			report(`Ran ${example.file}.`);
		}
		const { requests } = sandbox.control.counts();
		return { figures, requests, differences: findDifferences(figures, sandbox.control) };
	} finally {
		await close();
		await rm(userFolder, { recursive: true, force: true });
	}
}

/** Builds the package unless the last build is newer than every source. */
async function buildIfChanged(): Promise<void> {
	const sources = ['{credentials,icons,nodes,src}/**', 'gulpfile.js', 'package.json'];
	const times = globSync(sources, { cwd: root }).map(readChangeTime);
	const builtMs = readChangeTime('dist/nodes/ConversationDesk/ConversationDesk.node.js');
	if (builtMs > Math.max(...times)) return;
	await runStep({
		label: 'Building the package',
		command: npmCommand(['run', 'build']),
		cwd: root,
		log: join(tmpdir(), `conversation-desk-build-${process.pid}.log`),
	});
}

/** Returns when a file was changed; 0 if it does not exist. */
const readChangeTime = (path: string): number =>
	statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
