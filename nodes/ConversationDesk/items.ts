import { difference, intersection, isObject, maxBy, partition, union } from 'lodash';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { joinSentences } from '../../src/core/words';
import { DO_NOT_REPEAT, pickFacts, isTool } from './errors';

type Json = INodeExecutionData['json'];

/** Converts a run to n8n's items in row order. A failed row gives an error item or its reason. */
export function toItems(context: IExecuteFunctions, run: Run, label: Label): INodeExecutionData[] {
	const node = context.getNode();
	const items: INodeExecutionData[] = [];
	const rowItems: RowItem[] = [];
	for (const [index, row] of run.rows.entries()) {
		const { failure, failureItem, isShown, isPassedOn = false } = row;
		// One object for all items of a row: there may be a million of them.
		const pairedItem = { item: index };
		const addItem = (json: object): void => {
			const item = { json: json as Json, pairedItem };
			items.push(item);
			rowItems.push({ item, index, isPassedOn });
		};
		for (const result of row.items)
			// n8n treats a top-level `error` of a response as a failure, and re-runs the node.
			addItem(!isPassedOn && Object.hasOwn(result, 'error') ? { response: result } : result);
		if (!failure) continue;
		// A shown failure gets a normal item. With an error output it gets an error item, except in a dry run.
		const isPreview = isShown === true && failureItem?.['dryRun'] !== undefined;
		const isError = !isShown || (node.onError === 'continueErrorOutput' && !isPreview);
		if (isError && context.continueOnFail())
			items.push(createErrorItem(node, { row: index + 1, ...failureItem }, failure, label));
		// A failure that is neither shown nor continued was thrown before, as the error of the run.
		else if (isShown) addItem({ ...failureItem, reason: describeFailure(failure, label).message });
	}
	const inputItems = run.includesInput ? context.getInputData() : [];
	if (run.columns) alignColumns(rowItems, run.columns, inputItems);
	return items;
}

/** An item that is not an error, and the position of its row. */
interface RowItem {
	readonly item: INodeExecutionData;
	readonly index: number;
	readonly isPassedOn: boolean;
}

/** Creates the item of a failed row, with its reason as `error`, the advice as `message`, and details. */
function createErrorItem(
	node: INode,
	fields: { readonly row: number; readonly outcome?: unknown; readonly code?: unknown },
	failure: Failure,
	label: Label,
): INodeExecutionData {
	const { row, outcome } = fields;
	const { message, advice = '' } = describeFailure(failure, label);
	const details = {
		// Rows of batches have the columns outcome and reason.
		...(outcome !== undefined && { reason: message }),
		kind: failure.kind,
		// The row's own code replaces that of the service.
		...pickFacts(failure),
		...fields,
	};
	const mayBeSent = isTool(node) && outcome === 'unknown'; // A model would repeat the row.
	const error = joinSentences(mayBeSent && DO_NOT_REPEAT, `Row ${row}: ${message}`);
	const json = { error, message: advice, details } as unknown as Json;
	const item = { json, pairedItem: { item: row - 1 } };
	// n8n sends an item with an `error` beside its `json` to the error output.
	return node.onError === 'continueErrorOutput' ? addInheritedError(item, node) : item;
}

/** Copies an item, and lets it inherit an `error`, because n8n sends items with an `error` to the error output. */
function addInheritedError<Item extends { readonly pairedItem: { readonly item: number } }>(
	item: Item,
	node: INode,
): Item {
	const itemIndex = item.pairedItem.item;
	const error = new NodeOperationError(node, 'The row failed', { itemIndex });
	// Inherited, because n8n replaces the columns of an item that has its own `error`.
	return Object.assign(Object.create({ error }) as Item, item);
}

/** Gives all items the same columns in the same order, in place. */
function alignColumns(
	rowItems: readonly RowItem[],
	columns: NonNullable<Run['columns']>,
	inputItems: readonly INodeExecutionData[],
): void {
	// An item that is passed on counts as input, even if the run leaves out its input rows (`inputItems`).
	const inputs = rowItems.map(({ item, index, isPassedOn }): Json => {
		const input = inputItems[index]?.json ?? {};
		return isPassedOn ? { ...input, ...item.json } : input;
	});
	const results = rowItems.filter(({ isPassedOn }) => !isPassedOn).map(({ item }) => item.json);
	const { fields, inputNames, ordered } = orderColumns(inputs, results, columns);
	// Copies of a parsed object share its columns in memory. Objects that are filled one by one take four times as much.
	const nulls = Object.fromEntries(ordered.map((name) => [name, null]));
	const blank = JSON.parse(JSON.stringify(nulls)) as Json;
	for (const [i, { item, isPassedOn }] of rowItems.entries()) {
		const input = inputs[i] ?? {};
		const result = isPassedOn ? input : item.json;
		const json = { ...blank };
		for (const name of inputNames) json[toCarriedName(name)] = input[name] ?? null;
		for (const name of fields) json[name] = result[name] ?? null;
		item.json = json;
	}
}

/** Orders columns: leading fields, plain input columns, other fields, trailing fields, nested input columns. Also lists fields and input names. */
function orderColumns(
	inputs: readonly Json[],
	results: readonly Json[],
	{ leading, trailing, reserved = [] }: NonNullable<Run['columns']>,
): Readonly<Record<'fields' | 'inputNames' | 'ordered', string[]>> {
	// The fullest item comes first, because others may lack columns in the middle.
	const fullest = maxBy(results, (json) => Object.keys(json).length) ?? {};
	const allInputNames = listColumnNames(inputs);
	// An input column with a reserved name is the field of an earlier run, e.g. its conversation ID. Only an item that is passed on keeps its value.
	const earlierFields = intersection(reserved, allInputNames);
	const fields = union(listColumnNames([fullest, ...results]), earlierFields);
	// If a field has the name that an input column would have in the items, they only have the field.
	const inputNames = allInputNames.filter((name) => !fields.includes(toCarriedName(name)));
	// An object makes its row several lines high, so such columns come last.
	const [nested, plain] = partition(inputNames, (name) =>
		inputs.some((json) => isObject(json[name])),
	);
	const carried = plain.map(toCarriedName);
	const names = [...intersection(leading, fields), ...carried, ...difference(fields, leading)];
	const ordered = [
		...difference(names, trailing),
		...intersection(trailing, names),
		...nested.map(toCarriedName),
	];
	return { fields, inputNames, ordered };
}

/** Lists the names of all columns, each once. */
function listColumnNames(rows: readonly Json[]): string[] {
	const names = new Set<string>();
	for (const json of rows) for (const name of Object.keys(json)) names.add(name);
	return [...names];
}

/** Returns the name of an input column in an item. n8n would take a column `error` for a failure. */
const toCarriedName = (name: string): string => (name === 'error' ? 'inputError' : name);
