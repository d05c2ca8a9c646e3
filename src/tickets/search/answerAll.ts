import chunk from 'lodash/chunk';
import type { CallError, Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import { createAdaptiveConcurrency } from '../../core/pacing';
import { ok } from '../../core/result';
import type { PageReader } from '../service/fetchPage';
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
		spelling: { current: 'formal', isSettled: false },
	};
	const distinct = new Map(questions.map((question) => [JSON.stringify(question), question]));
	const found = new Map<Question, SearchResult>();

	const ask = async (lookup: Lookup): Promise<void> => {
		const { column, questions: together } = lookup;
		const read = together.length > 1 ? await readLookup(lookup, reader) : ok(new Map());
		if (read.ok) {
			for (const [question, result] of read.value) found.set(question, result);
			const open = together.filter((question) => !found.has(question));
			await mapConcurrent(open, concurrency.limit, async (question) => {
				const { query, ...limit } = question;
				found.set(question, await readTickets(query, { offset, ...limit }, reader));
			});
		} else if (isMaybeTooLong(read.failure)) {
			for (const half of chunk(together, Math.ceil(together.length / 2)))
				await ask({ column, questions: half });
		} else
			for (const question of together) found.set(question, { rows: [], failure: read.failure });
	};

	const asked = [...distinct.values()];
	const lookups =
		offset === 0 && asked.length > 1
			? planLookups(asked)
			: asked.map((one): Lookup => ({ column: 'id', questions: [one] }));
	await mapConcurrent(lookups, concurrency.limit, ask);
	const answers = questions.map((question) => {
		const first = distinct.get(JSON.stringify(question)) ?? question;
		return [question, found.get(first) ?? { rows: [] }] as const;
	});
	return { answers: new Map(answers), requests };
}

/** Whether a list of values may have been longer than the service accepts. */
const isMaybeTooLong = (failure: CallError): boolean =>
	failure.kind === 'api' && [400, 413, 414, 422].includes(failure.status);
