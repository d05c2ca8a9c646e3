import type { INodeExecutionData } from 'n8n-workflow';
import type { Schedule } from './bulkSchedule';
import { inputOf } from './bulkSchedule';
import { outcomeOf } from './panel';
import type { Outcome } from './runNode';
import { members } from './samples';

/** The outcomes of rows, by the name of the outcome. */
export type Counts = Readonly<Record<'accepted' | 'rejected' | 'unknown' | 'notSent', number>>;

/** The counts in the error of a run, or in its hint where it has none. */
export function countsOf({ rows }: Schedule, { error, hints }: Outcome): Counts {
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
	expect(text).toContain(`${rows.length} row`);
	expect(before).toBe(rows.filter(({ valid }) => !valid).length);
	expect(Object.values(counts).reduce((sum, number) => sum + number, 0)).toBe(rows.length);
	return counts;
}

const isError = ({ json }: INodeExecutionData): boolean => 'error' in json;

/** What the output of a node that goes on after errors says of each row, or undefined where only the item for the run counts it. */
export function reportedOutcomes(
	chosen: Schedule,
	{ main, errors, error }: Outcome,
	counts: Counts,
) {
	const { rows, outputAs, onError } = chosen;
	expect(error).toBeUndefined();
	if (onError === 'continueErrorOutput') expect(main.some(isError)).toBe(false);
	const items = main.filter((item) => !isError(item));
	if (outputAs === 'run') compareRunItem(chosen, items, counts);
	const names = rows.map((row) => Object.values(inputOf(row)));
	const reported = new Map<number, unknown>();
	for (const item of [...main.filter(isError), ...errors, ...(outputAs === 'run' ? [] : items)]) {
		const { item: place } = item.pairedItem as { readonly item: number };
		const fields = { ...members(item.json['details']), ...item.json };
		expect([fields['row'], reported.has(place)]).toEqual([place + 1, false]);
		reported.set(place, outcomeOf(item));
		if (isError(item)) continue;
		expect(names[place]).toContain(fields['identifier'] ?? fields['toPhoneNumber']);
		expect(['accepted', 'notSent']).toContain(outcomeOf(item));
	}
	if (outputAs === 'rows') expect(reported.size).toBe(rows.length);
	return rows.map((_, i) => reported.get(i));
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
