import fc from 'fast-check';
import type { HttpResult } from '../../../../src/core/http';
import type { Run } from '../../../../src/core/operation';
import { createBatch, upsertBatch } from '../../../../src/customers/batch';
import type { Sent } from '../../../support/fakeRuntime';
import {
	fakeDedupeStore,
	fakeRuntime,
	jsonLedger,
	jsonState,
	lost,
	neverSent,
	reply,
} from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { outcomeOf, runRows } from '../../../support/runRows';

/** What the service does with a request, and whether it stores its customers. */
const faults = {
	fine: { stores: true, response: reply(200, { jobId: 'job' }) },
	refused: {
		stores: false,
		response: reply(400, { code: 'BAD_REQUEST', message: 'no', issues: [] }),
	},
	lostBefore: { stores: false, response: lost() },
	lostAfter: { stores: true, response: lost() },
	failedAfter: { stores: true, response: reply(500) },
	tooLarge: { stores: false, response: reply(413) },
	unreachable: { stores: false, response: neverSent() },
	broken: { stores: true, response: reply(200, '{"jobId') },
} as const satisfies Record<string, { stores: boolean; response: HttpResult }>;

type Fault = keyof typeof faults;

/** One run of the workflow: its export, its settings, and what goes wrong. */
interface Step {
	readonly customers: ReadonlyArray<{ readonly n: number; readonly name: string }>;
	readonly faults: readonly Fault[];
	readonly killed: 'no' | 'whileSending' | 'beforeSaving';
	readonly state: 'kept' | 'lost' | 'damaged';
	/** How the columns are mapped. */
	readonly mapping: string;
	readonly duplicates: 'keepFirst' | 'keepLast' | 'sendAll';
	readonly skipUnchanged: boolean;
	readonly operation: 'upsertBatch' | 'createBatch';
	readonly outputAs: 'rows' | 'run';
	readonly workspace: string;
	/** Whether the run begins while the one before has not ended. */
	readonly overlaps: boolean;
	readonly minutesLater: number;
}

const often = <T>(usual: T, ...others: T[]) =>
	fc.constantFrom(usual, usual, usual, usual, ...others);
const step: fc.Arbitrary<Step> = fc.record({
	customers: fc.oneof(
		{ weight: 3, arbitrary: fc.constant([1, 2, 3, 4].map((n) => ({ n, name: 'Pat' }))) },
		fc.array(fc.record({ n: fc.nat(6), name: often('Pat', 'Pat Bo') }), { maxLength: 7 }),
	),
	faults: fc.oneof(
		fc.constant<Fault[]>([]),
		fc.array(fc.constantFrom(...(Object.keys(faults) as Fault[])), { maxLength: 6 }),
	),
	killed: often<Step['killed']>('no', 'whileSending', 'beforeSaving'),
	state: often<Step['state']>('kept', 'lost', 'damaged'),
	mapping: often('', '', 'Dr. '),
	duplicates: fc.constantFrom('keepFirst', 'keepLast', 'sendAll'),
	skipUnchanged: often(true, true, false),
	operation: often<Step['operation']>('upsertBatch', 'upsertBatch', 'createBatch'),
	// The item for a run only counts the customers that are skipped.
	outputAs: fc.constantFrom('rows', 'rows', 'rows', 'run'),
	workspace: often('one', 'one', 'two'),
	overlaps: fc.constantFrom(true, false, false),
	minutesLater: fc.constantFrom(1, 60, 1440, 1440, 1440),
});

const operations = { createBatch, upsertBatch };

/** What a killed process does: it answers nothing more. */
const never = new Promise<never>(() => undefined);

interface Customer {
	readonly identifier: string;
}

/** A run that was started; `before` is what the service had when it decided what to skip. */
interface Started {
	readonly run: Promise<Run | undefined>;
	readonly before: () => ReadonlyMap<string, string>;
	readonly save: () => void;
}

/** A node over many executions: the service, n8n's store and its saved state outlive each of them. */
function createHistory() {
	const service = new Map<string, string>();
	const entries = new Set<string>();
	let saved: string | undefined;
	let nowMs = Date.UTC(2026, 0, 15);

	/** Starts a run on what was saved before; its end saves what it leaves behind. */
	function start(each: Step): Started {
		nowMs += (each.overlaps ? 1 : each.minutesLater) * 60_000;
		const loaded = { kept: saved, lost: undefined, damaged: saved?.slice(0, 20) };
		const text = loaded[each.state];
		const { state, saved: left } = jsonState(
			each.state === 'damaged' && text !== undefined ? JSON.stringify(text) : text,
		);
		const world = fakeRuntime(
			(sent: Sent, number) => {
				const fault = faults[each.faults[number - 1] ?? 'fine'];
				const body = sent.body as { readonly customers: readonly Customer[] };
				if (fault.stores)
					for (const customer of body.customers)
						service.set(`${each.workspace} ${customer.identifier}`, JSON.stringify(customer));
				return fault.response;
			},
			{ start: nowMs, latency: 5 },
		);
		const killAt = each.killed === 'whileSending' ? 2 : Infinity;
		const store = fakeDedupeStore(entries);
		/** What the service had when the run decided what to skip. */
		let before: ReadonlyMap<string, string> | undefined;
		const alone: typeof store.alone = async (work) =>
			await store.alone(async (names) => {
				before ??= new Map(service);
				return await work(names);
			});
		const context = {
			...world.context(jsonLedger(), { ...store, alone }, 0, state),
			account: each.workspace,
		};
		const { client } = context;
		const run = runRows(operations[each.operation], rowsOf(each), {
			...context,
			client: {
				...client,
				deliver: async (...all) => {
					const delivery = await client.deliver(...all);
					return world.sent.length >= killAt ? await never : delivery;
				},
			},
		});
		const save = () => {
			if (each.killed === 'no') saved = left();
		};
		return {
			run: each.killed === 'whileSending' ? Promise.race([run, gone(world)]) : run,
			before: () => before ?? service,
			save,
		};
	}

	const gone = async ({ runtime }: ReturnType<typeof fakeRuntime>): Promise<undefined> => {
		await runtime.sleep(3_600_000);
		return undefined;
	};

	return { service, start, hasEntries: () => entries.size > 0 };
}

const rowsOf = (each: Step) =>
	each.customers.map(({ n, name }) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `C-${n}`, name: `${each.mapping}${name}` },
			options: {
				batchSize: 2,
				duplicates: each.duplicates,
				skipUnchanged: each.skipUnchanged,
				outputAs: each.outputAs,
			},
		},
	}));

const bodyOf = (each: Step, { n, name }: Step['customers'][number]): string =>
	JSON.stringify({
		source: { method: 'api' },
		identifier: `C-${n}`,
		name: `${each.mapping}${name}`,
	});

/** The customers of an export as they should be with the service. */
function wanted(each: Step): ReadonlyMap<string, string> {
	const rows = each.duplicates === 'keepFirst' ? [...each.customers].reverse() : each.customers;
	return new Map(rows.map((row) => [`${each.workspace} C-${row.n}`, bodyOf(each, row)]));
}

interface Ended {
	readonly run: Run | undefined;
	readonly before: ReadonlyMap<string, string>;
}

/** The rows that a run calls unchanged. */
const unchangedRows = ({ rows }: Run): number[] =>
	rows.flatMap((row, i) => (outcomeOf(row) === 'unchanged' ? [i + 1] : []));

it('skips no customer that differs, and a run without faults leaves the service with the export', async () => {
	let skipped = 0;
	let histories = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
			histories += 1;
			const history = createHistory();
			const check = (each: Step, { run, before }: Ended, isAlone: boolean) => {
				if (!run) return;
				for (const row of unchangedRows(run)) {
					skipped += 1;
					const customer = each.customers[row - 1] ?? { n: -1, name: '' };
					const kept = before.get(`${each.workspace} C-${customer.n}`);
					if (each.duplicates !== 'sendAll') expect(kept).toBe(bodyOf(each, customer));
				}
				if (!isAlone || each.faults.length > 0 || each.killed === 'whileSending') return;
				for (const [id, body] of wanted(each)) expect(history.service.get(id)).toBe(body);
			};
			for (let i = 0; i < steps.length; i++) {
				const each = steps[i] as Step;
				const next = steps[i + 1];
				const one = history.start(each);
				// A run without the option is not known to the first one with it.
				const isKnown = each.skipUnchanged && each.operation === 'upsertBatch';
				if (next?.overlaps && (isKnown || history.hasEntries())) {
					const other = history.start(next);
					check(each, { run: await one.run, before: one.before() }, false);
					check(next, { run: await other.run, before: other.before() }, false);
					// Executions end in either order.
					for (const { save } of next.minutesLater > 60 ? [one, other] : [other, one]) save();
					i++;
					continue;
				}
				check(each, { run: await one.run, before: one.before() }, true);
				one.save();
			}
		}),
		propertyRuns(250),
	);
	// A few histories alone may skip next to none.
	expect(skipped).toBeGreaterThan(0.45 * (histories - 25));
}, 600_000);
