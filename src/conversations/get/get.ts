import { compact, get as valueAt, pick, uniq } from 'lodash';
import type { Operation, Row, RowResult } from '../../core/operation';
import { invalidRun, invalidRow, parseRow } from '../../core/operation';
import { conversationFields, type ConversationField } from './fields';
import {
	endReasons,
	finishedStates,
	isFinished,
	selectFields,
	simpleConversationSchema,
	simplifiedFields,
} from './conversation';
import { pollConversations, summarizeWait, type LastRead } from './pollConversations';
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
import { outputParameters, returnedFields, requireSelectedColumns } from '../../core/output';
import { DEFAULT_TIMEOUT_SECONDS } from '../../core/http';
import { MINUTE_MS } from '../../core/time';
import { isBlank } from '../../core/plainText';
import { plural } from '../../core/words';

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** Reads the last ID in the path of a web address. Returns other values unchanged. */
function readId(value: unknown): unknown {
	if (typeof value !== 'string' || !/^\s*https?:\/\//i.test(value)) return value;
	const [address = ''] = value.split(/[?#]/);
	return address.match(UUIDS)?.at(-1) ?? value;
}

/** How long to wait: minutes as entered, ms as read. */
const maximumWait = numberBetween('minutes', 0.001, 1440).transform(
	(entered) => entered * MINUTE_MS,
);

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
				maximumWait: maximumWait.prefault(10),
				parallelRequests: wholeNumber(1, 20).default(20),
				timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS), // As entered.
			}),
		).prefault({}),
	})
	.refine(...requireSelectedColumns);

type GetSettings = z.infer<typeof getSettings>;

/** Reads the conversations of all rows, and waits for them if the user chose to. */
const run: Operation['run'] = async ({ settings, rows }, context) => {
	const parsed = parseRow(getSettings, settings);
	if ('problems' in parsed) return invalidRun(rows, parsed.problems);
	const { waitUntilFinished, options } = parsed.input;
	const poll = { ...options, maximumWait: waitUntilFinished ? options.maximumWait : 0 };
	const requested = [...rows].map(readRequested);
	const ids = requested.flatMap((row) => ('input' in row ? [row.input.conversationId] : []));
	// If one invalid row fails the whole node, no result is returned, so nothing is read.
	const isStopped = context.failsAsWhole === true && requested.some((row) => 'problems' in row);
	const polled = await pollConversations(isStopped ? [] : uniq(ids), poll, context);
	const unchanged = requested.filter(({ unchanged: item }) => item !== undefined).length;
	const summary = compact([
		unchanged > 0 && `Kept as they were: ${plural(unchanged, 'row')} without a conversation`,
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
		columns: CREATED,
	};
};

/** Reads conversations by ID, optionally until they are finished (interface: GET /conversations/{conversationId}). */
export const get: Operation = {
	output: simpleConversationSchema,
	settings: getSettings,
	rowParameters: ['conversationId'],
	run,
};

/** The columns of Conversation > Create, in their order. */
const CREATED = ['row', 'outcome', 'reason', 'toPhoneNumber', 'conversationId', 'request'];

/** An item of Conversation > Create; a sheet may have another column `outcome`. */
const createdItem = z.looseObject({
	row: z.int(),
	outcome: z.enum(['accepted', 'rejected', 'unknown', 'notSent', 'wouldSend', 'unchanged']),
	reason: z.string(),
});

/** Reads the ID of a row, and its item of Create (`created`), also from the details of an error item. Without a conversation this item stays unchanged. */
function readRequested(row: Row) {
	const created = ['parameters.inputRow', 'parameters.inputRow.details']
		.map((path) => createdItem.safeParse(valueAt(row, path)).data)
		.find((item) => item !== undefined);
	const chosen = chosenValue(valueAt(row, 'parameters.conversationId'));
	// An item with an ID but a blank expression is an error, because the expression is misspelt.
	if (created && isBlank(chosen) && isBlank(created['conversationId']))
		return { unchanged: created };
	return { created, ...parseRow(getRow, row) };
}

/** Makes the item of a row, or its failure. Except raw, it begins with columns of its item of Create (`created`). */
function toResult(read: LastRead, created: object | undefined, settings: GetSettings): RowResult {
	const { waitUntilFinished, output, options } = settings;
	if (!read.ok) return { items: [], failure: read.failure };
	const conversation = read.value;
	// Raw output is the response as it came, with the result of the wait. Other outputs select `finished` like a field.
	const result = waitUntilFinished && {
		finished: isFinished(conversation, options.finishedStates),
	};
	if (output === 'raw') return { items: [{ ...conversation, ...result }] };
	const names = returnedFields(settings, { simplified: simplifiedFields, id: 'conversationId' });
	const fields = selectFields(conversation, names, options);
	// The columns of Create come first, so all rows of a campaign align.
	return { items: [{ ...pick(created, CREATED), ...fields }] };
}
