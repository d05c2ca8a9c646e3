import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, commandCheck, countsLine, runCheck, verdict } from './checks/check.mts';
import type { Check, Finding } from './checks/check.mts';
import { demoCheck } from './checks/demo.mts';
import { citationCheck, documentCheck } from './checks/documentCheck.mts';
import { schemaCheck } from './checks/outputSchemas.mts';
import { packageChecks } from './checks/packageFacts.mts';
import { plainCodeCheck } from './checks/plainCode.mts';
import { publishingCheck } from './checks/publishing.mts';
import { jestCheck, results } from './checks/testRuns.mts';
import { toolsCheck } from './checks/toolsCheck.mts';
import { workflowCheck } from './checks/workflowFiles.mts';

/** n8n's lint runs eslint over everything, and passes with warnings, which are counted at the end of what it prints. */
const lintCheck: Check = {
	name: 'n8n lint (n8n-node lint), no warnings',
	work: async () => {
		const { code, output } = await command('n8n-node', ['lint']);
		const isClean = code === 0 && !/\d+ warnings?\b/.test(output);
		return verdict(isClean ? undefined : output || `n8n-node ended with ${code}`);
	},
};

/** Light checks that do not disturb each other: two lanes for two processors. */
const lanes: Check[][] = [
	[lintCheck, toolsCheck],
	[
		...packageChecks(),
		// After the build, which these use.
		demoCheck,
		documentCheck,
		citationCheck,
		schemaCheck,
		publishingCheck,
		workflowCheck,
		plainCodeCheck,
		// TypeScript 7 is fast, but has no interface in JavaScript. So the linter uses `typescript`, which is older.
		commandCheck('types (tsc)', 'node', ['node_modules/typescript-native/bin/tsc', '-p', '.']),
		commandCheck('layout (prettier)', 'prettier', [
			'--experimental-cli',
			'--check',
			'.',
			'--log-level',
			'warn',
		]),
	],
];

async function inOrder(checks: readonly Check[]): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const check of checks) findings.push(await runCheck(check));
	return findings;
}

const light = (await Promise.all(lanes.map(inOrder))).flat();
const findings = [...light, await runCheck(jestCheck)];
const total = {
	passed: findings.reduce((sum, { passed }) => sum + passed, 0),
	failed: findings.reduce((sum, { failed }) => sum + failed, 0),
};
await mkdir(results, { recursive: true });
await writeFile(join(results, 'checks.json'), `${JSON.stringify(total)}\n`);
console.log(countsLine(total));
process.exitCode = total.failed === 0 ? 0 : 1;
