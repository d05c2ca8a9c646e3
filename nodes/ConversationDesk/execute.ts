import has from 'lodash/has';
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { RunExclusive } from '../../src/core/concurrency';
import { createLimiter } from '../../src/core/concurrency';
import type { Operation, OperationContext, Row, RowResult, Run } from '../../src/core/operation';
import { invalidRow } from '../../src/core/operation';
import { attempt, ok } from '../../src/core/result';
import type { Failure } from '../../src/core/failures';
import { operations, unknownOperation } from '../../src/operations';
import { createExplanation } from './emptyParameters';
import { adviseSlug, createHints, isTool, runError, withoutNames } from './errors';
import { toItems } from './items';
import { createLabeler } from './labels';
import { openDedupeStore } from './dedupeStore';
import type { ParameterReader } from './parameters';
import { createParameterReader } from './parameters';
import type { Connected } from './transport';
import { connect, credentialPerRow } from './transport';

/** The parameters of each operation: resource, then operation, by the names in the registry. */
export type Parameters = Readonly<Record<string, Readonly<Record<string, INodeProperties[]>>>>;

/** Runs the chosen operation on all rows. Returns items, with error items if the node continues, or throws. */
export async function execute(
	context: IExecuteFunctions,
	parameters: Parameters,
): Promise<INodeExecutionData[]> {
	const resource = context.getNodeParameter('resource', 0, '');
	const name = context.getNodeParameter('operation', 0, '');
	const operation = entry(operations, resource, name) ?? unknownOperation;
	const properties = entry(parameters, resource, name) ?? [];
	const reader = createParameterReader(context, properties, operation.rowParameters);
	const explain = createExplanation(context);
	const done = withFailures(await runOperation(context, operation, reader), (failure) =>
		failure.kind === 'input' ? { ...failure, problems: failure.problems.map(explain) } : failure,
	);
	const run = isTool(context.getNode()) ? withFailures(done, withoutNames) : done;
	const label = createLabeler(properties, () => context.getNode().parameters);
	const labelOf = () => label;
	if (!context.continueOnFail()) {
		const error = runError(context.getNode(), run, { labelOf, isFixed: reader.isFixed });
		if (error) throw error;
	}
	for (const hint of createHints(run, labelOf)) context.addExecutionHints(hint);
	return toItems(context, run, labelOf);
}

/** The own entry of a table of resources and operations; undefined for inherited names. */
export function entry<T>(
	table: Readonly<Record<string, Readonly<Record<string, T>>>>,
	resource: string,
	name: string,
): T | undefined {
	return has(table, [resource, name]) ? table[resource]?.[name] : undefined;
}

/**
 * Runs an operation. A node that continues on errors never throws, because n8n would then return its input as a success.
 */
async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
	reader: ParameterReader,
): Promise<Run> {
	const continues = context.continueOnFail();
	const tried: typeof attempt = continues ? attempt : async (call) => ok(await call());
	const count = context.getInputData().length;
	const all = (result: RowResult): Run => ({ rows: Array.from({ length: count }, () => result) });
	const connected = await tried(async () => await connect(context, operation.needs));
	if (!connected.ok) {
		const reason = `could not be read: ${connected.failure}`;
		return all(invalidRow([{ path: ['credential'], reason }]));
	}
	const runtime = connected.value;
	const refused = runtime.ok ? await credentialPerRow(context, count) : runtime.failure;
	if (!runtime.ok || refused) return all({ items: [], failure: refused });
	const run = await tried(async () => {
		const settings: Row = count > 0 ? reader.settings() : { parameters: {} };
		const rows = rowsRead(count, reader.row);
		return await operation.run({ settings, rows }, createContext(context, runtime.value));
	});
	// If the node itself fails, each row reports that it may have been sent.
	if (!run.ok) {
		const message = `The node failed unexpectedly (${run.failure}), so it is unknown whether this row was sent. Check in the service, and report this to the maintainers of the node`;
		return all({
			items: [],
			failure: { kind: 'held', message },
			failureItem: { outcome: 'unknown' },
		});
	}
	return runtime.value.hasSlug ? run.value : withFailures(run.value, adviseSlug);
}

/** Reads rows one by one, because there may be a hundred thousand. */
function* rowsRead(count: number, read: ParameterReader['row']): Generator<Row, void, undefined> {
	for (let item = 0; item < count; item += 1) yield read(item);
}

function createContext(context: IExecuteFunctions, runtime: Connected): OperationContext {
	const { now, random, signal } = runtime;
	const kept = context.getContext('node') as { ledger?: Record<string, unknown> };
	// n8n counts the tries of a tool as it counts the rounds of a loop.
	return {
		client: createClient(runtime),
		zone: context.getTimezone(),
		now,
		sleep: runtime.sleep,
		signal,
		account: JSON.stringify(runtime.account),
		round: isTool(context.getNode())
			? 0
			: Number(context.getWorkflowDataProxy(0)['$runIndex']) || 0,
		// The context of a node survives Retry On Fail and the retry of a saved execution.
		ledger: {
			recall: (key) => kept.ledger?.[key],
			record: (key, value) => {
				if (value === undefined) delete kept.ledger?.[key];
				else (kept.ledger ??= {})[key] = value;
			},
		},
		failsAsWhole: !context.continueOnFail(),
		inTurn: getContextTurns(kept),
		// Writes are completed, even when the user stops the workflow.
		dedupeStore: openDedupeStore(context, { now, random, sleep }),
		state: {
			load: () => context.getWorkflowStaticData('node')[SENT_KEY],
			save: (state) => {
				const data = context.getWorkflowStaticData('node');
				if (state !== undefined) data[SENT_KEY] = state as object;
				else if (SENT_KEY in data) delete data[SENT_KEY];
			},
		},
	};
}

/** The turns of the runs that share the context of a node, in one execution. */
const turns = new WeakMap<object, RunExclusive>();

function getContextTurns(kept: object): RunExclusive {
	const limiter = turns.get(kept) ?? createLimiter(() => 1);
	turns.set(kept, limiter);
	return limiter;
}

/** The key of the state in the static data of the node. */
const SENT_KEY = 'sent';

/** Changes the failures of a run. */
const withFailures = (run: Run, change: (failure: Failure) => Failure): Run => ({
	...run,
	rows: run.rows.map((row) => (row.failure ? { ...row, failure: change(row.failure) } : row)),
});
