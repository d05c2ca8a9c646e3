import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { createClient } from '../../src/core/client';
import type { InputError } from '../../src/core/failures';
import type { Desk, Ledger, Operation, Row, Run } from '../../src/core/operation';
import type { World } from '../../src/core/client';
import type { Result } from '../../src/core/result';
import { fail } from '../../src/core/result';
import { errorItem, errorRoute, runError, skippedItem } from './errors';
import { labelIn } from './labels';
import { memoryOf } from './memory';
import type { ReadRow } from './parameters';
import { rowReader, tryingReader } from './parameters';
import { connect } from './transport';

/** Runs an operation over all input rows: items that went well, and for each row that failed one error item or one error for all. */
export async function execute(
	context: IExecuteFunctions,
	operation: Operation,
	properties: readonly INodeProperties[],
): Promise<INodeExecutionData[]> {
	const continues = context.continueOnFail();
	const reader = rowReader(context, properties);
	const read = continues ? tryingReader(reader) : reader;
	const count = context.getInputData().length;
	const rows = rowsRead(count, read);
	const world = continues ? await tryConnect(context) : await connect(context);
	const started = async (desk: Desk) =>
		continues ? await tryRun(operation, { rows, count }, desk) : await operation.run(rows, desk);
	const run = world.ok
		? await started(deskOf(context, world.value))
		: allFail(count, world.failure);
	const again = tryingReader(reader);
	const labelOf = (item: number) => labelIn(properties, () => parametersOf(again(item)));
	if (!continues) {
		const error = runError.call(context, run, labelOf);
		if (error) throw error;
	}
	if (run.summary !== undefined)
		context.addExecutionHints({ message: run.summary, location: 'outputPane' });
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
		const failed = continues ? errorItem(result, item, labelOf(item)) : skippedItem(result, item);
		if (failed) items.push(routed(failed));
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
async function tryConnect(context: IExecuteFunctions): Promise<Result<World, InputError>> {
	try {
		return await connect(context);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return fail({
			kind: 'input',
			problems: [{ path: ['credential'], message: `could not be read: ${message}` }],
		});
	}
}

/** Should the node itself have a mistake, each row says so, and that it may have been sent: nothing may be thrown here either. */
async function tryRun(
	operation: Operation,
	{ rows, count }: { rows: Iterable<Row>; count: number },
	desk: Desk,
): Promise<Run> {
	try {
		return await operation.run(rows, desk);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const message = `It is not known whether this was sent, because the node itself failed (${reason}). Check in the service, and report this to the maintainers of the node`;
		const result = {
			items: [],
			failure: { kind: 'held', message },
			details: { outcome: 'unknown' },
		} as const;
		return { rows: Array.from({ length: count }, () => result) };
	}
}

/** Rows are read when they are asked for, so that their parameters are not kept: there may be a hundred thousand. */
function* rowsRead(count: number, read: ReadRow): Generator<Row, void, undefined> {
	for (let item = 0; item < count; item += 1) yield read(item);
}

const parametersOf = (row: Row): unknown => ('parameters' in row ? row.parameters : {});

const allFail = (count: number, failure: InputError): Run => ({
	rows: Array.from({ length: count }, () => ({ items: [], failure })),
});

const deskOf = (context: IExecuteFunctions, world: World) => ({
	client: createClient(world),
	zone: context.getTimezone(),
	now: world.now,
	sleep: world.sleep,
	stopped: world.stopped,
	ledger: ledgerOf(context),
	memory: memoryOf(context),
});

/** The ledger of this run in the node's own context, which survives Retry On Fail and the retry of a saved execution. */
function ledgerOf(context: IExecuteFunctions): Ledger {
	const memory = context.getContext('node');
	const name = `ledger:${String(context.getWorkflowDataProxy(0)['$runIndex'])}`;
	const kept = () => memory[name] as Record<string, unknown> | undefined;
	return {
		recall: (key) => kept()?.[key],
		record: (key, value) => {
			if (value === undefined) delete kept()?.[key];
			else ((memory[name] ??= {}) as Record<string, unknown>)[key] = value;
		},
	};
}

/** n8n takes a top-level `error` for a failure and re-runs the node, so a reply that has one goes under a key. */
const asJson = (item: object): INodeExecutionData['json'] =>
	(Object.hasOwn(item, 'error') ? { response: item } : item) as INodeExecutionData['json'];
