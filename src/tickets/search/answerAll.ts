import type { AdaptiveConcurrency } from '../../core/adaptiveConcurrency';
import type { CallError, Client } from '../../core/client';
import { createLimiter, mapConcurrent } from '../../core/concurrency';
import type { KnownService, ReadResult } from './fetchPage';
import { unknownService } from './fetchPage';
import { selectColumns } from './neededColumns';
import type { Lookup, Question } from './planLookups';
import { lookupQuery, MAX_VALUES, planLookups } from './planLookups';
import { readLookup } from './readLookup';
import type { ReadSettings, SearchRun } from './readTickets';
import { concurrencyOf, createPageReader, readTickets } from './readTickets';

/** What became of one question; `note` says how, where there was no other. */
export type Answer = ReadResult & { readonly note?: string };

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
	// What stands before an offset may be hidden, so only the service can count it.
	const { lookups, alone } = settings.offset > 0 ? { lookups: [], alone: all } : planLookups(all);
	await workOff(run, [
		...lookups.map((lookup) => async () => await share(run, lookup)),
		...alone.map((question) => async () => await ask(run, question)),
	]);
	const answers = new Map<Question, Answer>();
	for (const [i, question] of questions.entries()) {
		const { note, ...answer } = run.answers.get(distinct.get(keys[i]) ?? question) ?? { rows: [] };
		const isOnly = note !== undefined && questions.length === 1;
		answers.set(question, { ...answer, ...(isOnly && { note }) });
	}
	return { answers, requests: run.count.requests };
}

/** What all questions of a run share. */
interface QuestionRun {
	readonly settings: ReadSettings;
	readonly search: SearchRun;
	/** How many requests all of them together may have in progress at once. */
	readonly concurrency: AdaptiveConcurrency;
	readonly known: KnownService;
	readonly answers: Map<Question, Answer>;
	readonly count: { requests: number; readings: number };
	/** The longest list of values that the service took, and the longest to ask for. */
	readonly lists: { taken: number; max: number };
}

function startRun(settings: ReadSettings, wire: Client): QuestionRun {
	const concurrency = concurrencyOf(settings.parallelRequests);
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
	const search: SearchRun = {
		client,
		dialectCache: { known },
		concurrency: { ...concurrency, limit: () => Math.max(1, Math.floor(share())) },
	};
	const lists = { taken: 1, max: MAX_VALUES };
	return { settings, search, concurrency, known, answers: new Map(), count, lists };
}

/** Does work side by side, but the first of it alone until a page shows how the service is. */
async function workOff(
	{ known, concurrency }: QuestionRun,
	[first, ...others]: ReadonlyArray<() => Promise<void>>,
): Promise<void> {
	if (!first) return;
	const page = new Promise<void>((resolve) => {
		known.onPage = resolve;
	});
	const begun = first();
	await Promise.race([begun, page]);
	const rest = mapConcurrent(
		others,
		() => concurrency.limit(),
		async (task) => await task(),
	);
	await Promise.all([begun, rest]);
}

/** Asks one question with requests of its own. */
async function ask(run: QuestionRun, question: Question): Promise<void> {
	const { settings, search } = run;
	const { query, limit } = question;
	const wanted = { ...settings, ...(limit !== undefined && { limit }) };
	const answer = await reading(run, async () => await readTickets(query, wanted, search));
	run.answers.set(question, answer);
}

/** Asks the questions of a lookup together, and those alone whose answer could be another one then. */
async function share(run: QuestionRun, lookup: Lookup): Promise<void> {
	const { settings, search, lists, answers } = run;
	const questions = lookup.members.map(({ question }) => question);
	const size = new Set(lookup.members.flatMap(({ values }) => values)).size;
	if (questions.length === 1) return await askEach(run, questions);
	if (size > lists.max) return await shareHalves(run, lookup);
	const { filters, select } = lookupQuery(lookup);
	const reader = createPageReader(settings, search, filters);
	const result = await reading(run, async () => await readLookup(lookup, reader));
	const { failure } = result;
	if (failure && mayBeForTheList(failure)) {
		lists.max = Math.max(lists.taken, Math.min(lists.max, Math.floor(size / 2)));
		return await shareHalves(run, lookup);
	}
	if (!failure) lists.taken = Math.max(lists.taken, size);
	for (const [question, rows] of result.answers)
		answers.set(question, { rows: selectColumns(rows, select) });
	const open = questions.filter((question) => !answers.has(question));
	if (!failure) return await askEach(run, open);
	for (const question of open) answers.set(question, { rows: [], failure, position: START });
}

const START = { offset: 0 };

const mayBeForTheList = (failure: CallError): boolean =>
	failure.kind === 'contract' ||
	(failure.kind === 'api' && [400, 413, 414, 422].includes(failure.status));

async function shareHalves(run: QuestionRun, { members, ...lookup }: Lookup): Promise<void> {
	const middle = Math.ceil(members.length / 2);
	const halves = [members.slice(0, middle), members.slice(middle)];
	await Promise.all(halves.map(async (half) => await share(run, { ...lookup, members: half })));
}

async function askEach(run: QuestionRun, questions: readonly Question[]): Promise<void> {
	const limit = (): number => run.concurrency.limit();
	await mapConcurrent(questions, limit, async (question) => await ask(run, question));
}

async function reading<T>({ count }: QuestionRun, read: () => Promise<T>): Promise<T> {
	count.readings += 1;
	try {
		return await read();
	} finally {
		count.readings -= 1;
	}
}
