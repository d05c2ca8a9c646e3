import { basename } from 'node:path';
import { reportTotal } from './checks/check.mts';
import { listTestFiles, runNodeTests } from './checks/testRuns.mts';
import { ensureHost } from './host/install.mts';
import { packPackage } from './host/pack.mts';

/** Lists the files of a folder, or those named by arguments (`npm run test:e2e -- panelWalk`). */
async function listChosen(folder: string): Promise<string[]> {
	const names = process.argv.slice(2);
	const files = await listTestFiles(folder);
	return files.filter(
		(file) => names.length === 0 || names.some((name) => basename(file).startsWith(`${name}.`)),
	);
}

await ensureHost(undefined, process.env['CONVERSATION_DESK_N8N']);
await packPackage({ report: console.error });
const compat = await listChosen('compat');
// The test of kills tests the trigger, and the campaign on an empty canvas tests dragging.
const shared = compat.filter((file) => !/trigger|dragging/.test(file));
// Restarts of n8n mostly wait, for example until the lock of a killed n8n is stale.
const lanes = [[...shared, ...(await listChosen('e2e'))], await listChosen('restarts')];
const findings = await Promise.all(
	lanes
		.filter((files) => files.length > 0)
		.map(async (files, i) => await runNodeTests({ name: `e2e-${i + 1}`, files, isShown: true })),
);
await reportTotal('e2e', findings);
