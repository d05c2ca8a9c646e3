import { compact, escape, get, isEqual, omitBy, partition, pick, sortBy, sumBy } from 'lodash';
import type { INode, JsonObject, NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { shorten } from '../../src/core/words';
import { formatReason, groupReasons, joinSentences, listReasons } from './reasons';

/** n8n's box of hints shows about nine lines. */
const HINT = { reasons: 3, ranges: 3 };
const DESCRIPTION = { reasons: 20, ranges: 20 };
const MAX_HINT = 2_000;

/** The first sentence for a model if a person may have been called. */
export const DO_NOT_REPEAT = 'Do not call again. ';

/** Whether the node is a tool of an agent, which n8n makes from the same class. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** Facts about a failure for the details of an error item, without headers. */
export const listFacts = (failure: Failure): object =>
	omitBy(pick(failure, ['call', 'status', 'code', 'issues']), (fact) => isEqual(fact, []));

/** Returns one hint with counts, notes and the commonest reasons of failure; none if there is nothing to report. */
export function createHints(run: Run, label: Label): NodeExecutionHint[] {
	const { rows, runItem, summary, notes = [] } = run;
	const reasons = sortBy(groupReasons(run, label), ({ positions }) => -positions.length);
	const lines = compact([summary, ...notes, ...listReasons(reasons, rows.length, HINT)]);
	if (lines.length === 0) return [];
	// A warning if all rows failed without an item, unless all their failures are shown as items (isShown).
	const hasOnlyFailures =
		rows.every(({ failure, items }) => failure && items.length === 0) &&
		rows.some(({ isShown }) => !isShown);
	return [
		{
			...(hasOnlyFailures && !runItem && { type: 'warning' }),
			// n8n draws hints as HTML. A cell or the name of a column may have any length.
			message: lines.map((line) => escape(shorten(line, MAX_HINT))).join('<br>'),
			location: 'outputPane',
		},
	];
}

/** Returns one error for the whole run; undefined if no row fails it. Its description lists the reasons. */
export function toRunError(
	node: INode,
	run: Run,
	label: Label,
): NodeApiError | NodeOperationError | undefined {
	const { rows, happened, summary, notes = [] } = run;
	const total = rows.length;
	// Rows that are shown as items cause no error. If other rows do, no items are returned, so the description lists them.
	const [shown, failing] = partition(groupReasons(run, label), 'isShown');
	// Held rows are not to blame, because another row or a limit stopped them. The rows to blame come first.
	const [held, culprits] = partition(failing, ({ failure }) => failure.kind === 'held');
	const [first, ...otherReasons] = [...culprits, ...held];
	if (!first) return undefined;
	const failed = sumBy(culprits, 'positions.length');
	// If a person may have been called, the error is final, because a model repeats temporary errors.
	const isFinal =
		isTool(node) && rows.some(({ failureItem }) => failureItem?.['outcome'] === 'unknown');
	const [line, longLine] = [HINT, DESCRIPTION].map(({ ranges }) =>
		formatReason(first, total, ranges),
	);
	const count = culprits.length > 1 ? `${failed} of ${total} rows failed` : undefined;
	const message = joinSentences([happened, count, line]);
	const description = [
		joinSentences([line === longLine ? undefined : longLine, first.advice]),
		total > 1 ? joinSentences([summary, ...notes]) : undefined,
		...listReasons([...otherReasons, ...shown], total, DESCRIPTION),
		...listAccepted(run),
	];
	return createNodeError(node, first.failure, {
		...(total === 1 && { itemIndex: 0 }),
		message: `${isFinal ? DO_NOT_REPEAT : ''}${message}`,
		isFinal,
		description: compact(description),
	});
}

const ACCEPTED = [
	{ key: 'jobId', words: 'Accepted as jobs', max: 20 },
	{ key: 'conversationId', words: 'Accepted conversations', max: 500 },
];

/** Lists the accepted IDs, because no item shows them when the node fails. Without `happened`, nothing was accepted. */
function listAccepted({ happened, rows, runItem = {} }: Run): string[] {
	if (happened === undefined) return [];
	const items = [...rows.flatMap((row) => row.items), runItem];
	return ACCEPTED.flatMap(({ key, words, max }) => {
		const ids = items.flatMap((item): unknown[] => [get(item, key), get(item, `${key}s`)].flat());
		const texts = [...new Set(ids.filter((id) => typeof id === 'string'))];
		return texts.length > 0 ? [`${words}: ${texts.slice(0, max).join(', ')}`] : [];
	});
}

/** The error of a poll, or of a list in the panel. After a temporary cause, n8n pauses before the next poll. */
export function createFailureError(
	node: INode,
	failure: Failure,
	label: Label,
): NodeApiError | NodeOperationError {
	const { message, advice = '' } = describeFailure(failure, label);
	return createNodeError(node, failure, { itemIndex: 0, message, description: [advice] });
}

interface Text {
	/** Only for one row, because n8n counts items from 0, unlike the message. */
	readonly itemIndex?: number;
	readonly message: string;
	/** Lines of text, which n8n draws as HTML. */
	readonly description: readonly string[];
	/** Whether the error must not look temporary, because a repetition may call a person twice. */
	readonly isFinal?: boolean;
}

/** Creates an operation error if repeating is useless or forbidden (`isFinal`), else an API error. */
function createNodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, message: text, description: lines, isFinal = false }: Text,
): NodeApiError | NodeOperationError {
	// n8n draws a message as text in the node, and as HTML in the notice. There, '<' before a letter begins a tag.
	const message = text.replace(/<(?=[a-z/!?])/gi, '‹');
	const description = lines.map((line) => escape(line)).join('<br>');
	const isPermanent = isFinal || ['input', 'held', 'notFound'].includes(failure.kind);
	const error = isPermanent
		? new NodeOperationError(node, message, { itemIndex, description, level: 'warning' })
		: new NodeApiError(node, listFacts(failure) as JsonObject, {
				itemIndex,
				message,
				description,
				...(failure.kind === 'api' && { httpCode: String(failure.status) }),
				...toCause(failure), // From it, n8n reads when to poll a trigger again.
			});
	// The constructor replaces a message that contains a socket error code, so it is set again.
	error.message = message;
	return error;
}

/** The cause of a failure, in the form that n8n uses to schedule the next poll. */
function toCause(failure: Failure): ConstructorParameters<typeof NodeApiError>[2] {
	if (failure.kind === 'connection') return { failure: { cause: 'temporarily-unavailable' } };
	if (failure.kind !== 'api') return {};
	const { status, retryAfter } = failure;
	const pause = retryAfter !== undefined && { retryAfterMs: retryAfter * 1000 };
	if (status === 429) return { failure: { cause: 'rate-limited', ...pause } };
	if (status === 401) return { failure: { cause: 'credential-invalid' } };
	return status >= 500 || status === 408 ? { failure: { cause: 'temporarily-unavailable' } } : {};
}
