import fc from 'fast-check';
import type { INode, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';
import type { Fault } from '../support/bulkStore';
import { createStore } from '../support/bulkStore';
import type { Outcome, Setup } from '../support/runNode';
import { start } from '../support/runNode';
import { forget, serve } from '../support/service';

type Operation = 'conversation' | 'insert' | 'upsert';

/** Rows with the same mark are the same in every value; those with the same identity only in that. */
interface Row {
	readonly identity: number;
	readonly mark: string;
	readonly valid: boolean;
}

interface Schedule {
	readonly operation: Operation;
	readonly rows: readonly Row[];
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly sendsDuplicates: boolean;
	readonly isolateBadRows: boolean;
	readonly partial: boolean;
	readonly repeatUpserts: boolean;
	readonly invalidRows: 'stop' | 'sendValid';
	readonly onError: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
	readonly maxTries: number;
	/** What becomes of each request, in their order; later ones go well. */
	readonly faults: readonly Fault[];
	/** The number of the request that stops the workflow. */
	readonly cancelAt: number | undefined;
	/** The batch size of the retry of the failed execution. */
	readonly nextBatchSize: number;
}

const agentId = '0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40';

const ordinary: fc.Arbitrary<Fault> = fc.oneof(
	fc
		.constantFrom<Fault['kind']>(
			...(['ok', 'refused', 'named', 'failed', 'failedAfter', 'resetAfter'] as const),
			...(['resetBefore', 'malformed', 'empty', 'odd'] as const),
		)
		.map((kind) => ({ kind, most: 0 })),
	fc.integer({ min: 1, max: 3 }).map((most) => ({ kind: 'tooLarge' as const, most })),
);

/** What the client answers by sending the same request again after a real pause. */
const passing: fc.Arbitrary<Fault> = fc
	.constantFrom<Fault['kind']>('limited', 'closed', 'failedAfter', 'resetAfter')
	.map((kind) => ({ kind, most: 0 }));

const row = (most: number): fc.Arbitrary<Row> =>
	fc
		.record({
			identity: fc.integer({ min: 0, max: most }),
			variant: fc.constantFrom('a', 'b'),
			valid: fc.constantFrom(true, true, true, true, false),
		})
		.map(({ identity, variant, valid }) => ({ identity, mark: `${identity}${variant}`, valid }));

const schedule = (fault: fc.Arbitrary<Fault>, repeatUpserts: boolean): fc.Arbitrary<Schedule> =>
	fc.record({
		operation: fc.constantFrom<Operation>('conversation', 'insert', 'upsert'),
		rows: fc
			.integer({ min: 1, max: 20 })
			.chain((most) => fc.array(row(most), { minLength: 1, maxLength: 12, size: 'max' })),
		batchSize: fc.integer({ min: 1, max: 5 }),
		parallelRequests: fc.integer({ min: 1, max: 3 }),
		sendsDuplicates: fc.boolean(),
		isolateBadRows: fc.boolean(),
		partial: fc.boolean(),
		repeatUpserts: fc.constant(repeatUpserts),
		invalidRows: fc.constantFrom('sendValid', 'sendValid', 'sendValid', 'stop'),
		onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
		maxTries: fc.constantFrom(1, 1, 2, 3, 5),
		faults: fc.array(fault, { maxLength: 8 }),
		cancelAt: fc.constantFrom(undefined, undefined, undefined, undefined, 1, 2, 3, 4),
		nextBatchSize: fc.integer({ min: 1, max: 5 }),
	});

const settingsOf = ({ onError, maxTries }: Schedule): Partial<INode> => ({
	onError,
	// n8n takes a pause of 0 for its default of a second.
	...(maxTries > 1 && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
});

function setupOf(chosen: Schedule, batchSize = chosen.batchSize): Setup {
	const { operation, sendsDuplicates, parallelRequests, invalidRows } = chosen;
	const shared = { batchSize, parallelRequests, invalidRows };
	const rows = chosen.rows.map(({ identity, mark, valid }) => ({
		phone: valid ? `+1415555${1000 + identity}` : '212-555-0196',
		id: `C-${identity}`,
		mark,
	}));
	if (operation === 'conversation') {
		return {
			rows,
			settings: settingsOf(chosen),
			parameters: {
				resource: 'conversation',
				operation: 'create',
				agentId,
				toPhoneNumber: '={{ $json.phone }}',
				dynamicVariables: { variables: [{ name: 'mark', value: '={{ $json.mark }}' }] },
				options: { ...shared, duplicates: sendsDuplicates ? 'callEvery' : 'callOnce' },
			},
		};
	}
	return {
		rows,
		settings: settingsOf(chosen),
		parameters: {
			resource: 'customer',
			operation: 'createBatch',
			strategy: operation,
			...(operation === 'insert' && { partial: chosen.partial }),
			customer: {
				mappingMode: 'defineBelow',
				value: {
					identifier: '={{ $json.id }}',
					phoneNumber: '={{ $json.phone }}',
					name: '={{ $json.mark }}',
				},
				schema: [],
				matchingColumns: [],
				attemptToConvertTypes: false,
				convertFieldsToString: false,
			},
			options: {
				...shared,
				duplicates: sendsDuplicates ? 'sendAll' : 'keepFirst',
				isolateBadRows: chosen.isolateBadRows,
				repeatUpserts: chosen.repeatUpserts,
			},
		},
	};
}

/** What the output says about each input row, in their order. */
function toldOf(chosen: Schedule, { main, errors, error }: Outcome): string[] {
	expect(error).toBeUndefined();
	const told = chosen.rows.map((): string[] => []);
	const tell = ({ json, pairedItem }: INodeExecutionData, failed: boolean) => {
		const { item } = pairedItem as { item: number };
		const details = json['details'] as { row: number; outcome: string } | undefined;
		expect(typeof (json as { error?: unknown }).error).toBe(failed ? 'string' : 'undefined');
		if (failed) expect(details?.row).toBe(item + 1);
		else expect(json['outcome']).toBe('accepted');
		told[item]?.push(details?.outcome ?? 'accepted');
	};
	const apart = chosen.onError === 'continueErrorOutput';
	for (const item of main) tell(item, !apart && item.json['outcome'] !== 'accepted');
	for (const item of errors) tell(item, true);
	expect(told.map((outcomes) => outcomes.length)).toEqual(chosen.rows.map(() => 1));
	return told.flat();
}

/** The counts in the error of a run, or in its hint where it has none. */
function countsOf(chosen: Schedule, { error, hints }: Outcome): Record<string, number> {
	const text = error ? `${error.message} ${error.description ?? ''}` : hints.join(' ');
	const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(text)?.[1] ?? 0);
	const counts = {
		accepted: count('accepted'),
		rejected: count('rejected by the service') + count('rejected before sending'),
		unknown: count('unknown'),
		notSent: count('not sent'),
	};
	expect(text).toContain(`${chosen.rows.length} row`);
	expect(Object.values(counts).reduce((sum, number) => sum + number, 0)).toBe(chosen.rows.length);
	return counts;
}

type Store = ReturnType<typeof createStore>;

/** Holds what is said about the rows against what the service stored of them. */
function compare(chosen: Schedule, store: Store, outcome: Outcome): void {
	const stops = chosen.onError === 'stopWorkflow';
	if (outcome.error && chosen.rows.length === 1) return;
	const counts = countsOf(chosen, outcome);
	const repeats = chosen.operation === 'upsert' && chosen.repeatUpserts;
	const marks = new Set(chosen.rows.map(({ mark }) => mark));
	const stored = (mark: string) => store.stored.get(mark) ?? 0;
	if (!repeats) {
		const all = [...marks].reduce((sum, mark) => sum + stored(mark), 0);
		expect(all).toBeGreaterThanOrEqual(counts['accepted'] ?? 0);
		expect(all).toBeLessThanOrEqual((counts['accepted'] ?? 0) + (counts['unknown'] ?? 0));
	}
	if (stops) {
		if (outcome.error) return;
		// Only rows that were left out by choice do not stop a node, and only as duplicates here.
		const words = outcome.main.map(({ json }) => String(json['outcome']));
		expect(words).toHaveLength(chosen.rows.length);
		expect(words.filter((word) => word === 'accepted')).toHaveLength(counts['accepted'] ?? 0);
		expect(words.filter((word) => word === 'notSent')).toHaveLength(counts['notSent'] ?? 0);
		if (chosen.sendsDuplicates) expect(counts['notSent']).toBe(0);
		return;
	}
	const told = toldOf(chosen, outcome);
	for (const name of ['accepted', 'rejected', 'unknown', 'notSent'])
		expect([name, told.filter((word) => word === name).length]).toEqual([name, counts[name]]);
	for (const mark of marks) {
		const words = told.filter((_, i) => chosen.rows[i]?.mark === mark);
		const accepted = words.filter((word) => word === 'accepted').length;
		const unknown = words.filter((word) => word === 'unknown').length;
		if (repeats) {
			if (accepted > 0) expect(stored(mark)).toBeGreaterThan(0);
		} else {
			expect(stored(mark)).toBeGreaterThanOrEqual(accepted);
			expect(stored(mark)).toBeLessThanOrEqual(accepted + unknown);
		}
	}
}

/** Nothing goes more often than its rows stand there, and duplicates only where that is wanted. */
function nothingTwice(chosen: Schedule, store: Store): void {
	if (chosen.operation === 'upsert' && chosen.repeatUpserts) return;
	for (const [mark, spent] of store.spent) {
		const wanted = chosen.rows.filter((one) => one.valid && one.mark === mark).length;
		expect({ mark, spent: Math.max(spent, wanted) }).toEqual({ mark, spent: wanted });
	}
	if (chosen.sendsDuplicates) return;
	for (const identity of new Set(chosen.rows.map((one) => one.identity))) {
		const [a = 0, b = 0] = ['a', 'b'].map((variant) => store.spent.get(`${identity}${variant}`));
		expect({ identity, spent: Math.min(2, a + b) }).not.toEqual({ identity, spent: 2 });
	}
}

/** The saved data of a failed execution, as "Retry" goes on with it. */
function savedOf({ run }: Outcome): IRunExecutionData {
	const saved = JSON.parse(JSON.stringify(run.data)) as IRunExecutionData;
	const resultData = { ...saved.resultData };
	delete resultData.error;
	resultData.runData['Desk']?.pop();
	return { ...saved, resultData };
}

const seen = { schedules: 0, cancelled: 0, told: 0, retried: 0, requests: 0 };

async function follow(chosen: Schedule): Promise<void> {
	seen.schedules += 1;
	const store = createStore();
	const execution: { cancel?: () => void; stoppedAt?: number } = {};
	const received = serve((request, number) => {
		const fault = chosen.faults[number - 1] ?? { kind: 'ok', most: 0 };
		if (number === chosen.cancelAt) {
			execution.stoppedAt = number;
			execution.cancel?.();
		}
		return store.answer(request, fault);
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
			const most = execution.stoppedAt + chosen.parallelRequests - 1;
			expect(received.length).toBeLessThanOrEqual(most);
			if (outcome.main.length + outcome.errors.length === 0) return;
			seen.told += 1;
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
		const again = await start({ ...setupOf(chosen, chosen.nextBatchSize), after }).done;
		nothingTwice(chosen, store);
		compare(chosen, store, again);
		seen.requests += received.length - before;
	} finally {
		forget();
	}
}

it('tells of every row what became of it, and sends none twice, whatever fails', async () => {
	await fc.assert(fc.asyncProperty(schedule(ordinary, false), follow), { numRuns: 1_000 });
	expect(seen.schedules).toBeGreaterThanOrEqual(1_000);
	// Else the schedules miss what they are for.
	expect(seen.told).toBeGreaterThan(20);
	expect(seen.retried).toBeGreaterThan(50);
	expect(seen.requests).toBeGreaterThan(1_000);
}, 120_000);

it('does so where the client sends a request again by itself', async () => {
	const small = schedule(passing, true).map((chosen) => ({
		...chosen,
		rows: chosen.rows.slice(0, 5),
		faults: chosen.faults.slice(0, 1),
		maxTries: 1,
	}));
	await fc.assert(fc.asyncProperty(small, follow), { numRuns: 12 });
}, 60_000);
