import type { INodeExecutionData } from 'n8n-workflow';
import type { Schedule, Value, ValueRow } from './bulkSchedule';
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
		notSent: count('not sent') + count('left out as duplicates') + count('left out(?! as)'),
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

/** What came out: items of accepted values, and one of each row that has something to say. */
interface Sorted {
	readonly good: readonly INodeExecutionData[];
	readonly failed: ReadonlyMap<number, Details>;
}

/** Sorts the items of a node that goes on after errors; each is in its place, and no row fails twice. */
function sort({ onError }: Schedule, { main, errors }: Outcome): Sorted {
	const isGood = ({ json }: INodeExecutionData) => json['outcome'] === 'accepted';
	if (onError === 'continueErrorOutput') expect(main.every(isGood)).toBe(true);
	const bad = [...main.filter((item) => !isGood(item)), ...errors];
	const failed = new Map<number, Details>();
	for (const item of bad) {
		const [place = -1] = placesOf(item);
		const details = detailsOf(item);
		expect(typeof (item.json as { error?: unknown }).error).toBe('string');
		expect([details?.row, failed.has(place)]).toEqual([place + 1, false]);
		if (details) failed.set(place, details);
	}
	const good = main.filter(isGood);
	for (const { json } of good) expect(json).not.toHaveProperty('error');
	return { good, failed };
}

/** What became of the values of a row, in their order, by the details of its failure. */
function valuesTold(row: ValueRow, details: Details | undefined): string[] {
	if (!details) return row.map(() => 'accepted');
	if (isRefused(row)) {
		expect(details.outcome).toBe('rejected');
		return row.map(() => 'rejected');
	}
	if (row.length === 1) return [details.outcome];
	const failed = new Map((details.failed ?? []).map(({ index, outcome }) => [index, outcome]));
	const told = row.map((_, i) => failed.get(i) ?? 'accepted');
	const names = [...new Set(told)].sort();
	expect(details.counts).toEqual(
		Object.fromEntries(names.map((name) => [name, told.filter((each) => each === name).length])),
	);
	const worst = ['unknown', 'rejected', 'notSent'].find((name) => names.includes(name));
	expect([details.outcome, failed.size > 0]).toEqual([worst, true]);
	return told;
}

/** What the output of a node that goes on after errors says of each value, row by row; all of it fits together. */
export function toldOf(chosen: Schedule, outcome: Outcome): string[][] {
	expect(outcome.error).toBeUndefined();
	const { good, failed } = sort(chosen, outcome);
	const told = chosen.rows.map((row, i) => valuesTold(row, failed.get(i)));
	const accepted = chosen.rows.map((row, i) => row.filter((_, at) => told[i]?.[at] === 'accepted'));
	if (chosen.outputAs === 'rows') itemsOfRows(chosen, good, accepted);
	else itemsOfRequests(chosen, good, accepted);
	return told;
}

type Accepted = ReadonlyArray<readonly Value[]>;

const nameOf = ({ operation }: Schedule) => (operation === 'conversation' ? phoneOf : identifierOf);

/** The name of a value in an item, as `nameOf` gives it. */
const nameIn = (jsonList: object): unknown =>
	'identifier' in jsonList
		? jsonList.identifier
		: 'toPhoneNumber' in jsonList
			? jsonList.toPhoneNumber
			: undefined;

/** Each accepted value is one item of its row. */
function itemsOfRows(
	chosen: Schedule,
	good: readonly INodeExecutionData[],
	accepted: Accepted,
): void {
	const told = chosen.rows.map((): unknown[] => []);
	for (const item of good) {
		const places = placesOf(item);
		expect(places).toHaveLength(1);
		told[places[0] ?? -1]?.push(nameIn((item.json['customer'] as object) ?? item.json));
	}
	expect(told).toEqual(accepted.map((row) => row.map(nameOf(chosen))));
}

/** Each accepted value is in the item of one request, which is linked to its row, and to no row without a part in it. */
function itemsOfRequests(
	chosen: Schedule,
	good: readonly INodeExecutionData[],
	accepted: Accepted,
): void {
	const names = accepted.map((row) => row.map(nameOf(chosen)));
	const jsonList = good.map(({ json }) => {
		const list = (json['customers'] ?? json['conversations']) as object[];
		expect([json['count'], list.length > 0]).toEqual([list.length, true]);
		return list.map((each) => String(nameIn(each)));
	});
	expect(jsonList.flat().sort()).toEqual(names.flat().sort());
	const batches = good.map(({ json }) => json['batch']);
	expect(new Set(batches).size).toBe(batches.length);
	const linked = names.map(() => 0);
	for (const [i, item] of good.entries()) {
		const places = placesOf(item);
		expect(new Set(places).size).toBe(places.length);
		expect(places.length).toBeLessThanOrEqual(jsonList[i]?.length ?? 0);
		for (const place of places) {
			linked[place] = (linked[place] ?? 0) + 1;
			expect(jsonList[i]?.some((name) => names[place]?.includes(name))).toBe(true);
		}
		const ofRows = places.flatMap((place) => names[place] ?? []);
		expect(jsonList[i]?.every((name) => ofRows.includes(name))).toBe(true);
	}
	for (const [place, count] of linked.entries()) {
		const values = names[place]?.length ?? 0;
		expect({ place, linked: count >= Math.min(1, values) && count <= values }).toEqual({
			place,
			linked: true,
		});
	}
}
