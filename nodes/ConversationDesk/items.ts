import { difference, intersection, maxBy, union, zipObject } from 'lodash';
import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { joinSentences } from '../../src/core/words';
import { DO_NOT_REPEAT, listFacts, isTool } from './errors';

type Json = INodeExecutionData['json'];

/** Converts a run to items in row order. Failed rows are error items, or items with their reason if `isShown`. */
export function toItems(context: IExecuteFunctions, run: Run, label: Label): INodeExecutionData[] {
	const node = context.getNode();
	const { rows } = run;
	const items: INodeExecutionData[] = [];
	const rowItems: RowItem[] = [];
	for (const [index, row] of rows.entries()) {
		const { items: results, failure, failureItem, isShown, isPassedOn = false } = row;
		// One object for all items of a row: there may be a million of them.
		const pairedItem = { item: index };
		const addItem = (json: object): void => {
			const item = { json: json as Json, pairedItem };
			items.push(item);
			rowItems.push({ item, index, isPassedOn });
		};
		for (const result of results)
			// n8n treats a top-level `error` of a response as a failure, and re-runs the node.
			addItem(!isPassedOn && Object.hasOwn(result, 'error') ? { response: result } : result);
		if (!failure) continue;
		// A row of a dry run is no error. Only n8n's error output takes away other rows that are shown.
		const isPreview = isShown === true && failureItem?.['dryRun'] !== undefined;
		const isError = !isShown || (node.onError === 'continueErrorOutput' && !isPreview);
		if (isError && context.continueOnFail()) {
			const json = errorJson(node, { row: index + 1, ...failureItem }, failure, label);
			items.push(Object.assign(emptyErrorItem(node), { json, pairedItem }));
		} else if (isShown)
			addItem({ ...failureItem, reason: describeFailure(failure, label).message });
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

/** Builds the error item of a row, with the advice as `message`. Other shapes miss the error output. */
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
		// The code of a row takes the place of the service's code.
		...listFacts(failure),
		...fields,
	};
	const error = joinSentences(isFinal && DO_NOT_REPEAT, `Row ${fields.row}: ${message}`);
	return { error, message: advice, details } as unknown as Json;
}

/** Makes an empty error item. Its inherited `error` routes it to the error output in every version of n8n. */
function emptyErrorItem(node: INode): object {
	if (node.onError !== 'continueErrorOutput') return {};
	const error = new NodeOperationError(node, 'The row failed', { itemIndex: 0 });
	// n8n deletes the details of an item that has an own `error`.
	return Object.create({ error }) as object;
}

/** Gives all items the same columns: leading ones, those of the input row, then others. A field wins its name. */
function alignColumns(
	rowItems: readonly RowItem[],
	{ leading, trailing, reserved = [] }: NonNullable<Run['columns']>,
	inputItems: readonly INodeExecutionData[],
): void {
	/** The columns that a row had before. */
	const inputs = rowItems.map(({ item, index, isPassedOn }): Json => {
		const input = inputItems[index]?.json ?? {};
		return isPassedOn ? { ...input, ...item.json } : input;
	});
	const fields = rowItems.filter(({ isPassedOn }) => !isPassedOn).map(({ item }) => item.json);
	// The fullest item comes first, because others may lack columns in the middle.
	const fullest = maxBy(fields, (json) => Object.keys(json).length) ?? {};
	const filledNames = listColumnNames([fullest, ...fields]);
	const allInputNames = listColumnNames(inputs);
	// Columns of an earlier run, e.g. its conversation ID, are not of this run.
	const names = union(filledNames, intersection(reserved, allInputNames));
	const inputNames = allInputNames.filter((name) => !names.includes(toCarriedName(name)));
	const firstNames = intersection(leading, names);
	const otherNames = [...difference(names, leading, trailing), ...intersection(trailing, names)];
	const itemNames = [...firstNames, ...inputNames.map(toCarriedName), ...otherNames];
	// Copies of a parsed object share its columns in memory. Objects that are filled one by one take four times as much.
	const blank = JSON.parse(
		JSON.stringify(
			zipObject(
				itemNames,
				itemNames.map(() => null),
			),
		),
	) as Json;
	for (const [i, { item, isPassedOn }] of rowItems.entries()) {
		const input = inputs[i] ?? {};
		const field = isPassedOn ? input : item.json;
		const json = { ...blank };
		for (const name of inputNames) json[toCarriedName(name)] = input[name] ?? null;
		for (const name of names) json[name] = field[name] ?? null;
		item.json = json;
	}
}

/** Lists the names of all columns, each once. */
function listColumnNames(rows: readonly Json[]): string[] {
	const names = new Set<string>();
	for (const json of rows) for (const name of Object.keys(json)) names.add(name);
	return [...names];
}

/** The name of an input column in an item. n8n takes a top-level `error` for a failure. */
const toCarriedName = (name: string): string => (name === 'error' ? 'inputError' : name);
