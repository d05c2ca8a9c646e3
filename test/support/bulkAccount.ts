import countBy from 'lodash/countBy';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Schedule, ValueRow } from './bulkSchedule';
import { identifierOf, isRefused, phoneOf } from './bulkSchedule';
import type { Outcome } from './runNode';

/** The outcomes of rows, by the name of the outcome. */
export type Counts = Readonly<Record<'accepted' | 'rejected' | 'unknown' | 'notSent', number>>;

/** The counts in the error of a run, or in its hint where it has none; a row refused before sending counts once. */
export function countsOf(chosen: Schedule, { error, hints }: Outcome): Counts {
	const text = error ? `${error.message} ${error.description ?? ''}` : hints.join(' ');
	const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(text)?.[1] ?? 0);
	const before = count('rejected before sending');
	const counts = {
		accepted: count('accepted'),
		rejected: count('rejected by the service') + before,
		unknown: count('unknown'),
		// What was left out by choice counts apart.
		notSent: ['not sent', 'left out as duplicates', 'left out(?! as)', 'called in the last']
			.map(count)
			.reduce((sum, number) => sum + number, 0),
	};
	expect(text).toContain(`${chosen.rows.length} row`);
	expect(before).toBe(chosen.rows.filter(isRefused).length);
	const total = chosen.rows.reduce((sum, row) => sum + (isRefused(row) ? 1 : row.length), 0);
	expect(Object.values(counts).reduce((sum, number) => sum + number, 0)).toBe(total);
	return counts;
}

interface Details {
	readonly row: number;
	readonly outcome: string;
	readonly counts?: Readonly<Record<string, number>>;
	readonly failed?: ReadonlyArray<{ readonly index: number; readonly outcome: string }>;
}

const detailsOf = ({ json }: INodeExecutionData) => json['details'] as Details | undefined;

const placesOf = ({ pairedItem }: INodeExecutionData): number[] =>
	[pairedItem].flat().map((place) => (place as { item: number }).item);

/** What came out: items of values, and one of each row that failed. */
interface Sorted {
	readonly items: readonly INodeExecutionData[];
	readonly failed: ReadonlyMap<number, Details>;
}

const isError = ({ json }: INodeExecutionData): boolean => 'error' in json;

/** Sorts the items of a node that goes on after errors; each is in its place, and no row fails twice. */
function sort({ onError }: Schedule, { main, errors }: Outcome): Sorted {
	if (onError === 'continueErrorOutput') expect(main.some(isError)).toBe(false);
	const failed = new Map<number, Details>();
	for (const item of [...main.filter(isError), ...errors]) {
		const [place = -1] = placesOf(item);
		const details = detailsOf(item);
		expect(typeof (item.json as { error?: unknown }).error).toBe('string');
		expect([details?.row, failed.has(place)]).toEqual([place + 1, false]);
		if (details) failed.set(place, details);
	}
	return { items: main.filter((item) => !isError(item)), failed };
}

/** The outcome of a value, or undefined where its failure does not name it. */
type Told = string | undefined;

/** What the failure of a row says of its values, in their order. */
function valuesTold(row: ValueRow, details: Details | undefined): Told[] {
	if (!details) return row.map(() => undefined);
	if (isRefused(row)) {
		expect(details.outcome).toBe('rejected');
		return row.map(() => 'rejected');
	}
	if (row.length === 1) return [details.outcome];
	const failed = new Map((details.failed ?? []).map(({ index, outcome }) => [index, outcome]));
	const names = new Set(failed.values());
	const worst = ['unknown', 'rejected', 'notSent'].find((name) => names.has(name));
	expect([details.outcome, failed.size > 0]).toEqual([worst, true]);
	return row.map((_, i) => failed.get(i));
}

/** What the output of a node that goes on after errors says of each value, row by row; all of it fits together. */
export function toldOf(chosen: Schedule, outcome: Outcome, counts: Counts): Told[][] {
	expect(outcome.error).toBeUndefined();
	const { items, failed } = sort(chosen, outcome);
	const told = chosen.rows.map((row, i) => valuesTold(row, failed.get(i)));
	if (chosen.outputAs === 'run') {
		compareRunItem(chosen, items, counts);
		return told;
	}
	const all = chosen.rows.map((row, i) =>
		withItems(chosen, { row, told: told[i] ?? [], items, i }),
	);
	for (const [i, details] of failed)
		if (details.counts) expect(details.counts).toEqual(countBy(all[i]));
	return all;
}

interface RowTold {
	readonly row: ValueRow;
	readonly told: readonly Told[];
	readonly items: readonly INodeExecutionData[];
	readonly i: number;
}

/** Adds what the items of a row say: those of its values that did not fail, in their order. */
function withItems(chosen: Schedule, { row, told, items, i }: RowTold): Told[] {
	const own = items.filter((item) => placesOf(item).includes(i));
	for (const { json, pairedItem } of own)
		expect([json['row'], pairedItem]).toEqual([i + 1, { item: i }]);
	const nameOf = chosen.operation === 'conversation' ? phoneOf : identifierOf;
	const left = row.filter((_, at) => told[at] === undefined);
	expect(own.map(({ json }) => json['identifier'] ?? json['toPhoneNumber'])).toEqual(
		left.map(nameOf),
	);
	const outcomes = own.map(({ json }) => String(json['outcome']));
	for (const name of outcomes) expect(['accepted', 'notSent']).toContain(name);
	return told.map((name) => name ?? outcomes.shift());
}

/** The item for a run counts what the hint does, and is linked to all rows; a run that was stopped has none. */
export function compareRunItem(
	{ rows }: Schedule,
	items: readonly INodeExecutionData[],
	counts: Counts,
): void {
	const [item] = items;
	if (!item) {
		expect([counts.accepted, counts.unknown]).toEqual([0, 0]);
		return;
	}
	expect(items).toHaveLength(1);
	expect(item.json).toMatchObject({ rows: rows.length, ...counts });
	expect(item.pairedItem).toEqual(rows.map((_, i) => ({ item: i })));
}
