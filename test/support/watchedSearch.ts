import { ticketNumberRange } from '../../src/tickets/columns';
import type { Filters } from '../../src/tickets/filters/schema';
import { answerAll } from '../../src/tickets/search/answerAll';
import type { Question } from '../../src/tickets/search/lookups';
import type { SortRule } from '../../src/tickets/search/query';
import type { SearchResult } from '../../src/tickets/search/readTickets';
import { numberOf } from '../../src/tickets/service/values';
import { fakeRuntime } from './fakeRuntime';
import { listOf, members, uuidOf } from './samples';
import { pagination, upTo } from './tickets';
import type { Kept, World } from './world';
import { friendly, kept, START, WorldService } from './world';

/** Searches in a service of the tickets 1 to `count`, and what becomes of these meanwhile. */
export interface Watched {
	readonly count: number;
	readonly pageSize?: number;
	readonly parallel?: number;
	readonly limit?: number;
	readonly offset?: number;
	/** Rules as `title`, or `-title` for the other direction. */
	readonly sort?: string;
	/** The filters of each search; one that has none without it. */
	readonly filters?: readonly Filters[];
	readonly select?: Question['query']['select'];
	readonly world?: Partial<World>;
	/** What differs from ticket to ticket. */
	readonly tickets?: (n: number) => Partial<Kept>;
	/** Before a request, by its number: tickets that go, come, or get a title that stands behind all others. */
	readonly changes?: Readonly<
		Record<number, { readonly go?: number[]; readonly come?: number[]; readonly move?: number[] }>
	>;
}

/** The n-th ticket: titles and times stand in the order of the numbers, and two customers have them in turn. */
const theTicket = (n: number, more: Partial<Kept> = {}): Kept =>
	kept(n + 1_000, {
		ticketNumber: n,
		title: String(n + 1_000),
		createdAt: START + n * 1_000_000,
		customerId: uuidOf(n % 2),
		isShared: n % 2 === 0,
		...more,
	});

const rulesOf = (sort: string): SortRule[] =>
	sort === ''
		? []
		: sort.split(' ').map((rule) => ({
				column: rule.replace('-', '') as SortRule['column'],
				direction: rule.startsWith('-') ? 'desc' : 'asc',
			}));

/** Numbers in short: those that follow one another as `1-5`, and `?` for none. */
function numbersInShort(rows: SearchResult['rows']): string {
	const runs: number[][] = [];
	for (const number of rows.map((row) => numberOf(row) ?? NaN)) {
		const run = runs.at(-1);
		const isNext = Math.abs(number - (run?.at(-1) ?? NaN)) === 1 && number !== run?.at(-2);
		if (run && isNext) run.push(number);
		else runs.push([number]);
	}
	const texts = runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(' ')));
	return texts.join(' ').replace(/NaN/g, '?');
}

const EDGES: Readonly<Record<string, string>> = {
	[ticketNumberRange.min]: 'min',
	[ticketNumberRange.max]: 'max',
};

/**
 * A request in short: the first letters of the columns that it sorts by (n for the number, capitals in the other spelling),
 * the bounds of the numbers in [], the length of a list (or any value) in {}, offset and limit.
 */
function requestInShort(body: unknown): string {
	const { limit, offset } = pagination(body);
	const filters = members(members(body)['filters']);
	const { gte, lte, isNull } = members(filters['ticketNumber']);
	const [from, to] = [gte, lte].map((bound) => EDGES[String(bound)] ?? String(bound ?? ''));
	const range = isNull === true ? 'none' : `${from}..${to}`;
	const list = Object.values(filters).flatMap((operands) => listOf(operands, 'in'));
	const isOfAny = Object.values(filters).some((operands) => 'isNotNull' in members(operands));
	const sort = listOf(body, 'sort').map((rule) => {
		const { field, column, direction } = members(rule);
		const name = String(field ?? column).replace('ticketN', 'n');
		const letter = field === undefined ? name.charAt(0).toUpperCase() : name.charAt(0);
		return direction === 'desc' ? `-${letter}` : letter;
	});
	return [
		sort.join(''),
		range === '..' ? '' : `[${range}]`,
		list.length > 0 ? `{${list.length}}` : '',
		isOfAny ? '{any}' : '',
		`${offset}+${limit}`,
	].join('');
}

/** Runs searches; requests that were under way together are joined with `&`. */
export async function watch({
	count,
	pageSize = 5,
	parallel = 1,
	limit,
	offset = 0,
	sort = '',
	filters = [{}],
	select = [],
	world = {},
	tickets = () => ({}),
	changes = {},
}: Watched) {
	let now = upTo(count).map((n) => theTicket(n, tickets(n)));
	const service = new WorldService(now, { ...friendly, ...world });
	const { sent, context } = fakeRuntime(
		({ body, at }, number) => {
			const { go = [], come = [], move = [] } = changes[number] ?? {};
			if (number in changes) {
				now = now
					.filter((one) => !go.includes(one.ticketNumber ?? NaN))
					.map((one) => (move.includes(one.ticketNumber ?? NaN) ? { ...one, title: 'z' } : one));
				now.push(...come.map((n) => theTicket(n)));
				service.change(now);
			}
			return service.answer(body, at);
		},
		{ latency: 10 },
	);
	const questions = filters.map((own): Question => ({
		query: { filters: own, sort: rulesOf(sort), select },
		...(limit !== undefined && { limit }),
	}));
	const settings = { offset, pageSize, parallelRequests: parallel, timeoutMs: 1_000 };
	const { answers } = await answerAll(questions, settings, context().client);
	const requests: string[] = [];
	for (const [i, { body, at }] of sent.entries()) {
		const short = requestInShort(body);
		if (i > 0 && sent[i - 1]?.at === at) requests.push(`${requests.pop()}&${short}`);
		else requests.push(short);
	}
	const asked = sent.length > MOST_SHOWN ? `${sent.length} requests` : inSequence(requests);
	return { asked, answers: questions.map((one) => inWords(answers.get(one))) };
}

/** Of more requests than these only their count is shown. */
const MOST_SHOWN = 40;

/** What was asked several times in a row stands there once, with how often. */
function inSequence(requests: readonly string[]): string {
	const runs: Array<{ readonly text: string; times: number }> = [];
	for (const text of requests) {
		const last = runs.at(-1);
		if (last?.text === text) last.times += 1;
		else runs.push({ text, times: 1 });
	}
	return runs.map(({ text, times }) => (times > 1 ? `${text}*${times}` : text)).join(' ');
}

/** What a search gave, and its note or its error. */
function inWords({ rows, failure, position, note = '' }: SearchResult = { rows: [] }) {
	const found = numbersInShort(rows);
	if (!failure) return [found, note];
	const message = 'message' in failure ? failure.message : failure.kind;
	const [[place, at] = []] = Object.entries(position ?? {});
	return [found, place === undefined ? message : `${message} (${place} ${at})`];
}
