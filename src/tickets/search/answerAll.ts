import chunk from 'lodash/chunk';
import { createAdaptiveConcurrency } from '../../core/pacing';
import type { Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import type { Filters } from '../filters/schema';
import type { PageReader } from '../service/fetchPage';
import { unknownService } from '../service/fetchPage';
import type { Lookup, Question } from './lookups';
import { lookupQuery, MAX_VALUES, planLookups, readLookup, valuesOf } from './lookups';
import { ENDLESS, MAX_PAGE_SIZE } from './query';
import type { SearchResult } from './readTickets';
import { readTickets, selectColumns } from './readTickets';

/** How a run reads: from which offset, in pages of which size, with how many requests at once, and how long (ms) it waits. */
export interface ReadSettings {
	readonly offset: number;
	readonly pageSize: number;
	readonly parallelRequests: number;
	readonly timeoutMs: number;
}

/** What became of each question, and how many requests that took. */
export interface Answers {
	readonly answers: ReadonlyMap<Question, SearchResult>;
	readonly requests: number;
}

/** As fast as the service lets: what is read with no settings of the user. */
export const FAST = { offset: 0, pageSize: MAX_PAGE_SIZE, parallelRequests: 20 } as const;

const INITIAL_PARALLEL = 8;

/** Answers all searches of a run: equal ones once, those that differ in one value together, and the others side by side. */
export async function answerAll(
	questions: readonly Question[],
	{ offset, pageSize, parallelRequests, timeoutMs }: ReadSettings,
	wire: Client,
): Promise<Answers> {
	const keys = questions.map((question) => JSON.stringify(question));
	const distinct = new Map(questions.map((question, i) => [keys[i], question]));
	const all = [...distinct.values()];
	const found = new Map<Question, SearchResult>();
	const known = { ...unknownService(), mayProbe: all.length > 1 };
	/** How many values of a list the service was shown to heed, and the most to ask for. */
	const lists = { proven: 1, max: MAX_VALUES };
	const count = { requests: 0, readings: 0 };

	/** How many requests all of them together may have in progress at once, and the share of each. */
	const concurrency = createAdaptiveConcurrency({ start: INITIAL_PARALLEL, max: parallelRequests });
	const { limit } = concurrency;
	const share = (): number => Math.max(1, Math.floor(limit() / Math.max(1, count.readings)));
	const limited = createLimiter(limit);
	const client: Client = {
		...wire,
		call: async (...request) => {
			count.requests += 1;
			return await limited(async () => await wire.call(...request));
		},
	};

	/** Reads with a reader of its own. */
	async function reading<T>(
		filters: Filters,
		isList: boolean,
		read: (reader: PageReader) => Promise<T>,
	): Promise<T> {
		const reader = {
			...{ client, concurrency: { ...concurrency, limit: share }, pageSize, timeoutMs, known },
			...{ filters, isList, requests: 0 },
		};
		count.readings += 1;
		try {
			return await read(reader);
		} finally {
			count.readings -= 1;
		}
	}

	/** Asks one question with requests of its own. */
	async function ask(question: Question): Promise<void> {
		const { query, limit: most } = question;
		const wanted = { offset, ...(most !== undefined && { limit: most }) };
		const answer = await reading(
			query.filters,
			false,
			async (reader) => await readTickets(query, wanted, reader),
		);
		found.set(question, answer);
	}

	const askEach = async (some: readonly Question[]): Promise<unknown> =>
		await mapConcurrent(some, () => (known.isUp ? limit() : 1), ask);

	/** Asks the questions of a lookup together, and those alone whose answer could be another one then. */
	async function askTogether(lookup: Lookup): Promise<void> {
		const { column, questions: asked } = lookup;
		const values = valuesOf(lookup);
		if (asked.length === 1 || known.down) return void (await askEach(asked));
		if (values.length > lists.max) return await askInHalves(lookup);
		const { answers, failure, unmatched, heeded } = await reading(
			lookupQuery(lookup, { in: values }).filters,
			true,
			async (reader) => await readLookup(lookup, reader, lists.proven),
		);
		lists.proven = Math.max(lists.proven, heeded);
		const isHeeded = heeded === values.length;
		for (const [question, rows] of isHeeded || failure ? answers : [])
			found.set(question, { rows: selectColumns(rows, question.query.select) });
		const open = asked.filter((question) => !found.has(question));
		// What is wrong with all that a list asks for is not wrong with the list.
		if (failure && (failure === ENDLESS || (unmatched ?? column) !== column)) {
			const answer = { rows: [], failure, ...(unmatched && { unmatched }) };
			for (const question of open) found.set(question, answer);
		} else if (isHeeded) await askEach(open);
		else {
			lists.max = Math.max(lists.proven, Math.floor(values.length / 2));
			// Whether it was the list shows with one that is asked alone.
			await askEach(open.slice(0, 1));
			await askInHalves({ column, questions: open.slice(1) });
		}
	}

	/** One half after the other, so the second one is not longer than the first one shows that it may be. */
	async function askInHalves({ column, questions: asked }: Lookup): Promise<void> {
		for (const half of chunk(asked, Math.ceil(asked.length / 2)))
			await askTogether({ column, questions: half });
	}

	/** Does work one after another until a page shows that the service is up, and then side by side. */
	async function workOff([first, ...others]: ReadonlyArray<() => Promise<void>>): Promise<void> {
		if (!first) return;
		const begun = first();
		await Promise.race([begun, new Promise<void>((resolve) => (known.onPage = resolve))]);
		if (!known.isUp && !known.down) return await workOff(others);
		await Promise.all([begun, mapConcurrent(others, limit, async (task) => await task())]);
	}

	// What stands before an offset may be hidden, so only the service can count it.
	const isAlone = offset > 0 || all.length === 1;
	const { lookups, alone } = isAlone ? { lookups: [], alone: all } : planLookups(all);
	await workOff([
		...lookups.map((lookup) => async () => await askTogether(lookup)),
		...alone.map((question) => async () => await ask(question)),
	]);
	const answers = new Map(
		questions.map(
			(one, i) => [one, found.get(distinct.get(keys[i]) ?? one) ?? { rows: [] }] as const,
		),
	);
	return { answers, requests: count.requests };
}
