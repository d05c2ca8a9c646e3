import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildIfChanged } from './build.mts';
import { startEngine } from './engine.mts';
import { examples, mustSucceed, readExample, withSettings } from './examples.mts';
import { readFigures } from './figures.mts';
import type { Figures } from './figures.mts';
import { ensureN8nNodes } from './n8nNodes.mts';
import { copySheets } from './sheets.mts';
import { sandboxTarget } from './target.mts';
import { differences } from './verify.mts';

/** What the three examples did, and what the sandbox counted. */
export interface DemoResult {
	figures: Figures[];
	/** Requests that the sandbox received, by operation. */
	requests: Readonly<Record<string, number>>;
	/** Where the examples and the sandbox disagree. */
	differences: string[];
}

type Report = (line: string) => void;

/** Runs the three example workflows against the sandbox in n8n's engine; their files are in `folder`. */
export async function runDemo(folder: string, report: Report): Promise<DemoResult> {
	const [n8nNodes] = await Promise.all([ensureN8nNodes(), buildIfChanged()]);
	await rm(folder, { recursive: true, force: true });
	await copySheets(folder);
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-engine-'));
	const target = await sandboxTarget({ tickets: 5_000 });
	try {
		const setup = { userFolder, files: folder, n8nNodes, access: target.access };
		const engine = await startEngine(setup);
		report("n8n's engine and a sandbox with 5,000 tickets are ready.");
		const figures: Figures[] = [];
		for (const example of Object.values(examples)) {
			const settings = { folder, agentId: target.agentId, startSends: true, dryRun: false };
			const workflow = withSettings(await readExample(example), settings);
			const execution = mustSucceed(await engine.run(workflow), example);
			figures.push(readFigures(execution, example, folder));
			report(`Ran ${example.file}.`);
		}
		const { control } = target.sandbox;
		const { requests } = control.counts();
		return { figures, requests, differences: differences(figures, control) };
	} finally {
		await target.close();
		await rm(userFolder, { recursive: true, force: true });
	}
}
