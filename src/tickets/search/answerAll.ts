import omit from 'lodash/omit';
import { createAdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import type { Filters } from '../filters/schema';
import type { PageReader } from '../service/fetchPage';
import { unknownService } from '../service/fetchPage';
import type { Lookup, Question } from './lookups';
import { lookupQuery, MAX_VALUES, planLookups, readLookup, valuesOf } from './lookups';
import { ENDLESS } from './query';
import type { SearchResult } from './readTickets';
import { readTickets, selectColumns } from './readTickets';

/** How a run reads: from which offset, in pages of which size, with how many requests at once, and how long (ms) it waits. */
export interface ReadSettings {
	readonly offset: number;
	readonly pageSize: number;
	readonly parallelRequests: number;
	readonly timeoutMs: number;
}

/** What became of one question; `note` says how, where there was no other. */
export type Answer = Omit<SearchResult, 'note'> & { readonly note?: string };

/** What became of each question, and how many requests that took. */
export interface Answers {
	readonly answers: ReadonlyMap<Question, Answer>;
	readonly requests: number;
}

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
	const found = new Map<Question, Answer>();
	const known = { ...unknownService(), mayProbe: all.length > 1 };
	/** The longest list of values that the service took, that it was shown to heed, and the longest to ask for. */
	const lists = { taken: 1, proven: 1, max: MAX_VALUES };
	const count = { requests: 0, readings: 0 };

	/** How many requests all of them together may have in progress at once, and the share of each. */
	const concurrency = createAdaptiveConcurrency({ start: INITIAL_PARALLEL, max: parallelRequests });
	const limit = (): number => concurrency.limit();
	const share = (): number => Math.max(1, Math.floor(limit() / Math.max(1, count.readings)));
	const limited = createLimiter(limit);
	const client: Client = {
		deliver: async (...request) => await wire.deliver(...request),
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
		const asked = lookup.members.map(({ question }) => question);
		const values = valuesOf(lookup);
		if (asked.length === 1 || known.down) return void (await askEach(asked));
		if (values.length > lists.max) return await askInHalves(lookup);
		const { answers, failure, unmatched, heeded, isHeeded } = await reading(
			lookupQuery(lookup, { in: values }).filters,
			true,
			async (reader) => await readLookup(lookup, reader, lists.proven),
		);
		lists.proven = Math.max(lists.proven, heeded);
		for (const [question, rows] of isHeeded || failure ? answers : [])
			found.set(question, { rows: selectColumns(rows, lookup.query.select) });
		const open = asked.filter((question) => !found.has(question));
		// What is wrong with all that a list asks for is not wrong with the list.
		if (failure && (failure === ENDLESS || (unmatched ?? lookup.column) !== lookup.column)) {
			const answer = { rows: [], failure, ...(unmatched && { unmatched }) };
			for (const question of open) found.set(question, answer);
		} else if (isHeeded && !failure) {
			lists.taken = Math.max(lists.taken, values.length);
			await askEach(open);
		} else {
			lists.max = Math.max(lists.taken, heeded, Math.floor(values.length / 2));
			// Whether it was the list shows with one that is asked alone.
			await askEach(open.slice(0, 1));
			const rest = lookup.members.filter(({ question }) => open.indexOf(question) > 0);
			await askInHalves({ ...lookup, members: rest });
		}
	}

	/** One half after the other, so the second one is not longer than the first one shows that it may be. */
	async function askInHalves(lookup: Lookup): Promise<void> {
		const { members } = lookup;
		const middle = Math.ceil(members.length / 2);
		for (const half of [members.slice(0, middle), members.slice(middle)])
			if (half.length > 0) await askTogether({ ...lookup, members: half });
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
		questions.map((question, i) => {
			const answer: Answer = found.get(distinct.get(keys[i]) ?? question) ?? { rows: [] };
			return [question, questions.length === 1 ? answer : omit(answer, 'note')] as const;
		}),
	);
	return { answers, requests: count.requests };
}
