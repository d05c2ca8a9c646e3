import fc from 'fast-check';
import { calls, createBatch, mapped, upsertBatch } from './panel';
import type { Setup } from './runNode';
import type { Received, Scripted } from './service';

/** A fault of a bulk request; 'tooLarge' accepts up to `max` rows. */
interface Fault {
	readonly kind: keyof typeof rules;
	readonly max: number;
}

interface Rule {
	/** Whether the rows are stored. */
	readonly stores: boolean;
	/** Whether the client can know that they were not. */
	readonly refuses?: boolean;
	readonly response: Scripted;
}

const refusal = { message: 'Invalid input data', code: 'BAD_REQUEST' };
const issues = [{ path: ['rows', 0, 'name'], message: 'Bad' }];
const reset: Scripted = { broken: 'ECONNRESET' };

const rules = {
	ok: { stores: true, response: { status: 200, body: { jobId: 'job-1' } } },
	empty: { stores: true, response: { status: 200 } },
	malformed: { stores: true, response: { status: 200, body: '{"jobId' } },
	refused: { stores: false, refuses: true, response: { status: 400, body: refusal } },
	named: { stores: false, refuses: true, response: { status: 400, body: { ...refusal, issues } } },
	tooLarge: { stores: false, refuses: true, response: { status: 413 } },
	forbidden: { stores: false, refuses: true, response: { status: 403 } },
	limitedForLong: {
		stores: false,
		refuses: true,
		response: { status: 429, headers: { 'retry-after': '900' } },
	},
	timedOut: { stores: true, response: { status: 408 } },
	failed: { stores: false, response: { status: 500 } },
	failedAfter: { stores: true, response: { status: 500 } },
	resetBefore: { stores: false, response: reset },
	resetAfter: { stores: true, response: reset },
	limitedBriefly: {
		stores: false,
		refuses: true,
		response: { status: 429, headers: { 'retry-after': '0.001' } },
	},
} as const satisfies Readonly<Record<string, Rule>>;

interface SentRow {
	readonly name?: string;
	readonly dynamicVariables?: { readonly mark: string };
}

/** A service that counts per mark the rows it stored, and the rows it accepted or may have accepted. */
export function createStore() {
	const stored = new Map<string, number>();
	const spent = new Map<string, number>();
	const add = (counts: Map<string, number>, mark: string) =>
		counts.set(mark, (counts.get(mark) ?? 0) + 1);
	function response({ body }: Received, fault: Fault): Scripted {
		const lists = body as { customers?: SentRow[]; conversations?: SentRow[] };
		const rows = lists.customers ?? lists.conversations ?? [];
		const fits = fault.kind === 'tooLarge' && rows.length <= fault.max;
		const rule: Rule = rules[fits ? 'ok' : fault.kind];
		for (const { name, dynamicVariables } of rows) {
			const mark = name ?? dynamicVariables?.mark ?? '';
			if (rule.stores) add(stored, mark);
			if (!rule.refuses) add(spent, mark);
		}
		return rule.response;
	}
	return { stored, spent, response };
}

/** One row; those with the same mark are the same in everything, those with the same identity only in that. */
export interface Value {
	readonly identity: number;
	readonly mark: string;
	readonly valid: boolean;
}

/** An execution of a bulk operation, and what happens to it. */
export type Schedule = typeof schedule extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** A row as the workflow gives it to the node. */
export const inputOf = ({ identity, mark, valid }: Value) => ({
	id: `C-${identity}`,
	phone: valid ? `+1415555${1000 + identity}` : '212-555-0196',
	mark,
});

/** Faults of a request that cost almost no time. */
const ordinary: fc.Arbitrary<Fault> = fc.oneof(
	fc
		.constantFrom<Fault['kind']>(
			'ok',
			'refused',
			'named',
			'forbidden',
			'limitedForLong',
			'timedOut',
			'failed',
			'failedAfter',
			'resetAfter',
			'resetBefore',
			'malformed',
			'empty',
			'limitedBriefly',
		)
		.map((kind) => ({ kind, max: 0 })),
	fc.integer({ min: 1, max: 3 }).map((max) => ({ kind: 'tooLarge' as const, max })),
);

/** Faults after which a client sends an upsert again, after a real pause. */
const LOST: ReadonlyArray<Fault['kind']> = [
	'timedOut',
	'failed',
	'failedAfter',
	'resetAfter',
	'resetBefore',
];

const value = (max: number): fc.Arbitrary<Value> =>
	fc
		.record({
			identity: fc.integer({ min: 0, max: max }),
			variant: fc.constantFrom('a', 'b'),
			valid: fc.constantFrom(true, true, true, true, true, true, false),
		})
		.map(({ identity, variant, valid }) => ({ identity, mark: `${identity}${variant}`, valid }));

/** Any execution. */
export const schedule = fc
	.record({
		operation: fc.constantFrom('conversation', 'insert', 'upsert'),
		rows: fc
			.integer({ min: 1, max: 20 })
			.chain((max) => fc.array(value(max), { minLength: 1, maxLength: 16, size: 'max' })),
		batchSize: fc.integer({ min: 1, max: 5 }),
		parallelRequests: fc.integer({ min: 1, max: 3 }),
		partial: fc.boolean(),
		invalidRows: fc.constantFrom('sendValid', 'sendValid', 'sendValid', 'stop'),
		onError: fc.constantFrom(
			'stopWorkflow',
			'stopWorkflow',
			'continueRegularOutput',
			'continueErrorOutput',
		),
		maxTries: fc.constantFrom(1, 1, 2, 5),
		/** The faults of the requests in order; later requests succeed. */
		faults: fc.array(ordinary, { minLength: 2, maxLength: 8 }),
		/** The number of the request that stops the workflow. */
		cancelAt: fc.constantFrom(undefined, undefined, undefined, undefined, 1, 2, 3, 4),
		/** The batch size of the retry of the failed execution. */
		nextBatchSize: fc.integer({ min: 1, max: 5 }),
	})
	.map((chosen) => ({
		...chosen,
		// A further try sends all upserts again.
		...(chosen.operation === 'upsert' && {
			maxTries: 1,
			faults: chosen.faults.filter(({ kind }) => !LOST.includes(kind)),
		}),
	}));

function parametersOf({ operation, partial }: Schedule) {
	const variables = [{ name: 'mark', value: '={{ $json.mark }}' }];
	if (operation === 'conversation') return { ...calls, dynamicVariables: { variables } };
	const customer = mapped({
		identifier: '={{ $json.id }}',
		phoneNumber: '={{ $json.phone }}',
		name: '={{ $json.mark }}',
	});
	return operation === 'insert'
		? { ...createBatch, partial, customer }
		: { ...upsertBatch, customer };
}

/** The node of a schedule, in a workflow that gives it the rows. */
export function setupOf(chosen: Schedule, batchSize = chosen.batchSize): Setup {
	const { onError, maxTries, parallelRequests, invalidRows } = chosen;
	return {
		rows: chosen.rows.map(inputOf),
		settings: {
			onError,
			// n8n takes a pause of 0 for its default of a second.
			...(maxTries > 1 && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
		},
		parameters: {
			...parametersOf(chosen),
			options: {
				batching: { batch: { batchSize, parallelRequests } },
				invalidRows,
			},
		},
	};
}
