import { compact, maxBy } from 'lodash';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { DO_NOT_REPEAT, listFacts, isTool } from './errors';

type Json = INodeExecutionData['json'];

/** Converts a run to items in row order. A failed row is an error item if the node continues, or an item with its reason if `isShown`. */
export function toItems(context: IExecuteFunctions, run: Run, label: Label): INodeExecutionData[] {
	const continues = context.continueOnFail();
	const { rows, runItem, columns } = run;
	const items: INodeExecutionData[] = [];
	if (runItem) {
		const pairedItem = Array.from(rows.keys(), (item) => ({ item }));
		items.push({ json: runItem as Json, pairedItem });
	}
	for (const [index, { items: rowItems, failure, failureItem, isShown }] of rows.entries()) {
		// One object for all items of a row: there may be a million of them.
		const pairedItem = { item: index };
		for (const rowItem of rowItems) {
			// n8n treats a top-level `error` of a response as a failure, and re-runs the node.
			const json = Object.hasOwn(rowItem, 'error') ? { response: rowItem } : rowItem;
			items.push({ json: json as Json, pairedItem });
		}
		// The item for the run counts the rows that are left out or shown.
		if (!failure || (runItem && failure.kind === 'leftOut')) continue;
		// A row of a dry run is no error. Any other failed row is one, if the node continues.
		const isPreview = isShown === true && failureItem?.['dryRun'] !== undefined;
		if (continues && !isPreview) {
			const json = errorJson(context.getNode(), { row: index + 1, ...failureItem }, failure, label);
			items.push(Object.assign(emptyErrorItem(context.getNode()), { json, pairedItem }));
		} else if (isShown && !runItem) {
			const { message: reason } = describeFailure(failure, label);
			items.push({ json: { ...failureItem, reason } as Json, pairedItem });
		}
	}
	if (columns) alignColumns(items, columns);
	return items;
}

/** The error item of an input row; its `message` is the advice. Only this shape keeps its details and reaches the error output. */
function errorJson(
	node: INode,
	fields: { readonly row: number; readonly outcome?: unknown },
	failure: Failure,
	label: Label,
): Json {
	const { message, advice = '' } = describeFailure(failure, label);
	const isFinal = isTool(node) && fields.outcome === 'unknown';
	const details = {
		// Rows of batches have the columns outcome and reason.
		...(fields.outcome !== undefined && { reason: message }),
		kind: failure.kind,
		...fields,
		...listFacts(failure),
	};
	const error = `${isFinal ? DO_NOT_REPEAT : ''}Row ${fields.row}: ${message}`;
	return { error, message: advice, details } as unknown as Json;
}

/**
 * An empty error item. In a node with an error output it inherits an `error`, which routes it there in every n8n version.
 * The `error` is inherited, because n8n deletes the details of an item that has an own `error`.
 */
function emptyErrorItem(node: INode): object {
	if (node.onError !== 'continueErrorOutput') return {};
	const error = new NodeOperationError(node, 'The row failed', { itemIndex: 0 });
	return Object.create({ error }) as object;
}

/** Gives the items with an outcome, which are rows of a batch, the same columns. A table shows those of its first item. */
function alignColumns(items: readonly INodeExecutionData[], leading: readonly string[]): void {
	const rows = items.filter(({ json }) => 'row' in json && 'outcome' in json);
	const columns = new Set<string>(leading);
	// The fullest item comes first, because others may lack columns in the middle.
	const fullest = maxBy(rows, ({ json }) => Object.keys(json).length);
	for (const { json } of compact([fullest, ...rows]))
		for (const name of Object.keys(json)) columns.add(name);
	for (const item of rows) {
		const json: Json = {};
		for (const name of columns) json[name] = item.json[name] ?? null;
		item.json = json;
	}
}
