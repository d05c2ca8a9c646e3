import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { root } from '../checks/check.mts';
import { chart } from './chart.mts';
import type { Bar } from './chart.mts';
import { machine } from './machine.mts';
import { medianOf, round3 } from './rounds.mts';
import type { Rounds } from './rounds.mts';
import type { Bound, Scenario } from './scenario.mts';

/** A scenario that was played. */
export interface Played {
	readonly scenario: Pick<Scenario, 'id' | 'title' | 'method' | 'chart' | 'bounds'>;
	readonly rounds: Rounds;
}

/** What is kept of a scenario between runs of parts of the benchmark. */
interface Raw {
	readonly title: string;
	readonly measured: string;
	readonly machine: Record<string, string | number>;
	readonly rounds: Rounds;
}

/** What a bound allows, in words. */
const allowed = ({ least, most, unit = '' }: Bound): string => {
	if (least !== undefined) return `at least ${least} ${unit}`.trim();
	return most === undefined ? '' : `at most ${most} ${unit}`.trim();
};

function verdict(value: number, { least, most }: Bound): string {
	if (least === undefined && most === undefined) return '';
	return value >= (least ?? -Infinity) && value <= (most ?? Infinity) ? 'kept' : '**missed**';
}

/** A line for each bound of what was played: figure, bound, and whether it is kept. */
export const judge = (played: readonly Played[]): string[] =>
	played.flatMap(({ scenario, rounds }) =>
		scenario.bounds.map((bound) => {
			const value = bound.figure(rounds);
			const facts = [`${round3(value)} ${bound.unit ?? ''}`, allowed(bound), verdict(value, bound)];
			return `${scenario.id} ${bound.text}: ${facts.join(', ')}`;
		}),
	);

const docs = join(root, 'docs', 'internals');
const places = {
	raw: join(docs, 'performance.json'),
	text: join(docs, 'performance.md'),
	chart: join(root, 'docs', 'images', 'performance.svg'),
	notes: join(import.meta.dirname, 'notes.md'),
};

/** Writes figures, table and chart; scenarios that were not played keep what an earlier run measured. */
export async function writeReport(
	played: readonly Played[],
	scenarios: readonly Scenario[],
): Promise<void> {
	const before = await readFile(places.raw, 'utf8').catch(() => '{}');
	const raw = JSON.parse(before) as Record<string, Raw>;
	const measured = new Date().toISOString().slice(0, 10);
	for (const { scenario, rounds } of played)
		raw[scenario.id] = { title: scenario.title, measured, machine: machine(), rounds };
	const known = scenarios.flatMap((scenario) => {
		const kept = raw[scenario.id];
		return kept ? [{ scenario, ...kept }] : [];
	});
	const notes = await readFile(places.notes, 'utf8');
	await mkdir(dirname(places.chart), { recursive: true });
	const kept = Object.fromEntries(known.map(({ scenario: { id } }) => [id, raw[id]]));
	await writeFile(places.raw, await laidOut(places.raw, JSON.stringify(kept)));
	const bars = known.flatMap(barsOf);
	if (bars.length > 0) await writeFile(places.chart, chart(bars));
	else await rm(places.chart, { force: true });
	const open = scenarios.filter(({ id }) => raw[id] === undefined);
	await writeFile(places.text, await laidOut(places.text, page({ known, open, bars }, notes)));
}

const laidOut = async (filepath: string, text: string): Promise<string> =>
	await format(text, { ...(await resolveConfig(filepath)), filepath });

type Known = Raw & { readonly scenario: Scenario };

/** The bars of a scenario, as multiples of its first contender. */
function barsOf({ scenario, rounds }: Known): Array<{ title: string; bars: Bar[] }> {
	const names = scenario.chart ?? [];
	const unit = medianOf(rounds, names[0] ?? '');
	if (names.length === 0) return [];
	const bars = names.map((name) => ({ name, value: medianOf(rounds, name) / unit }));
	return [{ title: `${scenario.id}: ${scenario.title}`, bars }];
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** What a page tells: scenarios that were measured, those that were not yet, and what stands in the chart. */
interface Contents {
	readonly known: readonly Known[];
	readonly open: ReadonlyArray<Pick<Scenario, 'id' | 'title'>>;
	readonly bars: readonly unknown[];
}

/** The page as Markdown. */
export function page({ known, open, bars }: Contents, notes: string): string {
	const bounds = known.flatMap(({ scenario, rounds }) =>
		scenario.bounds.map((bound) => {
			const value = bound.figure(rounds);
			const figure = `${round3(value)} ${bound.unit ?? ''}`.trim();
			return row([scenario.id, bound.text, figure, allowed(bound), verdict(value, bound)]);
		}),
	);
	const machines = new Set(known.map((each) => describe(each)));
	return [
		'# Performance',
		'Written by `npm run bench`. The figures of every round are in [performance.json](performance.json). All contenders of a scenario take turns in one run, so compare ratios. Absolute times depend on the machine.',
		`Measured ${[...machines].join('; ')}.`,
		'## What it has to show',
		[row(['', 'Figure', 'Measured', 'Has to be', '']), row(Array(5).fill('---')), ...bounds].join(
			'\n',
		),
		...(open.length > 0
			? [`Not measured yet: ${open.map(({ id, title }) => `${id} (${title})`).join('; ')}.`]
			: []),
		...(bars.length > 0
			? ['![Times as multiples of those of a bare client](../images/performance.svg)']
			: []),
		notes.trim(),
		'## All scenarios',
		scenarioTable(known),
	]
		.join('\n\n')
		.concat('\n');
}

function describe({ measured, machine: facts, rounds }: Known): string {
	const [first] = Object.values(rounds);
	const known = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
	return `on ${measured} with ${known.join(', ')}, rounds: ${first?.length ?? 0}`;
}

/** One row for each scenario, with its method and the medians of its contenders. */
function scenarioTable(known: readonly Known[]): string {
	const rows = known.map(({ scenario: { id, title, method }, rounds }) => {
		const contenders = Object.keys(rounds).map((name) => `${name}: ${medians(rounds, name)}`);
		return row([id, `**${title}.** ${method}`, contenders.join('; ')]);
	});
	return [row(['', 'Scenario', 'Medians']), row(['---', '---', '---']), ...rows].join('\n');
}

/** The median of each figure of a contender, e.g. "ms 98, requests 10". */
function medians(rounds: Rounds, name: string): string {
	const figures = Object.keys(rounds[name]?.[0] ?? {});
	return figures.map((figure) => `${figure} ${shown(medianOf(rounds, name, figure))}`).join(', ');
}

const shown = (value: number): string => (Number.isNaN(value) ? '' : round3(value));
