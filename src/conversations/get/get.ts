import { compact, get as valueAt, uniq } from 'lodash';
import type { Operation, Row, RowResult } from '../../core/operation';
import { failAllRows, invalidRow, parseRow } from '../../core/operation';
import { conversationFields, type ConversationField } from './fields';
import {
	endReasons,
	finishedStates,
	isFinished,
	selectFields,
	simpleConversationSchema,
	simplifiedFields,
	type Conversation,
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

/** How long to wait: minutes as entered, ms as read. */
const maximumWait = numberBetween('minutes', 0.1, 1440).transform((entered) => entered * MINUTE_MS);

/** A pause between two checks: seconds as entered, ms as read. */
const pause = numberBetween('seconds', 0.1, 3600).transform((seconds) => seconds * 1000);

/** The parameter of one row of Conversation > Get. */
const getRow = z.looseObject({ conversationId: z.preprocess(chosenValue, uuid) });

const fieldNames = Object.keys(conversationFields) as ConversationField[];

/** The settings of a run of Conversation > Get. */
const getSettings = z
	.looseObject({
		...outputParameters(fieldNames, 'field of a conversation'),
		waitUntilFinished: trueOrFalse.default(false),
		asTool: z.boolean().default(false),
		options: collectionOf(
			z.looseObject({
				callAgainReasons: endReasons.prefault('user_did_not_answer'),
				finishedStates: finishedStates.prefault('completed'),
				firstPause: pause.prefault(5),
				includeOtherFields: trueOrFalse.optional(),
				maximumWait: maximumWait.prefault(10),
				parallelRequests: wholeNumber(1, 20).default(20),
				timeout: timeout.prefault(DEFAULT_TIMEOUT_SECONDS), // As entered.
			}),
		).prefault({}),
	})
	.refine(...requireSelectedColumns);

type GetSettings = z.infer<typeof getSettings>;

/** Reads each conversation of the rows, repeatedly if the user chose to wait until it is finished. */
const run: Operation['run'] = async ({ settings, rows, count }, context) => {
	const parsed = parseRow(getSettings, settings);
	if ('problems' in parsed) return failAllRows(count, { kind: 'input', problems: parsed.problems });
	const { waitUntilFinished, options } = parsed.input;
	const poll = { ...options, maximumWait: waitUntilFinished ? options.maximumWait : 0 };
	const requested = [...rows].map(readRequested);
	const ids = requested.flatMap((row) => ('input' in row ? [row.input.conversationId] : []));
	// If one invalid row fails the whole node, no result is returned, so nothing is read.
	const willFail = context.failsAsWhole === true && requested.some((row) => 'problems' in row);
	const polled = await pollConversations(willFail ? [] : uniq(ids), poll, context);
	const passedOn = requested.filter((row) => 'passedOn' in row).length;
	const summary = compact([
		passedOn > 0 && `Passed on: ${plural(passedOn, 'row')} without a conversation`,
		summarizeWait(polled, poll),
	]).join('. ');
	return {
		rows: requested.map((row) => toResult(row, polled.reads, parsed.input)),
		...(summary !== '' && { summary }),
		columns: parsed.input.output === 'raw' ? { leading: [], trailing: [] } : COLUMNS,
		includesInput: options.includeOtherFields ?? !parsed.input.asTool, // An agent has its input.
	};
};

/** Reads conversations by ID, optionally until they are finished (interface: GET /conversations/{conversationId}). */
export const get: Operation = {
	output: simpleConversationSchema,
	settings: getSettings,
	parameters: {
		conversationId: { perRow: true, byModel: true, gap: 'clearsText' },
		output: { byModel: true },
		columns: { byModel: true },
	},
	run,
};

/** The columns with which items begin and end. The person follows the first two, so a table shows both. */
const COLUMNS = {
	leading: ['reached', 'conversationStatus'],
	trailing: ['outcome', 'reason', 'row', 'request', 'code', 'customerId', 'agentId'],
};

/** Reads the ID of a row; `passedOn` for an item of Conversation > Create that started no conversation. */
function readRequested(row: Row) {
	// For an empty ID entered by URL, n8n reports a problem. The row may still be passed on, by its readable parameters.
	const parameters: unknown = row.problems ? row.readable : row.parameters;
	const inputRow: unknown = valueAt(parameters, 'inputRow');
	// The node adds `inputRow`, the columns of the row. n8n's error items have the fields of a failed row under `details`.
	const createItem = [inputRow, valueAt(inputRow, 'details')].find(
		(item) => typeof valueAt(item, 'outcome') === 'string',
	);
	const chosen = chosenValue(valueAt(parameters, 'conversationId'));
	// If the item has an ID, but the expression gives none, the expression is misspelt, so the row is invalid.
	if (createItem && isBlank(chosen) && isBlank(valueAt(createItem, 'conversationId')))
		return { passedOn: createItem as object };
	return parseRow(getRow, row);
}

/** Returns the result of a row: its conversation, its failure, or the row itself if it is passed on. */
function toResult(
	row: ReturnType<typeof readRequested>,
	reads: ReadonlyMap<string, LastRead>,
	settings: GetSettings,
): RowResult {
	if ('passedOn' in row) return { items: [row.passedOn], isPassedOn: true };
	if ('problems' in row) return invalidRow(row.problems);
	const read = reads.get(row.input.conversationId);
	if (!read) return { items: [] }; // Nothing is read if the whole node will fail.
	if (!read.ok) return { items: [], failure: read.failure };
	return { items: [toItem(read.value, settings)] };
}

/** Builds the item of a conversation in the chosen output. */
function toItem(conversation: Conversation, settings: GetSettings): object {
	const { waitUntilFinished, output, options } = settings;
	if (output === 'raw') {
		// Raw output is the unchanged response. Only a wait adds its result.
		const finished = isFinished(conversation, options.finishedStates);
		return { ...conversation, ...(waitUntilFinished && { finished }) };
	}
	const names = returnedFields(settings, { simplified: simplifiedFields, id: 'conversationId' });
	return selectFields(conversation, names, options);
}
