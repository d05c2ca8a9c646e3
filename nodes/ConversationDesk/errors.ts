import { compact, get, isEqual, omit, omitBy, orderBy, partition, pick, sumBy } from 'lodash';
import type { INode, JsonObject, NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { toPrintable } from '../../src/core/plainText';
import { joinSentences, shorten } from '../../src/core/words';
import { formatReason, groupReasons, listReasons } from './reasons';

/** Hides the '<' of tags, because n8n may draw a text as HTML. Entities would stay visible in error workflows. */
const toShown = (text: string): string => toPrintable(text).replace(/<(?=[a-z/!?])/gi, '‹');

/** The way to results of the other rows. */
const CONTINUE = 'To get the results of the other rows, set Settings > On Error to Continue';

/** Max reasons, and ranges of rows per reason. n8n's box of hints shows about nine lines. */
const MAX_HINT_REASONS = 3;
const MAX_ERROR_REASONS = 20;
/** Max characters of a line in a hint. */
const MAX_HINT_LINE = 2_000;

/** The first sentence for a model if a person may have been called. */
export const DO_NOT_REPEAT = 'Do not call again';

/** Whether the node is a tool of an agent, which n8n makes from the same class. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** Facts about a failure for the details of an error item, without headers. */
export const listFacts = (failure: Failure): object =>
	omitBy(pick(failure, ['call', 'status', 'code', 'issues']), (fact) => isEqual(fact, []));

/** Returns one hint with counts, notes and the commonest reasons of failure; none if there is nothing to report. */
export function createHints(run: Run, label: Label): NodeExecutionHint[] {
	const { rows, summary, notes = [] } = run;
	// The item of a shown row has the fix of its reason.
	const reasons = groupReasons(run, label).map((reason) =>
		reason.isShown ? omit(reason, 'fix') : reason,
	);
	const mostFrequentFirst = orderBy(reasons, 'positions.length', 'desc');
	const lines = compact([summary, ...notes, ...listReasons(mostFrequentFirst, MAX_HINT_REASONS)]);
	if (lines.length === 0) return [];
	// n8n draws hints as HTML. A cell or the name of a column may have any length.
	const message = lines.map((line) => toShown(shorten(line, MAX_HINT_LINE))).join('<br>');
	// Failures that items show are no warning.
	const isWarning =
		rows.every(({ failure, items }) => failure && items.length === 0) &&
		rows.some(({ isShown }) => !isShown);
	return [{ ...(isWarning && { type: 'warning' }), message, location: 'outputPane' }];
}

/** Returns one error for the whole run; undefined if no row fails it. Its description lists the reasons. */
export function toRunError(
	node: INode,
	run: Run,
	label: Label,
): NodeApiError | NodeOperationError | undefined {
	const { rows, happened, summary, notes = [] } = run;
	// Rows that are shown as items cause no error. If other rows do, no items are returned, so the description lists them.
	const [shown, failing] = partition(groupReasons(run, label), 'isShown');
	// Held rows are not to blame, because another row or a limit stopped them. The rows to blame come first.
	const [held, culprits] = partition(failing, ({ failure }) => failure.kind === 'held');
	const reasons = [...culprits, ...held];
	const [first, ...otherReasons] = reasons;
	if (!first) return undefined;
	// If a person may have been called, the error is final, because a model repeats temporary errors.
	const isFinal =
		isTool(node) && rows.some(({ failureItem }) => failureItem?.['outcome'] === 'unknown');
	const failed = sumBy(culprits, 'positions.length');
	const count = culprits.length > 1 && `${failed} of ${rows.length} rows failed`;
	const line = formatReason(first, MAX_HINT_REASONS);
	const longLine = formatReason(first, MAX_ERROR_REASONS);
	// A read has no outcomes. It returns nothing at all if one row fails the node.
	const isRead = rows.every(({ failureItem }) => failureItem?.['outcome'] === undefined);
	const hasGoodRows = sumBy(reasons, 'positions.length') < rows.length;
	const message = joinSentences(isFinal && DO_NOT_REPEAT, happened, count, line);
	const description = compact([
		joinSentences(longLine !== line && longLine, first.advice),
		isRead && hasGoodRows && CONTINUE,
		rows.length > 1 && joinSentences(summary, ...notes),
		...listReasons([...otherReasons, ...shown], MAX_ERROR_REASONS),
		...listAccepted(run),
	]);
	const itemIndex = rows.length === 1 ? 0 : undefined;
	return createNodeError(node, first.failure, { message, description, itemIndex, isFinal });
}

const ACCEPTED = [
	{ key: 'jobId', words: 'Accepted as jobs', max: 20 },
	{ key: 'conversationId', words: 'Accepted conversations', max: 500 },
];

/** Lists the accepted IDs, because no item shows them when the node fails. Without `happened`, nothing was accepted. */
function listAccepted({ happened, rows }: Run): string[] {
	if (happened === undefined) return [];
	const items = rows.flatMap((row) => row.items);
	return ACCEPTED.flatMap(({ key, words, max }) => {
		const ids = items.map((item): unknown => get(item, key));
		const texts = [...new Set(ids.filter((id) => typeof id === 'string'))];
		return texts.length > 0 ? [`${words}: ${texts.slice(0, max).join(', ')}`] : [];
	});
}

/** The error of a poll, or of a list in the panel. */
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
	readonly itemIndex: number | undefined;
	readonly message: string;
	/** Lines of text. */
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
	const message = toShown(text);
	const description = lines.map(toShown).join('<br>');
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
