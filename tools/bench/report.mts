import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../checks/check.mts';
import { defaultVersion } from '../host/versions.mts';
import { divideRounds, findSpread, judgeBound } from './question.mts';
import type { Question, Ratio, Rounds, Trial } from './question.mts';

/** The rounds of a trial, and the date, the commit and the machine of their run. */
interface Measurement {
	readonly run: string;
	readonly rounds: Rounds;
}

type Measurements = Readonly<Record<string, Measurement>>;

const folder = join(root, 'docs', 'internals');
const dataFile = join(folder, 'performance.json');

/** Stores the rounds of a trial and writes the page. Other trials keep their figures with their date. */
export async function storeTrial(
	{ title }: Trial,
	rounds: Rounds,
	questions: readonly Question[],
): Promise<void> {
	const stored = JSON.parse(await readFile(dataFile, 'utf8').catch(() => '{}')) as Measurements;
	const measurements = { ...stored, [title]: { run: describeRun(), rounds } };
	await writeText(dataFile, JSON.stringify(measurements));
	await writeText(join(folder, 'performance.md'), createPage(questions, measurements));
}

async function writeText(filepath: string, text: string): Promise<void> {
	await writeFile(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}

/** Describes this run, e.g. "2026-11-28, f4559736, n8n 2.41.1 on 2 processors". */
function describeRun(): string {
	const commit = String(execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root }));
	const date = new Date().toISOString().slice(0, 10);
	return `${date}, ${commit.trim()}, n8n ${defaultVersion} on ${cpus().length} processors`;
}

const FIGURES = {
	ms: 'time in ms',
	cpu: 'processor time in ms',
	stretch: 'longest stretch in ms',
	mb: 'memory in MB',
};

const formatNumber = (value: number): string => String(Number(value.toPrecision(3)));

/** Describes a ratio in cells: its name, its spread, its bound, the verdict, and the median of both figures. */
export function describeRatio(ratio: Ratio, rounds: Rounds): string[] {
	const { above, below, figure, atLeast, atMost } = ratio;
	const spread = divideRounds(rounds, ratio);
	const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
	const verdict = atLeast === atMost ? ['', ''] : [bound, judgeBound(spread, ratio)];
	const [top = NaN, bottom = NaN] = [above, below].map(
		(contender) => findSpread((rounds[contender] ?? []).map((each) => each[figure] ?? NaN))[1],
	);
	const medians = `${formatNumber(top)} / ${formatNumber(bottom)}`;
	return [
		`${above} / ${below}, ${FIGURES[figure]}`,
		...spread.map(formatNumber),
		...verdict,
		medians,
	];
}

const INTRODUCTION = `# Performance

\`npm run bench\` writes this page, and the figures of all rounds into [performance.json](performance.json).

The contenders of a trial take turns on one machine in the same minutes, so a ratio can be compared with that of another machine. Times cannot, and have no bounds. A ratio is **kept** if it is within its bound in all rounds, and **missed** if it is in none. Otherwise it **cannot be told**. The last columns have the medians of both figures, and when, on which commit and where they were measured.

- **This node** is the built package in a real n8n, with its defaults.
- **n8n's helper alone** is a node that repeats the requests of this node through n8n's HTTP helper, as many at once, parses the responses and returns items. No node can do with less, because n8n opens a new connection for each request.
- **HTTP Request** is n8n's own node, as people use it without this package.

Processor time is that of the n8n process. Memory is the rise of its heap, with garbage that is not collected yet.`;

const HEAD = 'Trial | Ratio | Smallest | Median | Largest | Bound | Verdict | Medians | Run'.split(
	'|',
);

/** Writes the page as Markdown. */
function createPage(questions: readonly Question[], measurements: Measurements): string {
	const rows = questions.flatMap(({ letter, trials }) =>
		trials.flatMap(({ title, ratios }) => {
			const measurement = measurements[title];
			if (!measurement) return [];
			const { rounds, run } = measurement;
			return ratios.map((ratio) => [`${letter}: ${title}`, ...describeRatio(ratio, rounds), run]);
		}),
	);
	const table = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
	return [
		INTRODUCTION,
		table.join('\n'),
		'## What the figures mean',
		questions.map(({ letter, meaning }) => `- ${letter}: ${meaning}`).join('\n'),
	].join('\n\n');
}
