import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../sandbox/start.mts';
import { goodHeaders, send } from './client.mts';
import { makeIdentity } from '../../tools/certificate.mts';

it('runs as a command that says where it is and stops when told', async () => {
	const main = fileURLToPath(new URL('../../sandbox/main.mts', import.meta.url));
	const flags = ['--json', '--port', '0', '--tickets', '7', '--spelling', 'both'];
	const child = spawn(process.execPath, [main, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
	const lines = createInterface({ input: child.stdout });
	const [line] = (await once(lines, 'line')) as [string];
	const ready = JSON.parse(line) as { url: string; controlUrl: string; pid: number };
	assert.equal(ready.pid, child.pid);
	const body = JSON.stringify({ select: ['id'] });
	const found = await send(`${ready.url}/tickets/search`, {
		method: 'POST',
		headers: goodHeaders,
		body,
	});
	assert.equal(found.json.data?.length, 7);
	child.kill('SIGTERM');
	assert.deepEqual(await once(child, 'exit'), [0, null]);
});

it('speaks https with a key and a certificate', async () => {
	const sandbox = await startSandbox({ tls: await makeIdentity('localhost') });
	assert.match(sandbox.url, /^https:/);
	const get = request(`${sandbox.controlUrl}/counts`, { rejectUnauthorized: false });
	get.end();
	const [response] = (await once(get, 'response')) as [{ statusCode: number; resume: () => void }];
	response.resume();
	assert.equal(response.statusCode, 200);
	await sandbox.close();
});

it('serves two sandboxes side by side without mixing them', async () => {
	const [one, two] = await Promise.all([startSandbox({ tickets: 3 }), startSandbox()]);
	assert.notEqual(one.port, two.port);
	assert.deepEqual([one.control.countTickets(), two.control.countTickets()], [3, 0]);
	await Promise.all([one.close(), two.close()]);
});
