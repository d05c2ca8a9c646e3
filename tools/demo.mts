import { join, relative } from 'node:path';
import { root } from './checks/check.mts';
import { runDemo } from './demo/run.mts';
import { drawReasons, drawTable } from './demo/table.mts';

const start = Date.now();
const folder = join(root, 'demo-files');

/** Prints one line of progress with the seconds since the start. */
const report = (line: string) => {
	const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
	console.log(`${seconds} s  ${line}`);
};

const next = `
The files are in ${relative(process.cwd(), folder)}. For example, calls-not-started.xlsx has each row with its reason.

What to try next:
  Change a row of tools/demo/data/campaign.xlsx, then run this again.
  npm run editor   opens the three workflows in n8n's editor. The first time takes 5 to 10 minutes and 2.2 GB.
  README.md        "Your first campaign" builds one in that editor.`;

try {
	report("Three example workflows run in n8n's engine. They call a sandbox of the service.");
	const { figures, requests, differences } = await runDemo(folder, report);
	console.log(`\n${drawTable(figures, requests)}\n`);
	console.log(`${drawReasons(figures)}\n`);
	if (differences.length === 0) {
		console.log('The sandbox counted the same: nothing twice, nothing lost.');
		console.log(next);
	} else {
		console.error(`The sandbox counted something else:\n  ${differences.join('\n  ')}`);
		process.exitCode = 1;
	}
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
