import assert from 'node:assert/strict';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { credentials } from '../../sandbox/credentials.mts';
import { farm } from './farm.mts';

const secrets = [credentials.apiKey, credentials.accessToken];

describe('secrets and repetitions', () => {
	// This file runs last, so all other tests have left their traces.
	test('no table of n8n holds a secret', async () => {
		const tables = await farm.database.query(
			"SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
		);
		assert.ok(tables.length > 30);
		const wanted = secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('hex')]);
		for (const { table_name: table } of tables) {
			const counts = await farm.database.query(
				`SELECT count(*)::int AS count FROM "${String(table)}" AS t
				WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS s WHERE strpos(t::text, s) > 0)`,
				[wanted],
			);
			assert.deepEqual(counts, [{ count: 0 }], `${String(table)} holds a secret`);
		}
	});

	test('nothing in Redis holds a secret', async () => {
		const content = await farm.database.readJobs();
		assert.ok(content.length > 100);
		for (const secret of secrets) assert.ok(!content.includes(secret), `Redis holds ${secret}`);
	});

	test('no log and no file of the main process or a worker holds a secret', async () => {
		const names: string[] = [];
		for await (const name of glob('**/*', { cwd: farm.folder, exclude: (n) => n === 'nodes' })) {
			const path = join(farm.folder, name);
			if (!(await stat(path)).isFile()) continue;
			names.push(name);
			const content = await readFile(path);
			for (const secret of secrets) assert.ok(!content.includes(secret), `${name} holds ${secret}`);
		}
		for (const process of ['main', 'worker-1', 'worker-2'])
			assert.ok(names.includes(join(process, 'n8n.log')));
	});

	test('n8n began no execution twice, whatever died', () => {
		const started = farm.workers.flatMap((worker) => worker.listStarted());
		assert.ok(started.length > 25);
		assert.equal(new Set(started).size, started.length);
	});
});
