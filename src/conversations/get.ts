import type { Desk, Operation, Row, RowResult, Run } from '../core/operation';
import { parseRow } from '../core/operation';
import { simpleConversationSchema, simplify } from './conversation';
import { isFinished } from './finished';
import type { Input } from './getInput';
import { input } from './getInput';
import type { Known, Reading } from './readings';
import { readAll } from './readings';
import { notFinished, summaryOf } from './waited';

/** Reads conversations by their IDs, until they are finished where that is asked for (interface: GET /conversations/{conversationId}). */
export const get: Operation = { output: simpleConversationSchema, run };

async function run(rows: Iterable<Row>, desk: Desk): Promise<Run> {
	const distinct = new Map<string, Reading>();
	const wanted = Array.from(rows, (row) => {
		const parsed = parseRow(input, row);
		if ('problems' in parsed) return parsed;
		const reading = readingOf(parsed.input);
		const key = JSON.stringify({ ...reading, id: reading.id.toLowerCase() });
		const shared = distinct.get(key) ?? reading;
		distinct.set(key, shared);
		return { input: parsed.input, reading: shared };
	});
	const first = wanted.find((each) => 'input' in each);
	const readings = [...distinct.values()];
	const done = await readAll(readings, first?.input.options.parallelRequests ?? 1, desk);
	const summary = summaryOf(readings, done);
	return {
		rows: wanted.map((each) =>
			'problems' in each
				? { items: [], failure: { kind: 'input', problems: each.problems } }
				: resultOf(each.input, done.of(each.reading)),
		),
		...(summary !== undefined && { summary }),
	};
}

function readingOf({ conversationId: id, waitUntilFinished, options }: Input): Reading {
	const { timeout, finishedStates: states, maximumWait, firstPause, longestPause } = options;
	return waitUntilFinished
		? { id, timeout, states, maximumWait, firstPause, longestPause }
		: { id, timeout, states, maximumWait: 0, firstPause: 0, longestPause: 0 };
}

function resultOf({ options, ...row }: Input, { read, waited }: Known): RowResult {
	if (!read.ok) return { items: [], failure: read.failure };
	const conversation = read.value;
	const finished = isFinished(conversation, options.finishedStates);
	if (row.waitUntilFinished && !finished && options.ifNotFinished === 'fail') {
		const { conversationStatus = null } = conversation;
		const details = { conversationStatus, waitedSeconds: Math.round(waited / 100) / 10 };
		return { items: [], failure: notFinished(conversation, waited), details };
	}
	if (row.simplify) return { items: [simplify(conversation, options.finishedStates)] };
	return { items: [row.waitUntilFinished ? { ...conversation, finished } : conversation] };
}
