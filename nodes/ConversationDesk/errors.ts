import type { IExecuteFunctions, INode, INodeExecutionData, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Label } from '../../src/core/explain';
import { explain } from '../../src/core/explain';
import type { Failure } from '../../src/core/failures';
import type { RowResult, Run } from '../../src/core/operation';

const MOST_LINES = 20;

/** Facts about a failure for the details of an error item; none of them holds a header. */
function factsOf(failure: Failure): Record<string, unknown> {
	switch (failure.kind) {
		case 'api': {
			const { call, status, code, issues } = failure;
			return {
				call,
				status,
				...(code !== undefined && { code }),
				...(issues.length > 0 && { issues }),
			};
		}
		case 'connection':
			return { call: failure.call, code: failure.code };
		case 'contract':
			return { call: failure.call, status: failure.status };
		default:
			return {};
	}
}

/** The error item of an input row, in the only shape of which n8n keeps the details and that it sends to the error output. */
export function errorItem(
	result: RowResult,
	item: number,
	label: Label,
): INodeExecutionData | undefined {
	if (!result.failure) return undefined;
	const { message, advice } = explain(result.failure, label);
	const details = {
		row: item + 1,
		kind: result.failure.kind,
		...result.details,
		...factsOf(result.failure),
	};
	const json = {
		error: `Row ${item + 1}: ${message}`,
		...(advice !== undefined && { message: advice }),
		details,
	} as unknown as INodeExecutionData['json'];
	return { json, pairedItem: { item } };
}

/**
 * Makes the error output of every n8n take error items: 1.123 and 2.20 do not know `details`. Of an item with an `error` of its
 * own n8n wipes the details; an inherited one sends the item there and is not copied along.
 */
export function errorRoute(node: INode): (item: INodeExecutionData) => INodeExecutionData {
	if (node.onError !== 'continueErrorOutput') return (item) => item;
	const error = new NodeOperationError(node, 'The row failed', { itemIndex: 0 });
	return (item) => Object.assign(Object.create({ error }) as object, item);
}

/** The item of a row that was left out by the wish of the user, for a node that stops on errors: it is none. */
export function skippedItem(result: RowResult, item: number): INodeExecutionData | undefined {
	if (result.failure?.kind !== 'skipped') return undefined;
	return { json: { outcome: 'notSent', reason: result.failure.message }, pairedItem: { item } };
}

/** One error for a whole run: what the first row says, or, where several failed, all of them with their job IDs. */
export function runError(
	this: IExecuteFunctions,
	run: Run,
	labelOf: (row: number) => Label,
): NodeApiError | NodeOperationError | undefined {
	const failed = run.rows.flatMap((row, itemIndex) =>
		row.failure
			? [{ ...explain(row.failure, labelOf(itemIndex)), failure: row.failure, itemIndex }]
			: [],
	);
	// Rows that were held back say all the same, those that they were held back for say why; skipped ones are no error.
	const culprits = failed.filter(
		({ failure }) => failure.kind !== 'held' && failure.kind !== 'skipped',
	);
	const heldBack = failed.filter(({ failure }) => failure.kind === 'held');
	const told = culprits.length > 0 ? culprits : heldBack.slice(0, 1);
	const [first] = told;
	if (!first) return undefined;
	const { failure, itemIndex, message, advice } = first;
	const lines = told.map((row) => `Row ${row.itemIndex + 1}: ${row.message}`);
	const only = run.rows.length === 1;
	const one = failed.length === 1;
	const several = run.summary ?? `${failed.length} of ${run.rows.length} rows failed`;
	const held = culprits.length > 0 ? heldBack[0] : undefined;
	const description = [
		...(one ? [advice, only ? undefined : run.summary] : lines.slice(0, MOST_LINES)),
		lines.length > MOST_LINES ? `and ${lines.length - MOST_LINES} more rows` : undefined,
		held && `The other rows: ${held.message}`,
		jobList(run),
	];
	return nodeError(this.getNode(), failure, {
		itemIndex,
		message: one ? (only ? message : (lines[0] ?? message)) : several,
		description: description.filter((line) => line !== undefined).join('<br>'),
	});
}

function jobList(run: Run): string | undefined {
	const jobs = jobIds(run);
	return jobs.length > 0 ? `Accepted as jobs: ${jobs.join(', ')}` : undefined;
}

function jobIds(run: Run): string[] {
	const items = [
		...run.rows.flatMap((row) => row.items),
		...(run.shared ?? []).map(({ item }) => item),
	];
	const ids = items.map((item) => ('jobId' in item ? item.jobId : undefined));
	return [...new Set(ids.filter((id): id is string => typeof id === 'string'))].slice(
		0,
		MOST_LINES,
	);
}

/** The error of a poll that failed; n8n stops asking for a while where its cause is one that passes. */
export function pollError(
	node: INode,
	failure: Failure,
	label: Label,
): NodeApiError | NodeOperationError {
	const { message, advice = '' } = explain(failure, label);
	const limited = failure.kind === 'api' && failure.status === 429;
	const description = limited ? 'The next poll asks again; poll less often if this stays' : advice;
	return nodeError(node, failure, { itemIndex: 0, message, description });
}

interface Text {
	readonly itemIndex: number;
	readonly message: string;
	readonly description: string;
}

function nodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, message, description }: Text,
): NodeApiError | NodeOperationError {
	const local = ['input', 'held', 'notFinished', 'notFound'].includes(failure.kind);
	const error = local
		? new NodeOperationError(node, message, { itemIndex, description, level: 'warning' })
		: new NodeApiError(node, factsOf(failure) as JsonObject, {
				itemIndex,
				message,
				description,
				...(failure.kind === 'api' && { httpCode: String(failure.status) }),
				...causeOf(failure),
			});
	// n8n replaces a text in which it finds the code of a socket error; ours says more.
	error.message = message;
	return error;
}

/** Why a call failed, in the words by which n8n decides when to poll again. */
function causeOf(failure: Failure): ConstructorParameters<typeof NodeApiError>[2] {
	if (failure.kind === 'connection') return { failure: { cause: 'temporarily-unavailable' } };
	if (failure.kind !== 'api') return {};
	const { status, retryAfter } = failure;
	if (status === 429) {
		const pause = retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 };
		return { failure: { cause: 'rate-limited', ...pause } };
	}
	if (status === 401) return { failure: { cause: 'credential-invalid' } };
	return status >= 500 || status === 408 ? { failure: { cause: 'temporarily-unavailable' } } : {};
}
