import fc from 'fast-check';
import { compareRunItem, countsOf, toldOf } from '../../support/bulkAccount';
import type { Counts } from '../../support/bulkAccount';
import type { Schedule } from '../../support/bulkSchedule';
import { isRefused, schedule, setupOf } from '../../support/bulkSchedule';
import { createStore } from '../../support/bulkStore';
import type { Outcome } from '../../support/runNode';
import { useN8nStore } from '../../support/n8nStore';
import { savedOf, start } from '../../support/runNode';
import { forget, serve } from '../../support/service';
import { propertyRuns } from '../../support/propertyRuns.mjs';

type Store = ReturnType<typeof createStore>;

/** The values that may be sent: those of rows that are not refused. */
const sendable = ({ rows }: Schedule) => rows.filter((row) => !isRefused(row)).flat();

/** Holds what is said about the rows against what the service stored of them. */
function compare(chosen: Schedule, store: Store, outcome: Outcome): void {
	if (outcome.error && chosen.rows.length === 1) return;
	const counts = countsOf(chosen, outcome);
	const all = [...store.stored.values()].reduce((sum, count) => sum + count, 0);
	expect(all).toBeGreaterThanOrEqual(counts.accepted);
	expect(all).toBeLessThanOrEqual(counts.accepted + counts.unknown);
	if (chosen.onError !== 'stopWorkflow') compareValues(chosen, store, outcome, counts);
	else if (!outcome.error) compareSkipped(chosen, outcome, counts);
}

/** Only rows that were left out by choice, here as duplicates, and invalid ones beside valid ones do not stop a node. */
function compareSkipped(chosen: Schedule, { main }: Outcome, counts: Counts): void {
	expect(counts.unknown).toBe(0);
	if (chosen.outputAs === 'run') return compareRunItem(chosen, main, counts);
	const items = (word: string) => main.filter(({ json }) => json['outcome'] === word);
	// Rows that are refused before sending are items, too.
	for (const name of ['accepted', 'rejected'] as const)
		expect([name, items(name).length]).toEqual([name, counts[name]]);
	// A row of JSON whose values are left out is one item.
	const leftOut = items('notSent');
	const places = leftOut.map(({ json }) => json['row']);
	expect(new Set(places).size).toBe(places.length);
	const valuesLeftOut = leftOut.map(({ json }) => {
		const { notSent = 1 } = (json['counts'] ?? {}) as { readonly notSent?: number };
		return notSent;
	});
	expect(valuesLeftOut.reduce((sum, count) => sum + count, 0)).toBe(counts.notSent);
	if (!chosen.sendsDuplicates) return;
	// A retry leaves out a value whose newer one the first attempt sent already.
	for (const { json } of items('notSent'))
		expect([chosen.operation, json['reason']]).toEqual([
			'upsert',
			expect.stringContaining('newer'),
		]);
}

/** Every value is told truly: accepted ones are stored, rejected and unsent ones are not. */
function compareValues(chosen: Schedule, store: Store, outcome: Outcome, counts: Counts): void {
	const told = toldOf(chosen, outcome, counts);
	const words = told.map((row, i) => (isRefused(chosen.rows[i] ?? []) ? ['rejected'] : row)).flat();
	const isRun = chosen.outputAs === 'run';
	// The item for a run counts the values that did not fail together.
	for (const name of ['accepted', 'rejected', 'unknown', 'notSent'] as const)
		if (!isRun || ['rejected', 'unknown'].includes(name))
			expect([name, words.filter((word) => word === name).length]).toEqual([name, counts[name]]);
	const values = chosen.rows.flat();
	const outcomes = told.flat();
	for (const mark of new Set(values.map((value) => value.mark))) {
		const count = (name: string | undefined) =>
			outcomes.filter((word, i) => word === name && values[i]?.mark === mark).length;
		const stored = store.stored.get(mark) ?? 0;
		const [min, max] = [count('accepted'), count('accepted') + count('unknown') + count(undefined)];
		expect([mark, stored >= min, stored <= max]).toEqual([mark, true, true]);
	}
}

/** Nothing goes more often than it stands in the rows, and duplicates only where that is wanted. */
function nothingTwice(chosen: Schedule, store: Store): void {
	const values = sendable(chosen);
	for (const [mark, spent] of store.spent) {
		const wanted = values.filter((value) => value.mark === mark).length;
		expect({ mark, spent: Math.max(spent, wanted) }).toEqual({ mark, spent: wanted });
	}
	if (chosen.sendsDuplicates) return;
	for (const identity of new Set(values.map((value) => value.identity))) {
		const [a = 0, b = 0] = ['a', 'b'].map((variant) => store.spent.get(`${identity}${variant}`));
		expect({ identity, spent: Math.min(2, a + b) }).not.toEqual({ identity, spent: 2 });
	}
}

/** Else the schedules miss what they are for. */
const seen = {
	schedules: 0,
	cancelled: 0,
	told: 0,
	retried: 0,
	requests: 0,
	together: 0,
	many: 0,
};

async function follow(chosen: Schedule): Promise<void> {
	seen.schedules += 1;
	await useN8nStore();
	const store = createStore();
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
			// What was under way with it may still arrive.
			const max = execution.stoppedAt + chosen.parallelRequests - 1;
			expect(received.length).toBeLessThanOrEqual(max);
			if (outcome.main.length + outcome.errors.length === 0) return;
			seen.told += 1;
			// The error is n8n's word about the stop; the items are the node's.
			const { main, errors, hints, run } = outcome;
			compare(chosen, store, { main, errors, hints, run });
			return;
		}
		compare(chosen, store, outcome);
		if (outcome.main.some(({ json }) => 'rows' in json)) seen.together += 1;
		if ([...outcome.main, ...outcome.errors].some(hasCounts)) seen.many += 1;
		if (!outcome.error) return;
		seen.retried += 1;
		const before = received.length;
		const after = savedOf(outcome);
		const again = await start({ ...setupOf(chosen, chosen.nextBatchSize), after }).done;
		nothingTwice(chosen, store);
		compare(chosen, store, again);
		seen.requests += received.length - before;
	} finally {
		forget();
	}
}

const hasCounts = ({ json }: Outcome['main'][number]): boolean =>
	'counts' in ((json['details'] ?? {}) as object);

it('tells of every row what became of it, and sends none twice, whatever fails', async () => {
	await fc.assert(fc.asyncProperty(schedule, follow), propertyRuns(500));
	// Else the schedules miss what they are for.
	const { schedules } = seen;
	expect(schedules).toBeGreaterThanOrEqual(100);
	expect(seen.told).toBeGreaterThan(schedules / 25);
	expect(seen.retried).toBeGreaterThan(schedules / 10);
	expect(seen.requests).toBeGreaterThan(schedules * 2);
	expect(seen.together).toBeGreaterThan(schedules / 10);
	expect(seen.many).toBeGreaterThan(schedules / 20);
}, 600_000);
