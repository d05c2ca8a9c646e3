import compact from 'lodash/compact';
import valueAt from 'lodash/get';
import pick from 'lodash/pick';
import uniq from 'lodash/uniq';
import type {
	Operation,
	OperationContext,
	Row,
	RowResult,
	Run,
	RunInput,
} from '../../core/operation';
import { invalidRun, invalidRow, parseRow } from '../../core/operation';
import type { ConversationField } from './fields';
import { conversationFields } from './fields';
import {
	endReasons,
	finishedStates,
	isFinished,
	selectFields,
	simpleConversationSchema,
	simplify,
} from './conversation';
import type { LastRead } from './pollConversations';
import { pollConversations } from './pollConversations';
import { notFinished, summaryOf } from './waitSummary';
import { z } from 'zod/v4';
import {
	chosenValue,
	collectionOf,
	numberBetween,
	timeout,
	trueOrFalse,
	uuid,
	wholeNumber,
} from '../../core/schemas';
import { outputParameters, someSelected } from '../../core/output';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import { MINUTE_MS } from '../../core/time';
import { isBlank } from '../../core/plainText';
import { plural } from '../../core/words';

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const AFTER_CONVERSATIONS = /\/conversations\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** The ID in a web address: the one behind `/conversations/`, or else the last one. */
function idIn(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*https?:\/\//i.test(value)) return value;
	const [address = ''] = value.split(/[?#]/);
	return AFTER_CONVERSATIONS.exec(address)?.[1] ?? address.match(UUIDS)?.at(-1) ?? value;
}

const MAX_WAIT = 1440;

const MINUTES = `must be a number of minutes above 0, up to ${MAX_WAIT}. To read without waiting, turn Wait Until Finished off`;

/** How long to wait: minutes as entered, ms as read. */
const maximumWait = z
	.preprocess(
		(value) => (typeof value === 'string' ? Number(value) : value),
		z.number({ error: MINUTES }).gt(0, { error: MINUTES }).max(MAX_WAIT, { error: MINUTES }),
	)
	.transform((minutes) => minutes * MINUTE_MS);

/** A pause between two looks: seconds as entered, ms as read. */
const pause = numberBetween('seconds', 0.1, 3600).transform((seconds) => seconds * 1000);

/** The parameter of one row of Conversation > Get. */
const getRow = z.looseObject({
	conversationId: z.preprocess((value) => idIn(chosenValue(value)), uuid),
});

const fieldNames = Object.keys(conversationFields) as ConversationField[];

/** The settings of a run of Conversation > Get. */
const getSettings = z
	.looseObject({
		...outputParameters(fieldNames, 'field of a conversation'),
		waitUntilFinished: trueOrFalse.default(false),
		options: collectionOf(
			z.looseObject({
				callAgainReasons: endReasons.prefault('user_did_not_answer'),
				finishedStates: finishedStates.prefault('completed'),
				firstPause: pause.prefault(5),
				ifNotFinished: z
					.enum(['return', 'fail'], { error: 'must be return or fail' })
					.default('return'),
				longestPause: pause.prefault(60),
				maximumWait: maximumWait.prefault(10),
				parallelRequests: wholeNumber(1, 20).default(20),
				timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS),
			}),
		).prefault({}),
	})
	.refine(...someSelected);

/** The checked settings of a run. */
export type GetSettings = z.infer<typeof getSettings>;

/** Reads conversations by their IDs, until they are finished where that is asked for (interface: GET /conversations/{conversationId}). */
export const get: Operation = {
	output: simpleConversationSchema,
	settings: getSettings,
	rowParameters: ['conversationId'],
	run,
};

async function run({ settings, rows }: RunInput, context: OperationContext): Promise<Run> {
	const parsed = parseRow(getSettings, settings);
	if ('problems' in parsed) return invalidRun(rows, parsed.problems);
	const { waitUntilFinished, options } = parsed.input;
	const poll = {
		timeoutMs: options.timeout,
		finishedStates: options.finishedStates,
		maxWaitMs: waitUntilFinished ? options.maximumWait : 0,
		initialDelayMs: options.firstPause,
		maxDelayMs: options.longestPause,
		parallelRequests: options.parallelRequests,
	};
	const all = [...rows];
	const passed = all.map(passedOn);
	const wanted = all.map((row) => parseRow(getRow, row));
	const isInvalid = wanted.some((row, i) => 'problems' in row && !passed[i]);
	// No one waits for minutes for an error that is there at once.
	const isOver = waitUntilFinished && isInvalid && context.failsAsWhole === true;
	const asked = wanted.flatMap((row) =>
		isOver || 'problems' in row ? [] : [row.input.conversationId],
	);
	const polled = await pollConversations(uniq(asked), poll, context);
	const count = compact(passed).length;
	const read = polled.reads.size;
	const summary = compact([
		count > 0 && read > 0 && !waitUntilFinished && `${plural(read, 'conversation')} read`,
		count > 0 && `${plural(count, 'row')} without a conversation kept as they were`,
		summaryOf(polled, poll),
	]).join('. ');
	return {
		rows: wanted.map((row, i) => {
			const unchanged = passed[i];
			if (unchanged) return { items: [unchanged] };
			if ('problems' in row) return invalidRow(row.problems);
			const last = polled.reads.get(row.input.conversationId);
			const result = toResult(last, parsed.input);
			if (parsed.input.output === 'raw') return result;
			// With what Create said of the row: all rows of a campaign have the same first columns.
			const created = pick(createdIn(all[i]), CREATED);
			return { ...result, items: result.items.map((item) => ({ ...created, ...item })) };
		}),
		...(summary !== '' && { summary }),
	};
}

/** The columns of Conversation > Create, in their order. */
const CREATED = ['row', 'outcome', 'reason', 'toPhoneNumber', 'conversationId', 'request'];

/** What every item of Conversation > Create has; a sheet may have an outcome of its own. */
const createdItem = z.looseObject({
	row: z.int(),
	outcome: z.enum(['accepted', 'rejected', 'unknown', 'notSent', 'wouldSend', 'unchanged']),
	reason: z.string(),
});

/** The input row where it is such an item, or the error of one. */
const createdIn = (row: Row | undefined): z.infer<typeof createdItem> | undefined =>
	['parameters.inputRow', 'parameters.inputRow.details']
		.map((path) => createdItem.safeParse(valueAt(row, path)).data)
		.find((created) => created !== undefined);

/** An item of Create that started no conversation: it has no ID of its own that a misspelt expression misses. */
function passedOn(row: Row): object | undefined {
	const created = createdIn(row);
	if (!created) return undefined;
	const chosen = chosenValue(valueAt(row, 'parameters.conversationId'));
	const ids = [chosen, created['conversationId']];
	return ids.every(isBlank) ? created : undefined;
}

function toResult(
	last: LastRead | undefined,
	{ waitUntilFinished, output, columns, options }: GetSettings,
): RowResult {
	if (!last) return { items: [] };
	const { read, waitedMs } = last;
	if (!read.ok) return { items: [], failure: read.failure };
	const conversation = read.value;
	const finished = isFinished(conversation, options.finishedStates);
	if (waitUntilFinished && !finished && options.ifNotFinished === 'fail') {
		const { conversationStatus = null } = conversation;
		const failureItem = { conversationStatus, waitedSeconds: Math.round(waitedMs / 100) / 10 };
		return { items: [], failure: notFinished(conversation, waitedMs), failureItem };
	}
	if (output === 'simplified') return { items: [simplify(conversation, options)] };
	if (output === 'selected') {
		const withId = columns.includes('conversationId')
			? columns
			: ['conversationId' as const, ...columns];
		return { items: [selectFields(conversation, withId, options)] };
	}
	// What comes after may change the item of a conversation that several rows share.
	return { items: [{ ...conversation, ...(waitUntilFinished && { finished }) }] };
}
