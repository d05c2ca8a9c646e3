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

/** What the output of a node that goes on after errors says of each row. */
export function reportedOutcomes({ rows, onError }: Schedule, { main, errors, error }: Outcome) {
	expect(error).toBeUndefined();
	if (onError === 'continueErrorOutput') expect(main.some(isError)).toBe(false);
	const items = main.filter((item) => !isError(item));
	const names = rows.map((row) => Object.values(inputOf(row)));
	const reported = new Map<number, unknown>();
	for (const item of [...main.filter(isError), ...errors, ...items]) {
		const { item: place } = item.pairedItem as { readonly item: number };
		const fields = { ...members(item.json['details']), ...item.json };
		expect([fields['row'], reported.has(place)]).toEqual([place + 1, false]);
		reported.set(place, outcomeOf(item));
		if (isError(item)) continue;
		expect(names[place]).toContain(fields['identifier'] ?? fields['toPhoneNumber']);
		expect(['accepted', 'rejected', 'notSent']).toContain(outcomeOf(item));
	}
	expect(reported.size).toBe(rows.length);
	return rows.map((_, i) => reported.get(i));
}
