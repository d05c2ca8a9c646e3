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
import { notFinished, summarizeWait } from './waitSummary';
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

/** Reads the ID in a web address: the ID after `/conversations/`, or the last one. */
function readId(value: unknown): unknown {
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

/** A pause between two checks: seconds as entered, ms as read. */
const pause = numberBetween('seconds', 0.1, 3600).transform((seconds) => seconds * 1000);

/** The parameter of one row of Conversation > Get. */
const getRow = z.looseObject({
	conversationId: z.preprocess((value) => readId(chosenValue(value)), uuid),
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

/** Reads conversations by ID, optionally until they are finished (interface: GET /conversations/{conversationId}). */
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
	const requested = [...rows].map(readRow);
	const isInvalid = requested.some((row) => 'problems' in row);
	// No one waits for minutes for an error that is certain now.
	const isOver = waitUntilFinished && isInvalid && context.failsAsWhole === true;
	const ids = requested.flatMap((row) => ('input' in row ? [row.input.conversationId] : []));
	const polled = await pollConversations(isOver ? [] : uniq(ids), poll, context);
	const unchanged = requested.filter(({ unchanged: item }) => item !== undefined).length;
	const read = polled.reads.size;
	const summary = compact([
		unchanged > 0 && read > 0 && !waitUntilFinished && `${plural(read, 'conversation')} read`,
		unchanged > 0 && `${plural(unchanged, 'row')} without a conversation kept as they were`,
		summarizeWait(polled, poll),
	]).join('. ');
	return {
		rows: requested.map((row) => {
			if (row.unchanged) return { items: [row.unchanged] };
			if ('problems' in row) return invalidRow(row.problems);
			const last = polled.reads.get(row.input.conversationId);
			return last ? toResult(last, row.created, parsed.input) : { items: [] };
		}),
		...(summary !== '' && { summary }),
	};
}

/** The columns of Conversation > Create, in their order. */
const CREATED = ['row', 'outcome', 'reason', 'toPhoneNumber', 'conversationId', 'request'];

/** An item of Conversation > Create; a sheet may have another column `outcome`. */
const createdItem = z.looseObject({
	row: z.int(),
	outcome: z.enum(['accepted', 'rejected', 'unknown', 'notSent', 'wouldSend', 'unchanged']),
	reason: z.string(),
});

/** Reads the ID of a row. An item of Create without a conversation is passed on unchanged. */
function readRow(row: Row) {
	const created = ['parameters.inputRow', 'parameters.inputRow.details']
		.map((path) => createdItem.safeParse(valueAt(row, path)).data)
		.find((item) => item !== undefined);
	const chosen = chosenValue(valueAt(row, 'parameters.conversationId'));
	// An item with an ID shows that the expression is misspelt.
	if (created && isBlank(chosen) && isBlank(created['conversationId']))
		return { unchanged: created };
	return { created, ...parseRow(getRow, row) };
}

function toResult(
	{ read, waitedMs }: LastRead,
	created: object | undefined,
	{ waitUntilFinished, output, columns, options }: GetSettings,
): RowResult {
	if (!read.ok) return { items: [], failure: read.failure };
	const conversation = read.value;
	const finished = isFinished(conversation, options.finishedStates);
	if (waitUntilFinished && !finished && options.ifNotFinished === 'fail') {
		const { conversationStatus = null } = conversation;
		const failureItem = { conversationStatus, waitedSeconds: Math.round(waitedMs / 100) / 10 };
		return { items: [], failure: notFinished(conversation, waitedMs), failureItem };
	}
	// Each row gets a new item, because a later node may change it.
	if (output === 'raw')
		return { items: [{ ...conversation, ...(waitUntilFinished && { finished }) }] };
	const withId = columns.includes('conversationId') ? columns : ID_COLUMN.concat(columns);
	const fields =
		output === 'simplified'
			? simplify(conversation, options)
			: selectFields(conversation, withId, options);
	// All rows of a campaign have the same first columns.
	return { items: [{ ...pick(created, CREATED), ...fields }] };
}

const ID_COLUMN: ConversationField[] = ['conversationId'];
