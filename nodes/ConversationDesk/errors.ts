import { compact, get, isEqual, omit, omitBy, orderBy, partition, pick, sumBy } from 'lodash';
import type { INode, JsonObject, NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { describeFailure, type Label } from '../../src/core/describeFailure';
import type { Failure } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { toPrintable } from '../../src/core/plainText';
import { joinSentences, shorten } from '../../src/core/words';
import { formatReason, groupReasons, listReasons } from './reasons';

/** Makes a text printable. Replaces the '<' of tags by a similar sign, because n8n may draw it as HTML. */
const escapeTags = (text: string): string => toPrintable(text).replace(/<(?=[a-z/!?])/gi, '‹');

const CONTINUE = 'To get the results of the other rows, set Settings > On Error to Continue';

/** Max reasons in a hint, because n8n's box of hints shows about nine lines. */
const MAX_HINT_REASONS = 2;
/** Max ranges of rows in the headline of an error, and max ranges and reasons below it. */
const MAX_HEADLINE_RANGES = 3;
const MAX_ERROR_RANGES = 20;
const MAX_ERROR_REASONS = 20;
/** Max characters of a line in a hint. */
const MAX_HINT_LINE = 2_000;

/** The first sentence for a model if a person may have been called. */
export const DO_NOT_REPEAT = 'Do not call again';

/** Whether the node is a tool of an agent, which n8n makes from the same class. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** Picks the facts of a failure that an error shows, without an empty list of issues. */
export const pickFacts = (failure: Failure): object =>
	omitBy(pick(failure, ['call', 'status', 'code', 'issues']), (fact) => isEqual(fact, []));

/** Returns one hint with counts, notes and the most common reasons of failure. Without them, returns an empty list. */
export function createHints(run: Run, label: Label): NodeExecutionHint[] {
	const { rows, summary, notes = [] } = run;
	// Each row has an item with its fix, so the hint counts the rows only.
	const reasons = groupReasons(run, label).map((reason) => omit(reason, 'fix'));
	const mostFrequentFirst = orderBy(reasons, 'positions.length', 'desc');
	const reasonLines = listReasons(mostFrequentFirst, { max: MAX_HINT_REASONS });
	const lines = compact([summary, ...notes, ...reasonLines]);
	if (lines.length === 0) return [];
	// n8n draws hints as HTML. A cell or the name of a column may have any length.
	const message = lines.map((line) => escapeTags(shorten(line, MAX_HINT_LINE))).join('<br>');
	// No row succeeded, and at least one failed without a normal item that shows its reason (`isShown`).
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
	// Rows with an item (`isShown`) cause no error. If other rows do, n8n drops all items, so the description lists them.
	const [shown, failing] = partition(groupReasons(run, label), 'isShown');
	// Held rows have no fault of their own: another row, a limit or the user stopped them. They are listed last.
	const [held, faulty] = partition(failing, ({ failure }) => failure.kind === 'held');
	const reasons = [...faulty, ...held];
	const [first, ...otherReasons] = reasons;
	if (!first) return undefined;
	// If a person may have been called, the error is final, because a model repeats temporary errors.
	const isFinal =
		isTool(node) && rows.some(({ failureItem }) => failureItem?.['outcome'] === 'unknown');
	const failed = sumBy(faulty, 'positions.length');
	const count = faulty.length > 1 && `${failed} of ${rows.length} rows failed`; // A single reason counts its rows itself.
	// The headline names few rows, the description more of them.
	const line = formatReason(first, MAX_HEADLINE_RANGES);
	const longLine = formatReason(first, MAX_ERROR_RANGES);
	// Only rows of a read have no outcome. A failed row loses the results of the others, so the advice is to continue.
	const isRead = rows.every(({ failureItem }) => failureItem?.['outcome'] === undefined);
	const hasGoodRows = sumBy(reasons, 'positions.length') < rows.length;
	const limits = { max: MAX_ERROR_REASONS, maxRanges: MAX_ERROR_RANGES };
	const message = joinSentences(isFinal && DO_NOT_REPEAT, happened, count, line);
	const description = compact([
		joinSentences(longLine !== line && longLine, first.advice),
		isRead && hasGoodRows && CONTINUE,
		rows.length > 1 && joinSentences(summary, ...notes), // One row needs only the headline.
		...listReasons([...otherReasons, ...shown], limits),
		...listAccepted(run),
	]);
	const itemIndex = rows.length === 1 ? 0 : undefined;
	return createNodeError(node, first.failure, { message, description, itemIndex, isFinal });
}

const ACCEPTED_IDS = [
	{ key: 'jobId', words: 'Accepted as jobs', max: 20 },
	{ key: 'conversationId', words: 'Accepted conversations', max: 500 },
];

/** Lists the IDs of accepted rows, because a failing node returns no items. Without `happened`, none was accepted. */
function listAccepted({ happened, rows }: Run): string[] {
	if (happened === undefined) return []; // Rows that were only read have IDs, but were not accepted.
	const items = rows.flatMap((row) => row.items);
	return ACCEPTED_IDS.flatMap(({ key, words, max }) => {
		const ids = items.map((item): unknown => get(item, key));
		const texts = [...new Set(ids.filter((id) => typeof id === 'string'))];
		return texts.length > 0 ? [`${words}: ${texts.slice(0, max).join(', ')}`] : [];
	});
}

/** Creates the error of a poll, or of a list in the panel. n8n evaluates both at item 0. */
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

/** Creates n8n's error of a failure: a NodeOperationError if it is final or no request failed, else a NodeApiError. */
function createNodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, message: text, description: lines, isFinal = false }: Text,
): NodeApiError | NodeOperationError {
	const message = escapeTags(text);
	const description = lines.map(escapeTags).join('<br>');
	const isOperationError = isFinal || ['input', 'held', 'notFound'].includes(failure.kind);
	const error = isOperationError
		? new NodeOperationError(node, message, { itemIndex, description, level: 'warning' })
		: new NodeApiError(node, pickFacts(failure) as JsonObject, {
				itemIndex,
				message,
				description,
				...(failure.kind === 'api' && { httpCode: String(failure.status) }),
				...toCause(failure),
			});
	// The constructor replaces a message that contains a socket error code, so it is set again.
	error.message = message;
	return error;
}

/** Converts a failure to the cause from which n8n schedules the next poll of a trigger. */
function toCause(failure: Failure): ConstructorParameters<typeof NodeApiError>[2] {
	if (failure.kind === 'connection') return { failure: { cause: 'temporarily-unavailable' } };
	if (failure.kind !== 'api') return {};
	const { status, retryAfter } = failure;
	const pause = retryAfter !== undefined && { retryAfterMs: retryAfter * 1000 };
	if (status === 429) return { failure: { cause: 'rate-limited', ...pause } };
	if (status === 401) return { failure: { cause: 'credential-invalid' } };
	return status >= 500 || status === 408 ? { failure: { cause: 'temporarily-unavailable' } } : {};
}
