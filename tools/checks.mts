import { command, commandCheck, reportTotal, runCheck, verdict } from './checks/check.mts';
import type { Check, Finding } from './checks/check.mts';
import { demoCheck } from './checks/demo.mts';
import { documentCheck } from './checks/documents.mts';
import { schemaCheck } from './checks/outputSchemas.mts';
import { packageChecks } from './checks/packageFacts.mts';
import { plainCodeCheck } from './checks/plainCode.mts';
import { publishingCheck } from './checks/publishing.mts';
import { jestCheck, toolsCheck } from './checks/testRuns.mts';

/** Runs n8n's lint, which passes with warnings and counts them at the end of its output. */
const lintCheck: Check = {
	name: 'n8n lint (n8n-node lint), no warnings',
	work: async () => {
		const { code, output } = await command('n8n-node', ['lint']);
		const isClean = code === 0 && !/\d+ warnings?\b/.test(output);
		return verdict(isClean ? undefined : output || `n8n-node ended with ${code}`);
	},
};

/** The linter uses `typescript`, because TypeScript 7 has no interface in JavaScript. */
const typesCheck = commandCheck('types (tsc)', 'node', [
	'node_modules/typescript-native/bin/tsc',
	'-p',
	'.',
]);

const layoutCheck = commandCheck('layout (prettier)', 'prettier', [
	'--experimental-cli',
	'--check',
	'.',
	'--log-level',
	'warn',
]);

/** The checks before jest, in two lanes for two processors. */
const lanes: Check[][] = [
	[lintCheck, toolsCheck],
	[
		...packageChecks(),
		// They use the build.
		demoCheck,
		documentCheck,
		schemaCheck,
		publishingCheck,
		plainCodeCheck,
		typesCheck,
		layoutCheck,
	],
];

async function runInOrder(checks: readonly Check[]): Promise<Finding[]> {
	const findings: Finding[] = [];
	for (const check of checks) findings.push(await runCheck(check));
	return findings;
}

const findings = (await Promise.all(lanes.map(runInOrder))).flat();
await reportTotal('checks', [...findings, await runCheck(jestCheck)]);
