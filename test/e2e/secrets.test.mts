import assert from 'node:assert/strict';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { credentials } from '../../sandbox/credentials.mts';
import { desk } from './desk.mts';

const secrets = [credentials.apiKey, credentials.accessToken];

function clean(what: string, content: Buffer | string): void {
	for (const secret of secrets) {
		assert.ok(!content.includes(secret), `${what} holds ${secret}`);
	}
}

describe('secrets', () => {
	// This file runs last by its name, so all other tests have left their traces.
	test('no saved execution holds a secret', async () => {
		const all = await desk.n8n.rest.listExecutions();
		assert.ok(all.length > 10);
		for (const { id } of all) {
			const raw = await desk.n8n.rest.session.call('GET', `/executions/${id}`);
			clean(`Execution ${id}`, JSON.stringify(raw));
		}
	});

	test('the log of n8n holds no secret', () => {
		const log = desk.n8n.log();
		assert.ok(log.length > 1_000);
		clean('The log', log);
	});

	test('no file of n8n holds a secret, its database least of all', async () => {
		const folder = join(desk.userFolder, '.n8n');
		const names: string[] = [];
		for await (const name of glob('**/*', { cwd: folder, exclude: ['nodes/**'] })) {
			if (!(await stat(join(folder, name))).isFile()) continue;
			names.push(name);
			clean(name, await readFile(join(folder, name)));
		}
		assert.ok(names.includes('database.sqlite'));
	});
});
