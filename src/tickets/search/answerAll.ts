import omit from 'lodash/omit';
import type { AdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import { createAdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import type { Filters } from '../filters/schema';
import type { Knowledge, PageReader } from '../service/fetchPage';
import { unknownService } from '../service/fetchPage';
import type { Lookup, Question } from './planLookups';
import { lookupQuery, MAX_VALUES, planLookups, valuesOf } from './planLookups';
import { ENDLESS } from './query';
import { readLookup } from './readLookup';
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

/** Answers all searches of a run: equal ones once, those that differ in one value together, and the others side by side. */
export async function answerAll(
	questions: readonly Question[],
	settings: ReadSettings,
	client: Client,
): Promise<Answers> {
	const keys = questions.map((question) => JSON.stringify(question));
	const distinct = new Map(questions.map((question, i) => [keys[i], question]));
	const run = startRun(settings, client);
	const all = [...distinct.values()];
	run.known.mayProbe = all.length > 1;
	// What stands before an offset may be hidden, so only the service can count it.
	const isAlone = settings.offset > 0 || all.length === 1;
	const { lookups, alone } = isAlone ? { lookups: [], alone: all } : planLookups(all);
	const tasks = [
		...lookups.map((lookup) => async () => await share(run, lookup)),
		...alone.map((question) => async () => await ask(run, question)),
	];
	await workOff(run, tasks);
	const answers = new Map(
		questions.map((question, i) => {
			const answer: Answer = run.answers.get(distinct.get(keys[i]) ?? question) ?? { rows: [] };
			return [question, questions.length === 1 ? answer : omit(answer, 'note')] as const;
		}),
	);
	return { answers, requests: run.count.requests };
}

/** What all questions of a run share. */
interface QuestionRun {
	readonly known: Knowledge;
	/** How many requests all of them together may have in progress at once. */
	readonly concurrency: AdaptiveConcurrency;
	readonly readerOf: (filters: Filters, isList: boolean) => PageReader;
	readonly settings: ReadSettings;
	readonly answers: Map<Question, Answer>;
	readonly count: { requests: number; readings: number };
	/** The longest list of values that the service took, that it was shown to heed, and the longest to ask for. */
	readonly lists: { taken: number; proven: number; max: number };
}

const INITIAL_PARALLEL = 8;

function startRun(settings: ReadSettings, wire: Client): QuestionRun {
	const { parallelRequests, timeoutMs, pageSize } = settings;
	const concurrency = createAdaptiveConcurrency({ start: INITIAL_PARALLEL, max: parallelRequests });
	const limited = createLimiter(() => concurrency.limit());
	const known = unknownService();
	const count = { requests: 0, readings: 0 };
	const client: Client = {
		deliver: async (...request) => await wire.deliver(...request),
		call: async (...request) => {
			count.requests += 1;
			return await limited(async () => await wire.call(...request));
		},
	};
	const share = (): number => concurrency.limit() / Math.max(1, count.readings);
	const own = { ...concurrency, limit: () => Math.max(1, Math.floor(share())) };
	const readerOf = (filters: Filters, isList: boolean): PageReader => ({
		...{ client, concurrency: own, pageSize, timeoutMs, known, filters, isList, requests: 0 },
	});
	const lists = { taken: 1, proven: 1, max: MAX_VALUES };
	return { known, concurrency, readerOf, settings, answers: new Map(), count, lists };
}

/** Does work one after another until a page shows that the service is up, and then side by side. */
async function workOff(
	run: QuestionRun,
	[first, ...others]: ReadonlyArray<() => Promise<void>>,
): Promise<void> {
	if (!first) return;
	const begun = first();
	const isUp = new Promise<void>((resolve) => {
		run.known.onPage = resolve;
	});
	await Promise.race([begun, isUp]);
	if (!run.known.isUp && !run.known.down) return await workOff(run, others);
	const limit = (): number => run.concurrency.limit();
	const rest = mapConcurrent(others, limit, async (task) => await task());
	await Promise.all([begun, rest]);
}

/** Asks one question with requests of its own. */
async function ask(run: QuestionRun, question: Question): Promise<void> {
	const { query, limit } = question;
	const wanted = { offset: run.settings.offset, ...(limit !== undefined && { limit }) };
	const reader = run.readerOf(query.filters, false);
	const answer = await counted(run, async () => await readTickets(query, wanted, reader));
	run.answers.set(question, answer);
}

/** Asks the questions of a lookup together, and those alone whose answer could be another one then. */
async function share(run: QuestionRun, lookup: Lookup): Promise<void> {
	const { lists, answers, known } = run;
	const questions = lookup.members.map(({ question }) => question);
	const { length } = valuesOf(lookup);
	if (questions.length === 1 || known.down) return await askEach(run, questions);
	if (length > lists.max) return await shareHalves(run, lookup);
	const { filters, select } = lookupQuery(lookup, valuesOf(lookup));
	const reader = run.readerOf(filters, true);
	const result = await counted(run, async () => await readLookup(lookup, reader, lists.proven));
	const { unmatched } = reader;
	lists.proven = Math.max(lists.proven, result.heeded);
	for (const [question, rows] of result.isHeeded || result.failure ? result.answers : [])
		answers.set(question, { rows: selectColumns(rows, select) });
	// What is wrong with all that a list asks for is not wrong with the list.
	const isOther = result.failure === ENDLESS || (unmatched ?? lookup.column) !== lookup.column;
	if (result.failure && isOther) {
		const answer = { rows: [], failure: result.failure, ...(unmatched && { unmatched }) };
		for (const question of questions) if (!answers.has(question)) answers.set(question, answer);
		return;
	}
	const isTaken = result.isHeeded && result.failure === undefined;
	if (!isTaken) {
		lists.max = Math.max(lists.taken, result.heeded, Math.floor(length / 2));
		const [one, ...rest] = lookup.members.filter(({ question }) => !answers.has(question));
		// Whether it was the list shows with one that is asked alone.
		if (one) await ask(run, one.question);
		return await shareHalves(run, { ...lookup, members: rest });
	}
	lists.taken = Math.max(lists.taken, length);
	await askEach(
		run,
		questions.filter((question) => !answers.has(question)),
	);
}

/** One half after the other, so the second one is not longer than the first one shows that it may be. */
async function shareHalves(run: QuestionRun, { members, ...lookup }: Lookup): Promise<void> {
	const middle = Math.ceil(members.length / 2);
	for (const half of [members.slice(0, middle), members.slice(middle)])
		if (half.length > 0) await share(run, { ...lookup, members: half });
}

async function askEach(run: QuestionRun, questions: readonly Question[]): Promise<void> {
	const limit = (): number => (run.known.isUp ? run.concurrency.limit() : 1);
	await mapConcurrent(questions, limit, async (question) => await ask(run, question));
}

async function counted<T>({ count }: QuestionRun, read: () => Promise<T>): Promise<T> {
	count.readings += 1;
	try {
		return await read();
	} finally {
		count.readings -= 1;
	}
}
