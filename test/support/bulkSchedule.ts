import fc from 'fast-check';
import type { INode } from 'n8n-workflow';
import type { Fault } from './bulkStore';
import { calls, mapped } from './panel';
import type { Setup } from './runNode';
import { AGENT } from './samples';

/** A kind of bulk request. */
export type BulkOperation = 'conversation' | 'insert' | 'upsert';

/** Values with the same mark are the same in everything; those with the same identity only in that. */
export interface Value {
	readonly identity: number;
	readonly mark: string;
	readonly valid: boolean;
}

/** A row of fields holds one value, a row of JSON none to four. */
export type ValueRow = readonly Value[];

/** An execution of a bulk operation, and what happens to it. */
export type Schedule = typeof schedule extends fc.Arbitrary<infer Chosen> ? Chosen : never;

/** A row is refused before sending where one of its values is, or where it has none. */
export const isRefused = (row: ValueRow): boolean =>
	row.length === 0 || row.some(({ valid }) => !valid);

/** What tells the values of an identity in a request and in an item. */
export const phoneOf = ({ identity, valid }: Value): string =>
	valid ? `+1415555${1000 + identity}` : '212-555-0196';
export const identifierOf = ({ identity }: Value): string => `C-${identity}`;

/** What may go wrong with a request, as long as that costs next to no time. */
const ordinary: fc.Arbitrary<Fault> = fc.oneof(
	fc
		.constantFrom<Fault['kind']>(
			...(['ok', 'refused', 'named', 'failed', 'failedAfter', 'resetAfter'] as const),
			...(['resetBefore', 'malformed', 'empty', 'odd', 'paired', 'limitedBriefly'] as const),
		)
		.map((kind) => ({ kind, max: 0 })),
	fc.integer({ min: 1, max: 3 }).map((max) => ({ kind: 'tooLarge' as const, max })),
);

/** Faults after which no one knows whether a request did its work. */
const LOST: ReadonlyArray<Fault['kind']> = ['failed', 'failedAfter', 'resetAfter', 'resetBefore'];

/** The same run where upserts meet nothing that the client would send again after a real pause. */
const withoutPauses = <Run extends { operation: BulkOperation; faults: Fault[] }>(run: Run): Run =>
	run.operation === 'upsert'
		? { ...run, faults: run.faults.filter(({ kind }) => !LOST.includes(kind)) }
		: run;

const value = (max: number): fc.Arbitrary<Value> =>
	fc
		.record({
			identity: fc.integer({ min: 0, max: max }),
			variant: fc.constantFrom('a', 'b'),
			valid: fc.constantFrom(true, true, true, true, true, true, false),
		})
		.map(({ identity, variant, valid }) => ({ identity, mark: `${identity}${variant}`, valid }));

const rowsOf = (inputMode: 'fields' | 'json'): fc.Arbitrary<ValueRow[]> =>
	fc.integer({ min: 1, max: 20 }).chain((max) => {
		const [minLength, maxLength] = inputMode === 'fields' ? [1, 1] : [0, 4];
		const row = fc.array(value(max), { minLength, maxLength, size: 'max' });
		const rows = inputMode === 'fields' ? 12 : 6;
		return fc.array(row, { minLength: 1, maxLength: rows, size: 'max' });
	});

/** Any execution. A row of fields holds one value, a row of JSON none to four. */
export const schedule = fc
	.constantFrom('fields', 'json')
	.chain((inputMode) =>
		fc.record({
			operation: fc.constantFrom<BulkOperation>('conversation', 'insert', 'upsert'),
			inputMode: fc.constant(inputMode),
			rows: rowsOf(inputMode),
			outputAs: fc.constantFrom('rows', 'run'),
			batchSize: fc.integer({ min: 1, max: 5 }),
			parallelRequests: fc.integer({ min: 1, max: 3 }),
			...{ sendsDuplicates: fc.boolean(), partial: fc.boolean() },
			invalidRows: fc.constantFrom('sendValid', 'sendValid', 'sendValid', 'stop'),
			onError: fc.constantFrom('stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'),
			maxTries: fc.constantFrom(1, 1, 2, 3, 5),
			/** What becomes of each request, in their order; later ones go well. */
			faults: fc.array(ordinary, { maxLength: 8 }),
			/** The number of the request that stops the workflow. */
			cancelAt: fc.constantFrom(undefined, undefined, undefined, undefined, 1, 2, 3, 4),
			/** The batch size of the retry of the failed execution. */
			nextBatchSize: fc.integer({ min: 1, max: 5 }),
		}),
	)
	.map(withoutPauses);

const settingsOf = ({ onError, maxTries }: Schedule): Partial<INode> => ({
	onError,
	// n8n takes a pause of 0 for its default of a second.
	...(maxTries > 1 && { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
});

/** The node of a schedule, in a workflow that gives it the rows. */
export function setupOf(chosen: Schedule, batchSize = chosen.batchSize): Setup {
	const parameters = chosen.operation === 'conversation' ? conversations : customers;
	const rows = chosen.rows.map((row) => ({
		list: row.map((each) => ({ ...bodyOf(chosen, each) })),
	}));
	return {
		rows,
		settings: settingsOf(chosen),
		parameters: { inputMode: chosen.inputMode, ...parameters(chosen, batchSize) },
	};
}

/** A value as JSON mode takes it. */
const bodyOf = ({ operation }: Schedule, each: Value) =>
	operation === 'conversation'
		? { agentId: AGENT, toPhoneNumber: phoneOf(each), dynamicVariables: { mark: each.mark } }
		: {
				identifier: identifierOf(each),
				phoneNumber: phoneOf(each),
				// Another name without a number to compare would be another person.
				name: each.valid ? `Pat ${each.mark}` : 'Pat',
			};

const optionsOf = (chosen: Schedule, batchSize: number) => {
	const { parallelRequests, invalidRows, outputAs } = chosen;
	return {
		batching: { batch: { batchSize, parallelRequests } },
		invalidRows,
		outputAs,
	};
};

const conversations = (chosen: Schedule, batchSize: number) => ({
	...calls,
	toPhoneNumber: '={{ $json.list[0]?.toPhoneNumber }}',
	dynamicVariables: {
		variables: [{ name: 'mark', value: '={{ $json.list[0]?.dynamicVariables.mark }}' }],
	},
	conversationsJson: '={{ $json.list }}',
	options: {
		...optionsOf(chosen, batchSize),
		duplicates: chosen.sendsDuplicates ? 'sendAll' : 'keepFirst',
	},
});

const customers = (chosen: Schedule, batchSize: number) => ({
	resource: 'customer',
	operation: chosen.operation === 'insert' ? 'createBatch' : 'upsertBatch',
	dryRun: false,
	...(chosen.operation === 'insert' && { partial: chosen.partial }),
	customer: mapped({
		identifier: '={{ $json.list[0]?.identifier }}',
		phoneNumber: '={{ $json.list[0]?.phoneNumber }}',
		name: '={{ $json.list[0]?.name }}',
	}),
	customersJson: '={{ $json.list }}',
	options: {
		...optionsOf(chosen, batchSize),
		duplicates: chosen.sendsDuplicates ? 'sendAll' : 'keepFirst',
	},
});
