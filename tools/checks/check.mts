import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** What a check found: how much passed and failed, and, where something failed, what it said. */
export interface Finding {
	passed: number;
	failed: number;
	details?: string;
}

/** Something that is checked: its name and the work. */
export interface Check {
	name: string;
	work: () => Promise<Finding>;
}

/** The checkout. */
export const root = dirname(dirname(import.meta.dirname));

/** A finding that counts one; no details mean that all is well. */
export const verdict = (details: string | undefined): Finding =>
	details === undefined ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, details };

/** Runs a check and prints one line on it, with what it said where it failed. */
export async function runCheck({ name, work }: Check): Promise<Finding> {
	const start = Date.now();
	const finding = await attempt(work);
	const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(5);
	const ok = finding.failed === 0;
	const counts = finding.passed + finding.failed > 1 ? ` (${countsLine(finding)})` : '';
	console.log(`${ok ? 'ok  ' : 'FAIL'} ${seconds} s  ${name}${counts}`);
	if (!ok && finding.details) console.log(`${indent(finding.details)}\n`);
	return finding;
}

async function attempt(work: Check['work']): Promise<Finding> {
	try {
		return await work();
	} catch (error) {
		return verdict(error instanceof Error ? (error.stack ?? error.message) : String(error));
	}
}

/** The line that every run of tests ends with. */
export const countsLine = ({ passed, failed }: Omit<Finding, 'details'>): string =>
	`${passed} passed, ${failed} failed`;

const indent = (text: string): string =>
	text
		.trimEnd()
		.split('\n')
		.map((line) => `       ${line}`)
		.join('\n');

/** How a command ended, with everything it wrote. */
export interface Ended {
	code: number | null;
	output: string;
}

/** Runs a command of the checkout; with `show` it writes to the terminal instead. */
export async function command(name: string, args: string[], show = false): Promise<Ended> {
	const child = spawn(name, args, {
		cwd: root,
		env: show ? process.env : { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined },
		stdio: show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
	});
	const parts: Buffer[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		stream?.on('data', (part: Buffer) => parts.push(part));
	}
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, output: Buffer.concat(parts).toString() }));
	});
}

/** A check that is a command which has to exit with 0. */
export const commandCheck = (name: string, program: string, args: string[]): Check => ({
	name,
	work: async () => {
		const { code, output } = await command(program, args);
		return verdict(code === 0 ? undefined : output || `${program} exited with ${code}`);
	},
});
