import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../checks/check.mts';
import { defaultVersion } from '../host/versions.mts';
import { divideRounds, findSpread, judgeBound } from './question.mts';
import type { Figures, Question, Ratio, Rounds, Trial } from './question.mts';

/** The rounds of a trial, and the date, the commit and the machine of their run. */
interface Measurement {
	readonly run: string;
	readonly machine: string;
	readonly rounds: Rounds;
}

const folder = join(root, 'docs', 'internals');
const dataFile = join(folder, 'performance.json');

/** Stores the rounds of a trial and writes the page. Other trials keep their figures with their date. */
export async function storeTrial(
	{ title }: Trial,
	rounds: Rounds,
	questions: readonly Question[],
): Promise<void> {
	const text = await readFile(dataFile, 'utf8').catch(() => '{}');
	const stored = JSON.parse(text) as Record<string, Measurement>;
	const measurements = { ...stored, [title]: { ...describeRun(), rounds } };
	const page = join(folder, 'performance.md');
	await writeText(dataFile, JSON.stringify(measurements));
	await writeText(page, createPage(questions, new Map(Object.entries(measurements))));
}

async function writeText(filepath: string, text: string): Promise<void> {
	await writeFile(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}

function describeRun(): Omit<Measurement, 'rounds'> {
	const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root });
	const memory = `${Math.round(totalmem() / 1024 ** 3)} GB`;
	const versions = `Node ${process.versions.node}, n8n ${defaultVersion}`;
	return {
		run: `${new Date().toISOString().slice(0, 10)}, ${String(commit).trim()}`,
		machine: `${cpus().length} processors, ${memory}, ${process.platform}, ${versions}`,
	};
}

const FIGURES = { ms: 'Time', cpu: 'Processor time', stretch: 'Longest stretch', mb: 'Memory' };

const formatNumber = (value: number): string => String(Number(value.toPrecision(3)));

/** Describes a ratio in cells: its name, its spread, its bound and the verdict. */
export function describeRatio(ratio: Ratio, rounds: Rounds): string[] {
	const { above, below, figure, atLeast, atMost } = ratio;
	const spread = divideRounds(rounds, ratio);
	const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
	const name = `${FIGURES[figure]}, ${above} / ${below}`;
	return [name, ...spread.map(formatNumber), bound, judgeBound(spread, ratio)];
}

const formatTable = (...rows: ReadonlyArray<readonly string[]>): string =>
	rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const INTRODUCTION = `# Performance

\`npm run bench\` writes this page, and the figures of all rounds into [performance.json](performance.json).

The contenders of a trial take turns on one machine in the same minutes, so a ratio can be compared with that of another machine. Times cannot, and have no bounds. A ratio is _kept_ if it is within its bound in all rounds, and _missed_ if it is in none. Otherwise it _cannot be told_.

- **This node** is the built package in a real n8n, with its defaults.
- **n8n's helper alone** is a node that repeats the requests of this node through n8n's HTTP helper, as many at once, parses the responses and returns items. No node can do with less, because n8n opens a new connection for each request.
- **HTTP Request** is n8n's own node, as people use it without this package.`;

/** Writes the page as Markdown. */
function createPage(
	questions: readonly Question[],
	measurements: ReadonlyMap<string, Measurement>,
): string {
	const measured = questions.flatMap(({ letter, trials }) =>
		trials.flatMap(({ title, ratios }) => {
			const measurement = measurements.get(title);
			return measurement ? [{ place: [letter, title], ratios, ...measurement }] : [];
		}),
	);
	const spreads = measured.flatMap(({ place, ratios, rounds, run }) =>
		ratios.map((ratio) => [...place, ...describeRatio(ratio, rounds), run]),
	);
	const medians = measured.flatMap(({ place, rounds }) =>
		Object.entries(rounds).map(([name, figures]) => [...place, name, ...listMedians(figures)]),
	);
	const head = ['', 'Trial', 'Ratio', 'Smallest', 'Median', 'Largest', 'Bound', 'Verdict', 'Run'];
	const medianHead = ['', 'Trial', 'Contender', ...Object.values(FIGURES)];
	const toRule = (cells: readonly string[]) => cells.map(() => '---');
	return [
		INTRODUCTION,
		`Measured with ${[...new Set(measured.map(({ machine }) => machine))].join('; ')}.`,
		formatTable(head, toRule(head), ...spreads),
		'## What the figures mean',
		questions.map(({ letter, meaning }) => `- ${letter}: ${meaning}`).join('\n'),
		'## Medians',
		"Times are in ms. Processor time is that of the n8n process. The longest stretch is the longest time in which n8n's main thread does nothing else. Memory is the rise of n8n's heap in MB, with the garbage that is not collected yet.",
		formatTable(medianHead, toRule(medianHead), ...medians),
	].join('\n\n');
}

/** The median of each figure, '' if it was not measured. */
const listMedians = (rounds: readonly Figures[]): string[] =>
	(Object.keys(FIGURES) as Array<keyof Figures>).map((figure) => {
		const [, median] = findSpread(rounds.flatMap((figures) => figures[figure] ?? []));
		return Number.isNaN(median) ? '' : formatNumber(median);
	});
