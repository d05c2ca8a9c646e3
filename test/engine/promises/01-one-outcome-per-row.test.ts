import fc from 'fast-check';
import { schedule, setupOf, createStore, inputOf, type Schedule } from '../../support/bulkSchedule';
import { macrotask } from '../../support/macrotask.mjs';
import { outcomeOf } from '../../support/panel';
import { savedOf, start, type Outcome } from '../../support/runNode';
import { useN8nStore } from '../../support/n8nStore';
import { forget, serve } from '../../support/service';
import { propertyRuns } from '../../support/propertyRuns.mjs';
import escapeRegExp from 'lodash/escapeRegExp';
import mapValues from 'lodash/mapValues';
import sum from 'lodash/sum';
import type { INodeExecutionData } from 'n8n-workflow';
import { codes } from '../../../src/bulk/codes';
import { members } from '../../support/samples';

/** The outcomes of rows, by the name of the outcome. */
type Counts = Readonly<Record<'accepted' | 'rejected' | 'unknown' | 'notSent', number>>;

/** The counts in the error of a run, or in its hint where it has none. */
function countsOf({ rows, operation }: Schedule, { error, hints }: Outcome): Counts {
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

/** The outcome of each row in the output of a node that continues after errors. */
function reportedOutcomes({ rows, onError }: Schedule, { main, errors, error }: Outcome) {
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

type Store = ReturnType<typeof createStore>;

/** Compares the reported outcomes of the rows with the store of the service. */
function compare(chosen: Schedule, store: Store, outcome: Outcome): void {
	if (outcome.error && chosen.rows.length === 1) return;
	const counts = countsOf(chosen, outcome);
	const all = [...store.stored.values()].reduce((sum, count) => sum + count, 0);
	expect(all).toBeGreaterThanOrEqual(counts.accepted);
	expect(all).toBeLessThanOrEqual(counts.accepted + counts.unknown);
	if (chosen.onError !== 'stopWorkflow') compareRows(chosen, store, outcome, counts);
	else if (!outcome.error) compareSkipped(outcome, counts);
}

/** A run that was stopped while it read its rows counts none. Those that an earlier try stored are unknown. */
function compareUnread({ rows }: Schedule, store: Store, { main, errors }: Outcome): void {
	const reported = [...main, ...errors].map(outcomeOf);
	expect(reported).toHaveLength(rows.length);
	const [outcome] = reported;
	expect(new Set(reported)).toEqual(new Set([outcome]));
	expect(store.stored.size > 0 ? ['unknown'] : ['unknown', 'notSent']).toContain(outcome);
}

/** Skipped rows stop no node: duplicates left out by choice, and invalid rows beside valid ones. */
function compareSkipped({ main }: Outcome, counts: Counts): void {
	expect(counts.unknown).toBe(0);
	const items = (word: string) => main.filter(({ json }) => json['outcome'] === word);
	// Rows that are rejected before sending are items as well.
	for (const name of ['accepted', 'rejected', 'notSent'] as const)
		expect([name, items(name).length]).toEqual([name, counts[name]]);
}

/** Every row is reported truly: accepted ones are stored, rejected and unsent ones are not. */
function compareRows(chosen: Schedule, store: Store, outcome: Outcome, counts: Counts): void {
	const reported = reportedOutcomes(chosen, outcome);
	const { rows } = chosen;
	for (const name of ['accepted', 'rejected', 'unknown', 'notSent'] as const)
		expect([name, reported.filter((word) => word === name).length]).toEqual([name, counts[name]]);
	for (const mark of new Set(rows.map((row) => row.mark))) {
		const count = (name: string | undefined) =>
			reported.filter((word, i) => word === name && rows[i]?.mark === mark).length;
		const stored = store.stored.get(mark) ?? 0;
		const min = count('accepted');
		const max = min + count('unknown') + count(undefined);
		expect([mark, stored >= min, stored <= max]).toEqual([mark, true, true]);
	}
}

/** Nothing is sent more often than the input contains it, and no duplicate is sent. */
function nothingTwice(chosen: Schedule, store: Store): void {
	const rows = chosen.rows.filter(({ valid }) => valid);
	for (const [mark, spent] of store.spent) {
		const wanted = rows.filter((row) => row.mark === mark).length;
		expect({ mark, spent: Math.max(spent, wanted) }).toEqual({ mark, spent: wanted });
	}
	for (const identity of new Set(rows.map((row) => row.identity))) {
		const [a = 0, b = 0] = ['a', 'b'].map((variant) => store.spent.get(`${identity}${variant}`));
		expect({ identity, spent: Math.min(2, a + b) }).not.toEqual({ identity, spent: 2 });
	}
}

/** Else the schedules miss what they are for. */
const seen = {
	schedules: 0,
	cancelled: 0,
	reported: 0,
	retried: 0,
	requests: 0,
};

async function follow(chosen: Schedule): Promise<void> {
	seen.schedules += 1;
	await useN8nStore();
	let store = createStore();
	const execution: { cancel?: () => void; stoppedAt?: number } = {};
	const received = serve((request, number) => {
		const fault = chosen.faults[number - 1] ?? { kind: 'ok', max: 0 };
		if (number === chosen.cancelAt) {
			execution.stoppedAt = number;
			execution.cancel?.();
		}
		return store.response(request, fault);
	});
	try {
		const { done, cancel } = start(setupOf(chosen));
		execution.cancel = cancel;
		const outcome = await done;
		nothingTwice(chosen, store);
		seen.requests += received.length;
		if (execution.stoppedAt !== undefined) {
			seen.cancelled += 1;
			// Requests in progress at that moment may still arrive.
			const max = execution.stoppedAt + chosen.parallelRequests - 1;
			expect(received.length).toBeLessThanOrEqual(max);
			if (outcome.main.length + outcome.errors.length === 0) return;
			seen.reported += 1;
			if (!/\d rows?,/.test(outcome.hints.join())) return compareUnread(chosen, store, outcome);
			// The error is n8n's word about the stop; the items are the node's.
			const { main, errors, hints, run } = outcome;
			compare(chosen, store, { main, errors, hints, run });
			return;
		}
		compare(chosen, store, outcome);
		if (!outcome.error) return;
		seen.retried += 1;
		const before = received.length;
		const after = savedOf(outcome);
		// An upsert has no ledger, so its retry is a run of its own.
		if (chosen.operation === 'upsert') store = createStore();
		const again = await start({ ...setupOf(chosen, chosen.nextBatchSize), after }).done;
		nothingTwice(chosen, store);
		compare(chosen, store, again);
		seen.requests += received.length - before;
	} finally {
		// Requests in progress when the user stopped arrive at their own service.
		await macrotask();
		forget();
	}
}

it('tells of every row what became of it, and sends none twice, whatever fails', async () => {
	await fc.assert(fc.asyncProperty(schedule, follow), propertyRuns(500));
	// Else the schedules miss what they are for.
	const { schedules } = seen;
	expect(schedules).toBeGreaterThanOrEqual(100);
	expect(seen.reported).toBeGreaterThan(schedules / 25);
	expect(seen.retried).toBeGreaterThan(schedules / 10);
	expect(seen.requests).toBeGreaterThan(schedules * 2);
}, 600_000);
