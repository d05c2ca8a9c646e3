import compact from 'lodash/compact';
import escape from 'lodash/escape';
import omit from 'lodash/omit';
import partition from 'lodash/partition';
import sortBy from 'lodash/sortBy';
import sumBy from 'lodash/sumBy';
import type { INode, JsonObject, NodeExecutionHint } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Description, Label } from '../../src/core/describeFailure';
import { describeFailure } from '../../src/core/describeFailure';
import type { Failure, Problem } from '../../src/core/failures';
import type { Run } from '../../src/core/operation';
import { toSentence } from '../../src/core/problems';
import { allRows, formatRows, plural, shorten } from '../../src/core/words';
import { labelIn } from './labels';

const MAX_LINES = 20;
const MAX_IDS = 500;
const MAX_HINT = 2_000;

/** What a model reads first where a person may have been called. */
export const DO_NOT_REPEAT = 'Do not call again. ';

/** n8n makes the tool for agents from the same class, under a name of its own. */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** How many row numbers stand before the reason in a message, and how many in a description. */
const ROWS = { message: 3, description: 20 };

/** Facts about a failure for the details of an error item; none of them holds a header. */
export function factsOf(failure: Failure): Record<string, unknown> {
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
		case 'skipped':
			return { ...failure.facts };
		default:
			return {};
	}
}

/** A failure without the names of hosts and the pages of proxies, which a model must not learn. */
export function withoutNames(failure: Failure): Failure {
	if (failure.kind !== 'api') return failure;
	const { status, code, issues, message } = failure;
	// What a good reply says of a row is JSON, and no page.
	const isSaid = status < 300 || (status < 500 && (code !== undefined || issues.length > 0));
	return { ...omit(failure, 'location'), message: isSaid ? message : '' };
}

/** What to do where the service rejects a request of a credential without a slug. */
const ENTER_SLUG =
	'Enter Workspace Slug in the credential. Ticket search and customer batches need it';

/** Adds this advice to a rejection that names no field: the service may need the slug, though not all of its requests do. */
export const adviseSlug = <F extends Failure>(failure: F): F =>
	failure.kind === 'api' && [400, 403].includes(failure.status) && failure.issues.length === 0
		? { ...failure, help: { ...failure.help, rejectedAdvice: ENTER_SLUG } }
		: failure;

/** Rows that failed for the same reason. */
interface Reason extends Description {
	readonly failure: Failure;
	readonly positions: readonly number[];
	/** Whether items show them. */
	readonly isShown: boolean;
	/** What became of the first of them. */
	readonly outcome: unknown;
	/** The reason without the values of single rows, where they differ. */
	readonly general: Parts | undefined;
	readonly parts: Parts;
}

/** A reason in two parts, between which the rows are named. */
interface Parts {
	readonly what: string;
	readonly fix?: string | undefined;
}

/** "Phone Number has no country code", without the value of the row; undefined where no value differs. */
function withoutValue(failure: Failure, label: Label): Parts | undefined {
	if (failure.kind !== 'input' || failure.problems.length !== 1) return undefined;
	const [problem] = failure.problems;
	if (problem?.value === undefined) return undefined;
	return { what: `${label(problem.path)} ${problem.reason}`, fix: problem.fix };
}

/** A reason in its parts; one of several problems is told whole. */
function partsOf(failure: Failure, label: Label): Parts {
	const [problem, ...others] = failure.kind === 'input' ? failure.problems : [];
	if (!problem || others.length > 0) return { what: describeFailure(failure, label).message };
	const { path, fix, ...fault } = problem;
	return { what: `'${label(path)}' ${toSentence(fault)}`, fix };
}

/** "17 rows: Phone Number has no country code (rows 3, 33, 63 and 14 more). Add it, or set Default Country". */
function withRows(count: string, { what, fix }: Parts, { positions, total }: Place): string {
	const rows = formatRows(positions, { total, max: ROWS.message });
	const where = rows.charAt(0).toLowerCase() + rows.slice(1);
	return [`${count}: ${what} (${where})`, ...(fix === undefined ? [] : [fix])].join('. ');
}

interface Place {
	readonly positions: readonly number[];
	readonly total: number;
}

/** A reason with its rows, in one line; `max` is how many row numbers may stand before a reason with a value of its own. */
function lineOf({ general, positions, message }: Reason, total: number, max: number): string {
	return general === undefined
		? `${formatRows(positions, { total, max })}: ${message}`
		: withRows(plural(positions.length, 'row'), general, { positions, total });
}

/** Lines of text as HTML that shows them letter by letter: n8n draws hints and the descriptions of errors as HTML. */
const drawnLines = (lines: readonly string[]): string =>
	lines.map((line) => escape(line)).join('<br>');

/**
 * The message of an error: n8n draws it as text in the node and as HTML in the notice at the edge of the screen, so it has
 * nothing that begins a tag, and no escapes.
 */
const drawnMessage = (text: string): string => text.replace(/<(?=[a-z/!?])/gi, '‹');

/** The hints of a run: what must be read first as a warning, then what happened. */
export function hintsOf(run: Run, labelOf: (row: number) => Label): NodeExecutionHint[] {
	const loss = totalLoss(run, labelOf);
	const warnings = [...(run.alarms ?? []), ...(loss === undefined ? [] : [loss])];
	const lines = loss === undefined ? linesOf(run, labelOf) : [];
	const hints = [
		...warnings.map((text) => ({ type: 'warning' as const, shown: [text] })),
		...(lines.length > 0 ? [{ shown: lines }] : []),
	];
	return hints.map(({ shown, ...hint }) => ({
		...hint,
		// A cell or the name of a column may have any length.
		message: drawnLines(shown.map((text) => shorten(text, MAX_HINT))),
		location: 'outputPane',
	}));
}

/** What a run says that lost all its rows and throws no error, as on a node that continues or in a dry run: the commonest reason first. */
function totalLoss(run: Run, labelOf: (row: number) => Label): string | undefined {
	const { rows, shared = [] } = run;
	const isLost = rows.every(
		({ failure, items }) => failure && failure.kind !== 'skipped' && items.length === 0,
	);
	if (rows.length === 0 || shared.length > 0 || !isLost) return undefined;
	const [commonest] = reasonsByCount(run, labelOf);
	if (!commonest) return undefined;
	const line = lineOf(commonest, rows.length, ROWS.message);
	return sentences([line, commonest.advice, ...summaryOf(run)]);
}

/** The reasons why rows failed, the commonest first. */
const reasonsByCount = (run: Run, labelOf: (row: number) => Label): Reason[] =>
	sortBy(reasonsOf(run, labelOf), ({ positions }) => -positions.length);

const summaryOf = ({ summary, counts = [], notes = [] }: Run): string[] => [
	...(summary === undefined ? [] : [summary]),
	...(counts.length > 0 ? [counts.join(' · ')] : []),
	...notes,
];

const sentences = (texts: ReadonlyArray<string | undefined>): string =>
	texts
		.filter((text) => text !== undefined)
		.join('. ')
		.replaceAll('.. ', '. ');

const MAX_REASONS = 5;

/** The hint of a run, in lines: what happened, why rows are left out with how to fix it, and what else there is to know. */
function linesOf(run: Run, labelOf: (row: number) => Label): readonly string[] {
	const { notes = [] } = run;
	const total = run.rows.length;
	const isShown = run.rows.some(({ failureItem: fields }) => fields !== undefined);
	const reasons = isShown ? reasonsByCount(run, labelOf) : [];
	const lines = reasons.slice(0, MAX_REASONS).map((reason) => {
		const { positions, outcome, general, parts, advice } = reason;
		// What may have arrived was not rejected.
		const became =
			outcome === 'unknown' ? 'unknown' : outcome === 'notSent' ? 'not sent' : 'rejected';
		const count = `${positions.length} ${became}`;
		return sentences([withRows(count, general ?? parts, { positions, total }), advice]);
	});
	const more = sumBy(reasons.slice(MAX_REASONS), 'positions.length');
	const rest = more > 0 ? [`${plural(more, 'more row')} not accepted`] : [];
	const [summary, ...counts] = summaryOf({ ...run, notes: [] });
	return [...compact([sentences([run.none, summary])]), ...counts, ...lines, ...rest, ...notes];
}

/** What puts the problems of a run into words. */
interface Words {
	readonly labelOf: (row: number) => Label;
	/** Whether a parameter is entered once for all rows, with no expression and no column of theirs. */
	readonly isFixed: (path: Problem['path']) => boolean;
}

/** One error for a whole run: its message says which rows failed first and why, its description the rest, with the job IDs. */
export function runError(
	node: INode,
	run: Run,
	{ labelOf, isFixed }: Words,
): NodeApiError | NodeOperationError | undefined {
	// Rows that are shown as items are no error, but are named in that of others.
	const fails = run.rows.some(
		({ failure, failureItem: item }) => failure && !item && failure.kind !== 'skipped',
	);
	if (!fails) return undefined;
	// Rows that were held back say all the same, those that they were held back for say why.
	const [[held], culprits] = partition(
		reasonsOf(run, labelOf).filter(({ isShown }) => !isShown),
		({ failure }) => failure.kind === 'held',
	);
	const first = culprits[0] ?? held;
	if (!first) return undefined;
	const total = run.rows.length;
	const failed = sumBy(culprits, 'positions.length');
	const isOnce =
		first.positions.length === total &&
		first.failure.kind === 'input' &&
		first.failure.problems.every(({ path }) => isFixed(path));
	const alone = total === 1 || first.failure.kind === 'held' || isOnce;
	const where = formatRows(first.positions, { total, max: ROWS.message });
	const wholeList = formatRows(first.positions, { total, max: ROWS.description });
	const lines = culprits.slice(1, MAX_LINES).map((reason) => {
		const line = lineOf(reason, total, ROWS.description);
		const { advice } = reason;
		return advice === undefined || advice === first.advice ? line : `${line}. ${advice}`;
	});
	const more = sumBy(culprits.slice(MAX_LINES), 'positions.length');
	const description = [
		first.advice,
		...(run.alarms ?? []),
		...(total > 1 ? [sentences(summaryOf(run)) || undefined] : []),
		alone || wholeList === where || first.general !== undefined
			? undefined
			: `${wholeList}: as said above`,
		...lines,
		more > 0 ? `and ${more} more rows` : undefined,
		culprits.length > 0 && held ? `The other rows: ${held.message}` : undefined,
		...acceptedLists(run),
	];
	// A model that reads a connection error would try again, and n8n tells it to.
	const isFinal =
		isTool(node) && run.rows.some(({ details }) => details?.['outcome'] === 'unknown');
	const count = failed === total ? allRows(total) : `${failed} of ${total} rows`;
	const share = culprits.length > 1 ? `${count} failed. ` : '';
	const line = lineOf(first, total, ROWS.message);
	const none = first.failure.kind === 'input' ? run.none : undefined;
	const said = alone ? first.message : sentences([`${share}${line}`, none]);
	return nodeError(node, first.failure, {
		...(total === 1 && { itemIndex: 0 }),
		message: `${isFinal ? DO_NOT_REPEAT : ''}${run.happened === undefined ? '' : `${run.happened}. `}${said}`,
		isFinal,
		description: description.filter((line) => line !== undefined),
	});
}

/** The reasons why rows failed that were not left out by choice, in the order of their first rows. */
function reasonsOf(run: Run, labelOf: (row: number) => Label): Reason[] {
	const reasons = new Map<string, Reason & { readonly positions: number[]; isSame: boolean }>();
	for (const [position, { failure, failureItem: item, details }] of run.rows.entries()) {
		if (!failure || failure.kind === 'skipped') continue;
		const isShown = item !== undefined && details === undefined;
		const described = describeFailure(failure, labelOf(position));
		const general = withoutValue(failure, labelOf(position));
		const key = `${isShown} ${general ? JSON.stringify(general) : described.message}`;
		const known = reasons.get(key);
		if (known) {
			known.positions.push(position);
			known.isSame &&= known.message === described.message;
		} else {
			const outcome = item?.['outcome'] ?? details?.['outcome'];
			const parts = partsOf(failure, labelOf(position));
			const reason = { ...described, failure, isShown, outcome, general, parts, isSame: true };
			reasons.set(key, { ...reason, positions: [position] });
		}
	}
	return Array.from(reasons.values(), (reason) =>
		reason.isSame ? { ...reason, general: undefined } : reason,
	);
}

/** The IDs of what was accepted, which no item shows when the node fails. */
function acceptedLists(run: Run): string[] {
	const jobs = idsIn(run, 'jobId').slice(0, MAX_LINES);
	const conversations =
		run.happened === undefined ? [] : idsIn(run, 'conversationId').slice(0, MAX_IDS);
	return [
		...(jobs.length > 0 ? [`Accepted as jobs: ${jobs.join(', ')}`] : []),
		...(conversations.length > 0 ? [`Accepted conversations: ${conversations.join(', ')}`] : []),
	];
}

function idsIn(run: Run, name: 'jobId' | 'conversationId'): string[] {
	const shared = (run.shared ?? []).map(({ item }) => item);
	const listed = shared.flatMap((item): unknown => Reflect.get(item, 'conversations') ?? []);
	const items = [...run.rows.flatMap((row) => row.items), ...shared, ...listed];
	const ids = items.map((item): unknown => Reflect.get(Object(item) as object, name));
	return [...new Set(ids.filter((id): id is string => typeof id === 'string'))];
}

/** The error of a poll that failed; n8n stops asking for a while where its cause is one that passes. */
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
	const { message, advice = '' } = describeFailure(failure, labelIn([]));
	return nodeError(node, failure, { itemIndex: 0, message, description: [advice] });
}

interface Text {
	/** Only where there is one row: n8n counts items from 0 and would contradict the row that the message names. */
	readonly itemIndex?: number;
	readonly message: string;
	/** Lines of text, which n8n draws as HTML. */
	readonly description: readonly string[];
	/** Whether n8n must not call it a failure that passes. */
	readonly isFinal?: boolean;
}

function nodeError(
	node: INode,
	failure: Failure,
	{ itemIndex, message: text, description: lines, isFinal = false }: Text,
): NodeApiError | NodeOperationError {
	const message = drawnMessage(text);
	const description = drawnLines(lines);
	const local = isFinal || ['input', 'held', 'notFinished', 'notFound'].includes(failure.kind);
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
