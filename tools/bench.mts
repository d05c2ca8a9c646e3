import { parseArgs } from 'node:util';
import { packOnce, unpack } from './bench/host.mts';
import { playRounds } from './bench/rounds.mts';
import { judge, writeReport } from './bench/report.mts';
import type { Played } from './bench/report.mts';
import { scenarios } from './bench/scenarios.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		rounds: { type: 'string', default: '5' },
		quick: { type: 'boolean', default: false },
	},
});
const report = (line: string) => console.error(line);
const rounds = Number(values.rounds);
const wanted = scenarios.filter(
	({ id }) => positionals.length === 0 || positionals.some((part) => id.startsWith(part)),
);
if (wanted.length === 0 || !(rounds >= 1)) {
	const known = scenarios.map(({ id }) => id).join(' ');
	throw new Error(`Usage: npm run bench -- [${known}] [--rounds 5] [--quick]`);
}

const tarball = await packOnce(report);
// Small sizes are for trying the benchmark, not for its figures.
const size = (full: number) => (values.quick ? Math.max(500, Math.round(full / 20)) : full);
for (const scenario of wanted) {
	report(`${scenario.id}: ${scenario.title}`);
	const { contenders, stop } = await scenario.prepare({ tarball, size });
	let played: Played;
	try {
		played = { scenario, rounds: await playRounds(contenders, rounds, report) };
	} finally {
		await stop();
	}
	for (const line of judge([played])) report(`  ${line}`);
	if (!values.quick) await writeReport([played], scenarios);
}
await unpack(tarball);
if (values.quick) report('A quick run: nothing was written into docs.');
