import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeCertificate } from '../../tools/certificate.mts';
import { root } from '../../tools/checks/check.mts';
import { startN8n } from '../../tools/host/n8n.mts';
import { packPackage } from '../../tools/host/pack.mts';
import { startRegistry } from './registry.mts';

interface Manifest {
	name: string;
	version: string;
}

interface Installed {
	packageName: string;
	installedVersion: string;
	installedNodes: Array<{ name: string; type: string }>;
}

test('n8n installs the packed package as a community node, and removes it', async (t) => {
	const certificate = await makeCertificate('registry.npmjs.org');
	const { tarball } = await packPackage();
	const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
	const registry = await startRegistry({ tarball, manifest }, certificate);
	const userFolder = await mkdtemp(join(tmpdir(), 'conversation-desk-install-'));
	const n8n = await startN8n({
		userFolder,
		env: {
			...registry.env,
			npm_config_cache: join(userFolder, 'npm'),
			npm_config_userconfig: join(userFolder, 'none'),
		},
	});
	t.after(async () => {
		await n8n.stop();
		await registry.close();
		certificate.remove();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
	});
	const { session } = n8n.rest;
	await n8n.rest.signIn();
	const { name, version } = manifest;
	const installed = await session.call<Installed>('POST', '/community-packages', { name });
	assert.deepEqual([installed.packageName, installed.installedVersion], [name, version]);
	assert.deepEqual(
		installed.installedNodes.map(({ type }) => type),
		[`${name}.conversationDesk`, `${name}.conversationDeskTrigger`],
	);
	assert.ok(registry.requestedPaths.some((path) => path.endsWith('.tgz')));
	const offered = async () =>
		(await n8n.rest.types<{ name: string }>('nodes')).some((node) =>
			node.name.startsWith(`${name}.`),
		);
	assert.equal(await offered(), true);
	await session.call('DELETE', `/community-packages?name=${name}`);
	assert.equal(await offered(), false);
});
