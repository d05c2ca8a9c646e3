import chunk from 'lodash/chunk';
import groupBy from 'lodash/groupBy';
import type { CallError, Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import { createPicker } from '../../core/output';
import { createAdaptiveConcurrency } from '../../core/pacing';
import { ok } from '../../core/result';
import type { PageReader } from '../service/fetchPage';
import type { Lookup } from './lookups';
import { planLookups, readLookup } from './lookups';
import type { Question } from './query';
import { MAX_PAGE_SIZE } from './query';
import type { SearchResult } from './readTickets';
import { readTickets } from './readTickets';

/** The settings of a run: first offset, page size, parallel requests, and ms to wait for a response. */
export interface ReadSettings {
	readonly offset: number;
	readonly pageSize: number;
	readonly parallelRequests: number;
	readonly timeoutMs: number;
}

/** The settings of reads without options in the panel. */
export const FAST = { offset: 0, pageSize: MAX_PAGE_SIZE, parallelRequests: 20 } as const;

const INITIAL_LOOKUPS = 8;

/** Answers all searches of a run. Equal searches share a request, also those that differ in one value. */
export async function answerAll(
	questions: readonly Question[],
	{ offset, pageSize, parallelRequests, timeoutMs }: ReadSettings,
	client: Client,
): Promise<{ answers: ReadonlyMap<Question, SearchResult>; requests: number }> {
	const concurrency = createAdaptiveConcurrency({ start: INITIAL_LOOKUPS, max: parallelRequests });
	const runLimited = createLimiter(concurrency.limit);
	let requests = 0;
	const limited: Client = {
		...client,
		call: async (...call) => {
			requests += 1;
			return await runLimited(async () => await client.call(...call));
		},
	};
	const reader: PageReader = {
		...{ client: limited, concurrency, pageSize, timeoutMs },
		spelling: { current: 'formal', isSettled: false },
	};
	const groups = Object.values(groupBy(questions, (question) => JSON.stringify(question)));
	const distinct = groups.flatMap((equal) => equal.slice(0, 1));
	const isShareable = offset === 0 && distinct.length > 1;
	const lookups = isShareable
		? planLookups(distinct)
		: distinct.map((one) => ({ questions: [one] }));
	const answered = await mapConcurrent(
		lookups,
		concurrency.limit,
		async (lookup) => await answerLookup(lookup, offset, reader),
	);
	const results = new Map(answered.flat());
	const answers = new Map<Question, SearchResult>();
	for (const equal of groups) {
		const [question] = equal;
		const result = question && results.get(question);
		if (!result) continue;
		const { select } = question.query;
		const rows = select.length === 0 ? result.rows : result.rows.map(createPicker(select));
		for (const each of equal) answers.set(each, { ...result, rows });
	}
	return { answers, requests };
}

type Answer = readonly [Question, SearchResult];

/** Answers the questions of a lookup together; halves a list that the service rejects. */
async function answerLookup(
	{ column, questions }: Lookup,
	offset: number,
	reader: PageReader,
): Promise<readonly Answer[]> {
	const { limit } = reader.concurrency;
	const read =
		questions.length > 1 ? await readLookup({ column, questions }, reader) : ok(new Map());
	if (read.ok) {
		const open = questions.filter((question) => !read.value.has(question));
		const alone = await mapConcurrent(
			open,
			limit,
			async (question) => [question, await readTickets(question, offset, reader)] as const,
		);
		return [...read.value, ...alone];
	}
	const { failure } = read;
	if (!isMaybeTooLong(failure))
		return questions.map((question) => [question, { rows: [], failure }] as const);
	const halves = chunk(questions, Math.ceil(questions.length / 2));
	const answers = await mapConcurrent(
		halves,
		limit,
		async (half) => await answerLookup({ column, questions: half }, offset, reader),
	);
	return answers.flat();
}

/** Whether a list of values may have been longer than the service accepts. */
const isMaybeTooLong = (failure: CallError): boolean =>
	failure.kind === 'api' && [400, 413, 414, 422].includes(failure.status);
