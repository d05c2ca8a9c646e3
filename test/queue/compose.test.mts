import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { queueEnvironment, queueServices } from './services.mts';

const root = dirname(dirname(import.meta.dirname));
const read = async (...path: string[]) => await readFile(join(root, ...path), 'utf8');

test('the Docker Compose file runs the tested n8n in the tested way', async () => {
	const compose = await read('docs', 'docker-compose.queue.yml');
	const { dependencies } = JSON.parse(await read('tools', 'host', 'package.json')) as {
		dependencies: { n8n: string };
	};
	const images = [...compose.matchAll(/n8nio\/n8n:(\S+)/g)].map(([, version]) => version);
	assert.deepEqual(images, [dependencies.n8n, dependencies.n8n]);
	const tested = queueEnvironment(queueServices(), 'name');
	for (const name of ['EXECUTIONS_MODE', 'DB_TYPE']) {
		const [, value] = new RegExp(`${name}: '?(\\w+)`).exec(compose) ?? [];
		assert.equal(value, tested[name]);
	}
});

test('the Docker Compose file names each version and opens its port to this machine only', async () => {
	const compose = await read('docs', 'docker-compose.queue.yml');
	const { version } = JSON.parse(await read('package.json')) as { version: string };
	const images = [...compose.matchAll(/image: (\S+)/g)].map(([, image = '']) => image);
	for (const image of images) assert.match(image, /:\d+\.\d+(\.\d+)?(-|$)/);
	assert.match(
		compose,
		new RegExp(`n8n-nodes-conversation-desk@${version.replaceAll('.', '\\.')} `),
	);
	const ports = [...compose.matchAll(/- '([\d.:]+)'/g)].map(([, port = '']) => port);
	assert.ok(ports.length > 0 && ports.every((port) => port.startsWith('127.0.0.1:')));
});
