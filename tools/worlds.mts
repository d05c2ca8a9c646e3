import { globSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countsLine, root } from './checks/check.mts';
import { results, runJest } from './checks/testRuns.mts';

// Tries all cases of the properties of which `npm test` tries a fifth; PROPERTY_RUNS=20 tries twenty times as many.
// `npm run test:worlds -- unit/tickets` tries those of paths that contain this.

process.env['PROPERTY_RUNS'] ??= '1';
const files = globSync('test/{unit,engine}/**/*.test.ts', { cwd: root });
const texts = await Promise.all(
	files.map(async (file) => await readFile(join(root, file), 'utf8')),
);
const parts = process.argv.slice(2);
const tried = files.filter(
	(path, i) => texts[i]?.includes('propertyRuns.mjs') && parts.every((part) => path.includes(part)),
);
const { passed, failed } = await runJest('worlds-jest', ['--runTestsByPath', ...tried]);
await writeFile(join(results, 'worlds.json'), `${JSON.stringify({ passed, failed })}\n`);
console.log(countsLine({ passed, failed }));
process.exitCode = failed === 0 ? 0 : 1;
