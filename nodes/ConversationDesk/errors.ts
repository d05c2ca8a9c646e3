import compact from 'lodash/compact';
import escape from 'lodash/escape';
import omit from 'lodash/omit';
import partition from 'lodash/partition';
import sumBy from 'lodash/sumBy';
import type { INode, JsonObject, NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Label } from '../../src/core/describeFailure';
import { describeFailure } from '../../src/core/describeFailure';
import type { Failure, Problem } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { formatRows, nameAllRows, shorten } from '../../src/core/words';
import { createLabeler } from './labels';
import type { Reason } from './reasons';
import {
	formatReason,
	groupReasons,
	joinSentences,
	listReasons,
	sortReasons,
	splitHeld,
} from './reasons';

/** n8n's box of hints shows about nine lines. */
const HINT = { reasons: 3, stretches: 3 };
const DESCRIPTION = { reasons: 20, stretches: 20 };
const MAX_JOBS = 20;
const MAX_IDS = 500;
const MAX_HINT = 2_000;

/** The first sentence for a model if a person may have been called. */
export const DO_NOT_REPEAT = 'Do not call again. ';

/** Whether the node is a tool of an agent, which n8n makes from the same class. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** Facts about a failure for the details of an error item, without headers. */
export function listFacts(failure: Failure): Record<string, unknown> {
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

/** Removes host names and proxy pages from a failure, because a model must not read them. */
export function withoutNames(failure: Failure): Failure {
	if (failure.kind !== 'api') return failure;
	const { status, code, issues, message } = failure;
	// The service's own response about a row is JSON, and not a page.
	const isSaid = status < 300 || (status < 500 && (code !== undefined || issues.length > 0));
	return { ...omit(failure, 'location'), message: isSaid ? message : '' };
}

/** The advice if the service rejects a request of a credential without a slug. */
const ENTER_SLUG =
	'Enter Workspace Slug in the credential. Ticket search and customer batches need it';

/** Adds this advice to a rejection without a field, because only some requests need the slug. */
export const adviseSlug = <F extends Failure>(failure: F): F =>
	failure.kind === 'api' && [400, 403].includes(failure.status) && failure.issues.length === 0
		? { ...failure, help: { ...failure.help, rejectedAdvice: ENTER_SLUG } }
		: failure;

/** Escapes lines of text, because n8n draws hints and the descriptions of errors as HTML. */
const toHtml = (lines: readonly string[]): string => lines.map((line) => escape(line)).join('<br>');

/**
 * The message of an error, without the beginnings of tags and without escapes.
 * n8n draws it as text in the node, and as HTML in the notice.
 */
const drawnMessage = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');

/** The hint of a run: count, notes and reasons of failed rows. A warning if every row failed. */
export function createHints(run: Run, labelOf: (row: number) => Label): NodeExecutionHint[] {
	const { rows, runItem, summary, notes = [] } = run;
	const reasons = sortReasons(groupReasons(run, labelOf));
	const lines = [...compact([summary]), ...notes, ...listReasons(reasons, rows.length, HINT)];
	if (lines.length === 0) return [];
	const isLost =
		rows.every(({ failure, items }) => failure && items.length === 0) &&
		rows.some(({ isShown }) => !isShown);
	return [
		{
			...(isLost && !runItem && { type: 'warning' }),
			// A cell or the name of a column may have any length.
			message: toHtml(lines.map((line) => shorten(line, MAX_HINT))),
			location: 'outputPane',
		},
	];
}

/** The functions that describe the problems of a run. */
interface Words {
	readonly labelOf: (row: number) => Label;
	/** Whether a parameter is entered once for all rows, with no expression and no column of theirs. */
	readonly isFixed: (path: Problem['path']) => boolean;
}

/** One error for a whole run. Its message contains the event and the first reason, its description all others. */
export function runError(
	node: INode,
	run: Run,
	{ labelOf, isFixed }: Words,
): NodeApiError | NodeOperationError | undefined {
	const { rows, happened, summary, notes = [] } = run;
	// Rows that are shown as items are no error, but a node that fails has no items.
	const [shown, failing] = partition(groupReasons(run, labelOf), 'isShown');
	const [[held], culprits] = splitHeld(failing);
	const first = culprits[0] ?? held;
	if (!first) return undefined;
	const total = rows.length;
	const failed = sumBy(culprits, 'positions.length');
	const isOnce =
		first.positions.length === total &&
		first.failure.kind === 'input' &&
		first.failure.problems.every(({ path }) => isFixed(path));
	const isAlone = total === 1 || first.failure.kind === 'held' || isOnce;
	const count = failed === total ? nameAllRows(total) : `${failed} of ${total} rows`;
	const line = isAlone
		? joinSentences([first.what, first.fix])
		: formatReason(first, total, HINT.stretches);
	const description = [
		first.advice,
		total > 1 ? joinSentences([summary, ...notes]) : '',
		isAlone ? '' : listMoreRows(first, total),
		...listReasons([...culprits.slice(1), ...shown], total, DESCRIPTION),
		culprits.length > 0 && held ? `The other rows: ${held.what}` : '',
		...listAccepted(run),
	];
	// A connection error would make a model try again.
	const isFinal =
		isTool(node) && rows.some(({ failureItem }) => failureItem?.['outcome'] === 'unknown');
	const message = joinSentences([
		happened,
		culprits.length > 1 ? `${count} failed` : undefined,
		line,
	]);
	return nodeError(node, first.failure, {
		...(total === 1 && { itemIndex: 0 }),
		message: `${isFinal ? DO_NOT_REPEAT : ''}${message}`,
		isFinal,
		description: compact(description),
	});
}

/** Names the rows that the headline only counts. */
function listMoreRows({ positions }: Reason, total: number): string {
	const [short, long] = [HINT, DESCRIPTION].map(({ stretches: max }) =>
		formatRows(positions, { total, max }),
	);
	return short === long ? '' : `${long}: see above`;
}

/** Lists the accepted IDs, because no item shows them when the node fails. */
function listAccepted(run: Run): string[] {
	if (run.happened === undefined) return [];
	const jobs = collectIds(run, 'jobId').slice(0, MAX_JOBS);
	const conversations = collectIds(run, 'conversationId').slice(0, MAX_IDS);
	return [
		...(jobs.length > 0 ? [`Accepted as jobs: ${jobs.join(', ')}`] : []),
		...(conversations.length > 0 ? [`Accepted conversations: ${conversations.join(', ')}`] : []),
	];
}

function collectIds({ rows, runItem }: Run, name: 'jobId' | 'conversationId'): string[] {
	const items = rows.flatMap((row) => row.items);
	const jobIds: unknown = runItem && Reflect.get(runItem, `${name}s`);
	const ids = [...items.map((item): unknown => Reflect.get(item, name)), jobIds].flat();
	return [...new Set(ids.filter((id): id is string => typeof id === 'string'))];
}

/** The error of a failed poll. After a temporary cause, n8n pauses before the next poll. */
export function pollError(
	node: INode,
	failure: Failure,
	label: Label,
): NodeApiError | NodeOperationError {
	const { message, advice = '' } = describeFailure(failure, label);
	const limited = failure.kind === 'api' && failure.status === 429;
	const description = limited
		? 'The next poll tries again. Poll less often if this continues.'
		: advice;
	return nodeError(node, failure, { itemIndex: 0, message, description: [description] });
}

/** The error of a list in the panel that could not be read. */
export function listError(node: INode, failure: Failure): NodeApiError | NodeOperationError {
	const { message, advice = '' } = describeFailure(failure, createLabeler([]));
	return nodeError(node, failure, { itemIndex: 0, message, description: [advice] });
}

interface Text {
	/** Only for one row, because n8n counts items from 0, unlike the message. */
	readonly itemIndex?: number;
	readonly message: string;
	/** Lines of text, which n8n draws as HTML. */
	readonly description: readonly string[];
	/** Whether n8n must not treat the failure as temporary. */
	readonly isFinal?: boolean;
}

function nodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, message: text, description: lines, isFinal = false }: Text,
): NodeApiError | NodeOperationError {
	const message = drawnMessage(text);
	const description = toHtml(lines);
	const local = isFinal || ['input', 'held', 'notFinished', 'notFound'].includes(failure.kind);
	const error = local
		? new NodeOperationError(node, message, { itemIndex, description, level: 'warning' })
		: new NodeApiError(node, listFacts(failure) as JsonObject, {
				itemIndex,
				message,
				description,
				...(failure.kind === 'api' && { httpCode: String(failure.status) }),
				...toCause(failure),
			});
	// n8n replaces a text that contains the code of a socket error.
	error.message = message;
	return error;
}

/** The cause of a failure, in the form that n8n uses to schedule the next poll. */
function toCause(failure: Failure): ConstructorParameters<typeof NodeApiError>[2] {
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
