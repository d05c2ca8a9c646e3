import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { Label } from '../../src/core/describeFailure';
import { describeFailure } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { RowResult, Run } from '../../src/core/operation';
import { DO_NOT_REPEAT, listFacts, isTool } from './errors';

type Json = INodeExecutionData['json'];

/** The items of a run in the order of its rows, with the failures that are shown as items. */
export function toItems(
	context: IExecuteFunctions,
	run: Run,
	labelOf: (item: number) => Label,
): INodeExecutionData[] {
	const continues = context.continueOnFail();
	const node = context.getNode();
	const items: INodeExecutionData[] = [];
	if (run.runItem) {
		const pairedItem = Array.from(run.rows.keys(), (item) => ({ item }));
		items.push({ json: asJson(run.runItem), pairedItem });
	}
	for (const [item, result] of run.rows.entries()) {
		// One object for all items of a row: there may be a million of them.
		const pairedItem = { item };
		for (const json of result.items) items.push({ json: asJson(json), pairedItem });
		const { failure, failureItem, isShown = false } = result;
		// The item for the run counts the rows that the user left out.
		if (!failure || (run.runItem && failure.kind === 'leftOut')) continue;
		const label = labelOf(item);
		// A node with an output for errors gives invalid rows there, but not those of a dry run.
		if (isShown && !(continues && failureItem?.['dryRun'] === undefined)) {
			if (run.runItem) continue;
			const { message: reason } = describeFailure(failure, label);
			items.push({ json: { ...failureItem, reason } as Json, pairedItem });
		} else if (continues) {
			const json = errorJson(result, failure, { item, label, asTool: isTool(node) });
			items.push(Object.assign(withRoute(node), { json, pairedItem }));
		}
	}
	if (run.columns) alignColumns(items, run.columns);
	return items;
}

/** Nests a response with a top-level `error`, because n8n treats that as a failure and re-runs the node. */
const asJson = (item: object): Json =>
	(Object.hasOwn(item, 'error') ? { response: item } : item) as Json;

interface Place {
	readonly item: number;
	readonly label: Label;
	readonly asTool: boolean;
}

/** The error item of an input row. Only this shape keeps its details and reaches the error output. */
function errorJson(result: RowResult, failure: Failure, { item, label, asTool }: Place): Json {
	const { message, advice } = describeFailure(failure, label);
	const outcome = result.failureItem?.['outcome'];
	const isFinal = asTool && outcome === 'unknown';
	const details = {
		row: item + 1,
		...(outcome !== undefined && { outcome, reason: message }),
		kind: failure.kind,
		...result.failureItem,
		...listFacts(failure),
	};
	return {
		error: `${isFinal ? DO_NOT_REPEAT : ''}Row ${item + 1}: ${message}`,
		message: advice ?? '',
		details,
	} as unknown as Json;
}

/**
 * The prototype of error items, which routes them to the error output of every n8n version.
 * n8n deletes the details of an item with its own `error`. An inherited `error` routes the item and is not copied.
 */
function withRoute(node: INode): object {
	if (node.onError !== 'continueErrorOutput') return {};
	const error = new NodeOperationError(node, 'The row failed', { itemIndex: 0 });
	return Object.create({ error }) as object;
}

/** The last column: it is the same in every row. */
const LAST = 'dryRun';

/** Gives all items of rows the same columns, because a table shows the columns of its first row. */
function alignColumns(items: readonly INodeExecutionData[], leading: readonly string[]): void {
	const rows = items.filter(({ json }) => 'row' in json && 'outcome' in json);
	// The widest item decides the order.
	const columns = new Set<string>(leading);
	let widest: readonly string[] = [];
	const all = new Set<string>();
	for (const { json } of rows) {
		const names = Object.keys(json);
		if (names.length > widest.length) widest = names;
		for (const name of names) all.add(name);
	}
	for (const name of [...widest, ...all]) if (name !== LAST) columns.add(name);
	if (all.has(LAST)) columns.add(LAST);
	const names = [...columns];
	for (const item of rows) {
		const json: Json = {};
		for (const name of names) json[name] = item.json[name] ?? (name in item.json ? null : '');
		item.json = json;
	}
}
