import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '..', '..');

/** A demo as far as it matters here: a folder with a credential, and an n8n of its own group. */
const demo = `
import { spawn, spawnSync } from 'node:child_process';
import { leaveNothing } from '${join(root, 'tools', 'demo', 'leaveNothing.mts')}';
const watch = leaveNothing(process.argv[1]);
const n8n = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
watch.also(n8n.pid);
console.log(n8n.pid);
setInterval(() => {}, 1000);`;

/** Whether it runs: one that ended may wait for a parent that never asks. */
const isAlive = (pid: number): boolean => {
	const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
	return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
};

test('a demo that is killed leaves neither its n8n nor the folder with the credential', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'conversation-desk-leave-'));
	await writeFile(join(folder, 'database.sqlite'), 'a key');
	const child = spawn(process.execPath, ['--input-type=module', '-e', demo, folder], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = (await once(child.stdout, 'data')) as [Buffer];
	const pid = Number(String(line));
	assert.ok(isAlive(pid));
	// What was told to the watcher is in its pipe.
	await sleep(200);
	child.kill('SIGKILL');
	for (let tries = 0; tries < 100 && existsSync(folder); tries++) await sleep(100);
	assert.equal(existsSync(folder), false);
	assert.equal(isAlive(pid), false);
	await rm(folder, { recursive: true, force: true });
});
