import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sumBy from 'lodash/sumBy.js';

/** The counts of a check, and its output if something failed. */
export interface Finding {
	passed: number;
	failed: number;
	details?: string;
}

/** A check by its name. */
export interface Check {
	name: string;
	work: () => Promise<Finding>;
}

/** The folder of the checkout. */
export const root = dirname(dirname(import.meta.dirname));
/** The folder of the results. */
export const results = join(root, 'test-results');

/** Makes a finding that counts one and failed if it has details. */
export const verdict = (details: string | undefined): Finding =>
	details === undefined ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, details };

/** Makes a finding of a list of problems. */
export const listVerdict = (problems: readonly string[]): Finding =>
	verdict(problems.length > 0 ? problems.join('\n') : undefined);

/** Runs a check and prints one line on it, with its details if it failed. */
export async function runCheck({ name, work }: Check): Promise<Finding> {
	const start = Date.now();
	const finding = await work().catch((error: Error) => verdict(error.stack ?? error.message));
	const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(5);
	const isGood = finding.failed === 0;
	const counts = finding.passed + finding.failed > 1 ? ` (${countsLine(finding)})` : '';
	console.log(`${isGood ? 'ok  ' : 'FAIL'} ${seconds} s  ${name}${counts}`);
	if (!isGood && finding.details)
		console.log(`${finding.details.trimEnd().replace(/^/gm, '       ')}\n`);
	return finding;
}

/** Formats the line that ends every run of tests. */
export const countsLine = ({ passed, failed }: Finding): string =>
	`${passed} passed, ${failed} failed`;

/** Writes the sum of findings into a file, prints it, and sets the exit code. */
export async function reportTotal(name: string, findings: readonly Finding[]): Promise<void> {
	const total = { passed: sumBy(findings, 'passed'), failed: sumBy(findings, 'failed') };
	await mkdir(results, { recursive: true });
	await writeFile(join(results, `${name}.json`), `${JSON.stringify(total)}\n`);
	console.log(countsLine(total));
	process.exitCode = total.failed === 0 ? 0 : 1;
}

/** The end of a command, and its output. */
export interface Ended {
	code: number | null;
	output: string;
}

/** Runs a command of the checkout; with `isShown` it writes to the terminal instead. */
export async function command(name: string, args: string[], isShown = false): Promise<Ended> {
	const child = spawn(name, args, {
		cwd: root,
		env: isShown ? process.env : { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
		stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
	});
	const parts: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr])
		stream?.on('data', (part: Buffer) => parts.push(part));
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString() }));
	});
}

/** Makes a check of a command that has to exit with 0. */
export const commandCheck = (name: string, program: string, args: string[]): Check => ({
	name,
	work: async () => {
		const { code, output } = await command(program, args);
		return verdict(code === 0 ? undefined : output || `${program} exited with ${code}`);
	},
});
