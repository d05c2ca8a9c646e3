import chunk from 'lodash/chunk';
import type { CallError, Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import { createAdaptiveConcurrency } from '../../core/pacing';
import { ok } from '../../core/result';
import type { PageReader } from '../service/fetchPage';
import { isRefusal, unsettledSpelling } from '../service/fetchPage';
import type { Lookup, Question } from './lookups';
import { planLookups, readLookup } from './lookups';
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

/** The result of each question, and how many requests they took. */
export interface Answers {
	readonly answers: ReadonlyMap<Question, SearchResult>;
	readonly requests: number;
}

/** The settings of reads without options in the panel. */
export const FAST = { offset: 0, pageSize: MAX_PAGE_SIZE, parallelRequests: 20 } as const;

const INITIAL_PARALLEL = 8;

/** Answers all searches of a run: equal ones once, those that differ in one value together, others side by side. */
export async function answerAll(
	questions: readonly Question[],
	{ offset, pageSize, parallelRequests, timeoutMs }: ReadSettings,
	client: Client,
): Promise<Answers> {
	const concurrency = createAdaptiveConcurrency({ start: INITIAL_PARALLEL, max: parallelRequests });
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
		spelling: unsettledSpelling(),
	};
	const distinct = new Map(questions.map((question) => [JSON.stringify(question), question]));
	const found = new Map<Question, SearchResult>();

	const askAlone = async (question: Question): Promise<void> => {
		const { query, limit } = question;
		const wanted = { offset, ...(limit !== undefined && { limit }) };
		found.set(question, await readTickets(query, wanted, reader));
	};

	const askTogether = async (lookup: Lookup): Promise<void> => {
		const { questions: together, column } = lookup;
		const read = together.length > 1 ? await readLookup(lookup, reader) : ok(new Map());
		if (read.ok) {
			for (const [question, result] of read.value) found.set(question, result);
			const open = together.filter((question) => !found.has(question));
			await mapConcurrent(open, concurrency.limit, askAlone);
		} else if (mayBeTooLong(read.failure)) {
			for (const half of chunk(together, Math.ceil(together.length / 2)))
				await askTogether({ column, questions: half });
		} else
			for (const question of together) found.set(question, { rows: [], failure: read.failure });
	};

	const lookups = offset > 0 ? [] : planLookups([...distinct.values()]);
	const shared = new Set(lookups.flatMap((lookup) => lookup.questions));
	const alone = [...distinct.values()].filter((question) => !shared.has(question));
	const tasks = [
		...lookups.map((lookup) => async () => await askTogether(lookup)),
		...alone.map((question) => async () => await askAlone(question)),
	];
	await mapConcurrent(tasks, concurrency.limit, async (task) => await task());
	const answerTo = (question: Question): SearchResult =>
		found.get(distinct.get(JSON.stringify(question)) ?? question) ?? { rows: [] };
	return { answers: new Map(questions.map((one) => [one, answerTo(one)])), requests };
}

/** Whether a list of values may have been longer than the service accepts. */
const mayBeTooLong = (failure: CallError): boolean =>
	isRefusal(failure) || (failure.kind === 'api' && [413, 414].includes(failure.status));
