#!/usr/bin/env node
// Runs a script of this checkout under Node 24: node tools/setup.mjs <script.mts> [arguments].
// It installs missing or outdated dependencies first, so it needs only Node >= 20 and npm.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';
import { npmCommand, runStep } from './step.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const node = join(modules, '.bin', 'node');
const stamp = join(modules, '.conversation-desk-stamp');
const lockFile = join(root, 'package-lock.json');

/** Returns a fingerprint of the lock file and the development dependencies. */
function fingerprint() {
	const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	return createHash('sha256')
		.update(readFileSync(lockFile))
		.update(JSON.stringify(devDependencies))
		.digest('hex');
}

/** Returns why an install is needed, or undefined if it is not. */
function findReason() {
	if (!existsSync(stamp)) return 'no finished install is on record';
	if (readFileSync(stamp, 'utf8') !== fingerprint())
		return 'package-lock.json or package.json changed';
	return existsSync(node) ? undefined : 'Node 24 is missing from node_modules';
}

async function install() {
	const reason = findReason();
	// Another process may have installed meanwhile.
	if (!reason) return;
	const log = join(tmpdir(), `conversation-desk-setup-${process.pid}.log`);
	const before = readFileSync(lockFile);
	rmSync(stamp, { force: true });
	await runStep({
		label: `Installing the development dependencies (about 1.1 GB; ${reason})`,
		// Not `npm ci`: it fails on optional packages for other platforms that a mirror may lack.
		command: npmCommand('install --no-audit --no-fund --no-save --include=dev'.split(' ')),
		cwd: root,
		log,
	});
	if (!readFileSync(lockFile).equals(before)) {
		writeFileSync(lockFile, before);
		throw new Error(
			`npm wanted to change package-lock.json (put back as it was). Run "npm install" by hand, commit the lock, then try again. Log: ${log}.`,
		);
	}
	await runStep({
		label: 'Unpacking Node 24 (the `node` package; install scripts are off by default)',
		command: npmCommand('rebuild node --ignore-scripts=false'.split(' ')),
		cwd: root,
		log,
	});
	if (!existsSync(node)) throw new Error(`Node 24 did not arrive in node_modules. Log: ${log}.`);
	writeFileSync(stamp, fingerprint());
}

/**
 * @param {string} script
 * @param {string[]} args
 */
function run(script, args) {
	// The sources are ES modules, and package.json has no type because n8n loads CommonJS.
	const flags = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON'];
	const child = spawn(node, [...flags, resolve(script), ...args], {
		stdio: 'inherit',
		env: { ...process.env, PATH: `${join(modules, '.bin')}${delimiter}${process.env.PATH ?? ''}` },
	});
	/** @type {NodeJS.Signals[]} */
	const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
	for (const signal of signals) {
		process.on(signal, () => {
			// A terminal sends Ctrl+C to the script itself.
			if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
		});
	}
	child.once('error', (error) => fail(`${node} could not be started: ${error.message}`));
	child.once('exit', (code, signal) => {
		if (!signal) process.exit(code ?? 1);
		for (const name of signals) process.removeAllListeners(name);
		process.kill(process.pid, signal);
	});
}

/** @param {string} message */
function fail(message) {
	console.error(`\n${message}`);
	process.exit(1);
}

const [script, ...args] = process.argv.slice(2);
try {
	if (!script) throw new Error('Usage: node tools/setup.mjs <script.mts> [arguments]');
	if (findReason()) {
		mkdirSync(modules, { recursive: true });
		await withLock(join(modules, '.conversation-desk-lock'), console.error, install);
	}
	run(script, args);
} catch (error) {
	fail(error instanceof Error ? error.message : String(error));
}
