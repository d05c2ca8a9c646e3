import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { InputError } from '../../src/core/failures';
import type {
	Ledger,
	Operation,
	OperationContext,
	Row,
	Run,
	SavedState,
} from '../../src/core/operation';
import type { Result } from '../../src/core/result';
import { fail } from '../../src/core/result';
import type { Label } from '../../src/core/describeFailure';
import {
	errorItem,
	errorRoute,
	failureItem,
	hintOf,
	isTool,
	runError,
	skippedItem,
	totalLoss,
	withoutNames,
} from './errors';
import { alignColumns } from './columns';
import { drawn, drawnLines } from './drawn';
import { explainEmptyColumns } from './emptyColumns';
import { labelIn } from './labels';
import { credentialPerRow } from './credentialPerRow';
import { dedupeStoreOf } from './dedupeStore';
import { adviseSlugInRows } from './missingSlug';
import type { ParameterReader } from './parameters';
import { createParameterReader, tolerant } from './parameters';
import type { Connected } from './transport';
import { connect } from './transport';

/** Runs an operation over all input rows: items that went well, and for each row that failed one error item or one error for all. */
export async function execute(
	context: IExecuteFunctions,
	operation: Operation,
	properties: readonly INodeProperties[],
): Promise<INodeExecutionData[]> {
	const continues = context.continueOnFail();
	const reader = createParameterReader(context, properties, operation.rowParameters);
	const done = explainEmptyColumns(
		await runOperation(context, operation, continues ? tolerant(reader) : reader),
		reader,
	);
	const run = isTool(context.getNode()) ? forModel(done) : done;
	const labelOf = (item: number) => labelIn(properties, () => reader.panel(item));
	if (!continues) {
		const error = runError.call(context, run, labelOf, reader.isFixed);
		if (error) throw error;
	}
	const warnings = [...(run.alarms ?? []), totalLoss(run, labelOf)];
	for (const warning of warnings)
		if (warning !== undefined)
			context.addExecutionHints({
				type: 'warning',
				message: drawn(warning),
				location: 'outputPane',
			});
	const lines = hintOf(run, labelOf);
	if (warnings.at(-1) === undefined && lines.length > 0)
		context.addExecutionHints({ message: drawnLines(lines), location: 'outputPane' });
	return alignColumns(toItems(context, run, labelOf), run.columns);
}

/** A run as a model may read it. */
const forModel = (run: Run): Run => ({
	...run,
	rows: run.rows.map((row) => (row.failure ? { ...row, failure: withoutNames(row.failure) } : row)),
});

/** Runs an operation; a node that continues on errors throws nothing, not for its credential either. */
async function runOperation(
	context: IExecuteFunctions,
	operation: Operation,
	reader: ParameterReader,
): Promise<Run> {
	const continues = context.continueOnFail();
	const count = context.getInputData().length;
	const { needs } = operation;
	const runtime = continues ? await tryConnect(context, needs) : await connect(context, needs);
	if (!runtime.ok) return allFail(count, runtime.failure);
	const varies = await credentialPerRow(context, count);
	if (varies) return allFail(count, varies);
	const start = async () => {
		const settings: Row = count > 0 ? reader.settings() : { parameters: {} };
		const rows = rowsRead(count, reader.row);
		return await operation.run({ settings, rows }, contextOf(context, runtime.value));
	};
	const run = continues ? await tryRun(start, count) : await start();
	return runtime.value.hasSlug ? run : adviseSlugInRows(run);
}

function toItems(
	context: IExecuteFunctions,
	run: Run,
	labelOf: (item: number) => Label,
): INodeExecutionData[] {
	const continues = context.continueOnFail();
	const shared = sharedItems(run);
	const routed = errorRoute(context.getNode());
	const items: INodeExecutionData[] = [];
	for (const [item, result] of run.rows.entries()) {
		const before = shared.get(item);
		if (before) items.push(...before);
		// One object for all items of a row: there may be a million of them.
		const pairedItem = { item };
		for (const json of result.items) items.push({ json: asJson(json), pairedItem });
		if (!result.failure) continue;
		// A node with an output for errors gives invalid rows there; those of a dry run are none.
		const isError = continues && result.details !== undefined;
		const shown = isError ? undefined : failureItem(result, item, labelOf(item));
		if (shown) items.push(shown);
		else {
			const failed = continues
				? errorItem(result, item, labelOf(item), isTool(context.getNode()))
				: skippedItem(result, item);
			if (failed) items.push(routed(failed));
		}
	}
	return items;
}

/** The items that belong to several rows, by the first of them, in whose place they come out. */
function sharedItems({ shared = [] }: Run): ReadonlyMap<number, INodeExecutionData[]> {
	const items = new Map<number, INodeExecutionData[]>();
	for (const { item: json, rows } of shared) {
		const [first = 0] = rows;
		const pairedItem = rows.map((item) => ({ item }));
		items.set(first, [...(items.get(first) ?? []), { json: asJson(json), pairedItem }]);
	}
	return items;
}

/** A node that continues on errors must not throw, not for its credential either: n8n would pass its input on as success. */
async function tryConnect(
	context: IExecuteFunctions,
	needs: Operation['needs'],
): Promise<Result<Connected, InputError>> {
	try {
		return await connect(context, needs);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return fail({
			kind: 'input',
			problems: [{ path: ['credential'], message: `could not be read: ${message}` }],
		});
	}
}

/** Should the node itself have a mistake, each row says so, and that it may have been sent: nothing may be thrown here either. */
async function tryRun(start: () => Promise<Run>, count: number): Promise<Run> {
	try {
		return await start();
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const message = `The node failed unexpectedly (${reason}), so it is unknown whether this row was sent. Check in the service, and report this to the maintainers of the node`;
		const result = {
			items: [],
			failure: { kind: 'held', message },
			details: { outcome: 'unknown' },
		} as const;
		return { rows: Array.from({ length: count }, () => result) };
	}
}

/** Rows are read when they are asked for, so their parameters are not kept: there may be a hundred thousand. */
function* rowsRead(count: number, read: ParameterReader['row']): Generator<Row, void, undefined> {
	for (let item = 0; item < count; item += 1) yield read(item);
}

const allFail = (count: number, failure: InputError): Run => ({
	rows: Array.from({ length: count }, () => ({ items: [], failure })),
});

function contextOf(context: IExecuteFunctions, runtime: Connected): OperationContext {
	const { now, random, signal } = runtime;
	// n8n counts the tries of a tool as it counts the rounds of a loop.
	return {
		client: createClient(runtime),
		zone: context.getTimezone(),
		now,
		sleep: runtime.sleep,
		signal,
		account: runtime.account,
		round: isTool(context.getNode())
			? 0
			: Number(context.getWorkflowDataProxy(0)['$runIndex']) || 0,
		parent: parentOf(context),
		ledger: ledgerOf(context),
		// What is being written down is finished, also when the user stops.
		dedupeStore: dedupeStoreOf(context, { now, random, sleep }),
		state: stateOf(context),
	};
}

/** Where the state stands among the static data of the node. */
const STATE = 'sent';

/** What the workflow keeps between executions. */
const stateOf = (context: IExecuteFunctions): SavedState => ({
	load: () => context.getWorkflowStaticData('node')[STATE],
	save: (state) => {
		const kept = context.getWorkflowStaticData('node');
		if (state !== undefined) kept[STATE] = state as object;
		else if (STATE in kept) delete kept[STATE];
	},
});

/** The execution that started this one as a sub-workflow; older versions of n8n do not say. */
function parentOf(context: Partial<Pick<IExecuteFunctions, 'getExecutionContext'>>) {
	return context.getExecutionContext?.()?.parentExecutionId;
}

/** The ledger of this execution in the node's own context, which survives Retry On Fail and the retry of a saved execution. */
function ledgerOf(context: IExecuteFunctions): Ledger {
	const kept = context.getContext('node');
	const entries = () => kept['ledger'] as Record<string, unknown> | undefined;
	return {
		recall: (key) => entries()?.[key],
		record: (key, value) => {
			if (value === undefined) delete entries()?.[key];
			else ((kept['ledger'] ??= {}) as Record<string, unknown>)[key] = value;
		},
	};
}

/** n8n takes a top-level `error` for a failure and re-runs the node, so a reply that has one goes under a key. */
const asJson = (item: object): INodeExecutionData['json'] =>
	(Object.hasOwn(item, 'error') ? { response: item } : item) as INodeExecutionData['json'];
