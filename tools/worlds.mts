import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportTotal, root } from './checks/check.mts';
import { runJest } from './checks/testRuns.mts';

// Tries all cases of the properties; `npm test` tries a fifth, PROPERTY_RUNS=20 twenty times as many.
// `npm run test:worlds -- unit/tickets` tries those of matching paths.

process.env['PROPERTY_RUNS'] ??= '1';
const parts = process.argv.slice(2);
const files = globSync('test/{unit,engine}/**/*.test.ts', { cwd: root }).filter(
	(path) =>
		parts.every((part) => path.includes(part)) &&
		readFileSync(join(root, path), 'utf8').includes('propertyRuns.mjs'),
);
const finding = await runJest('worlds-jest', ['unit', 'engine'], ['--runTestsByPath', ...files]);
await reportTotal('worlds', [finding]);
