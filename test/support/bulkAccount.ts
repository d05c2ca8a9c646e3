import escapeRegExp from 'lodash/escapeRegExp';
import mapValues from 'lodash/mapValues';
import sum from 'lodash/sum';
import type { INodeExecutionData } from 'n8n-workflow';
import { codes } from '../../src/bulk/codes';
import type { Schedule } from './bulkSchedule';
import { inputOf } from './bulkSchedule';
import { outcomeOf } from './panel';
import type { Outcome } from './runNode';
import { members } from './samples';

/** The outcomes of rows, by the name of the outcome. */
export type Counts = Readonly<Record<'accepted' | 'rejected' | 'unknown' | 'notSent', number>>;

/** The counts in the error of a run, or in its hint where it has none. */
export function countsOf({ rows, operation }: Schedule, { error, hints }: Outcome): Counts {
	const text = error ? `${error.message} ${error.description ?? ''}` : hints.join(' ');
	const countOf = (words: string): number => {
		const counted = new RegExp(`(\\d+) ${escapeRegExp(words)}(?=[,.<]|$)(?!, because)`);
		return Number(counted.exec(text)?.[1] ?? 0);
	};
	const { invalid, rejected, unknown, ...unsent } = mapValues(codes, countOf);
	const counts = {
		accepted: countOf(operation === 'conversation' ? 'called' : 'accepted'),
		rejected: rejected + invalid,
		unknown,
		notSent: sum(Object.values(unsent)),
	};
	expect(text).toContain(`${rows.length} row`);
	expect(invalid).toBe(rows.filter(({ valid }) => !valid).length);
	expect(sum(Object.values(counts))).toBe(rows.length);
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
		expect(['accepted', 'rejected', 'notSent']).toContain(outcomeOf(item));
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
