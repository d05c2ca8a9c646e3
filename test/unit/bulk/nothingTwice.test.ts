import fc from 'fast-check';
import { create } from '../../../src/conversations/create/create';
import type { Operation, Row } from '../../../src/core/operation';
import type { HttpResult } from '../../../src/core/http';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import type { Sent } from '../../support/fakeRuntime';
import { fakeRuntime, jsonLedger, lost, neverSent, reply } from '../../support/fakeRuntime';
import { AGENT, listOf, phoneOf } from '../../support/samples';
import { runRows } from '../../support/runRows';
import { propertyRuns } from '../../support/propertyRuns.mjs';

/** What the service does with a sending: whether it stores the values, and what it answers. */
const faults = {
	ok: [true, reply(200, { jobId: 'job-1' })],
	empty: [true, reply(204)],
	broken: [true, reply(200, '{"jobId": "jo')],
	busy: [false, reply(429)],
	busyForAWhile: [false, reply(429, '', { 'retry-after': '3' })],
	busyForLong: [false, reply(429, '', { 'retry-after': '900' })],
	failedBefore: [false, reply(500)],
	failedAfter: [true, reply(502)],
	timedOut: [true, reply(408)],
	refused: [false, neverSent()],
	resetBefore: [false, lost()],
	resetAfter: [true, lost()],
	hangBefore: [false, lost('ECONNABORTED')],
	hangAfter: [true, lost('ECONNABORTED')],
	forbidden: [false, reply(403)],
	tooLarge: [false, reply(413)],
} as const satisfies Record<string, readonly [boolean, HttpResult]>;

type Fault = keyof typeof faults;

/** Ms for which the service asks where it is busy for a while. */
const BUSY = 3000;

/** Ms after which a client without a reply gives up. */
const TIMEOUT = 120_000;

/** A run of the node: how it is cut, what happens to its sendings in turn, and when the user stops it. */
interface Attempt {
	readonly batchSize: number;
	readonly parallelRequests: number;
	readonly schedule: readonly Fault[];
	readonly latency: readonly number[];
	readonly stopAfter: number | undefined;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
	batchSize: fc.integer({ min: 1, max: 6 }),
	parallelRequests: fc.integer({ min: 1, max: 4 }),
	schedule: fc.array(fc.constantFrom(...(Object.keys(faults) as Fault[])), { maxLength: 14 }),
	latency: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 5 }),
	stopAfter: fc.option(
		fc.oneof(fc.integer({ min: 0, max: 6000 }), fc.integer({ min: 0, max: 3 * TIMEOUT })),
		{ nil: undefined },
	),
});

/** How long each sending takes: those that hang as long as the client waits. */
const latencyOf =
	({ schedule, latency }: Pick<Attempt, 'schedule' | 'latency'>) =>
	(number: number): number =>
		schedule[number - 1]?.startsWith('hang') ? TIMEOUT : (latency[number % latency.length] ?? 1);

/** Rows: each is a list of values, which are small numbers, so some are there twice; `bad` ones are refused. */
const rowsArbitrary = fc.array(fc.array(fc.nat(7), { minLength: 1, maxLength: 4 }), {
	minLength: 1,
	maxLength: 10,
});

/** An operation under test: how its rows look, and how a value is reported in a body. */
interface Subject {
	readonly operation: Operation;
	readonly list: string;
	readonly row: (values: readonly number[], options: object) => Row;
	readonly text: (value: number) => string;
}

const conversations: Subject = {
	operation: create,
	list: 'conversations',
	row: (values, options) => ({
		parameters: {
			inputMode: 'json',
			conversationsJson: values.map((n) => ({ agentId: AGENT, toPhoneNumber: phoneOf(n) })),
			options: { ...options, duplicates: 'sendAll' },
		},
	}),
	text: phoneOf,
};

const customers = (operation: Operation): Subject => ({
	operation,
	list: 'customers',
	row: (values, options) => ({
		parameters: {
			inputMode: 'json',
			customersJson: values.map((n) => ({ identifier: `C-${n}` })),
			options: { ...options, duplicates: 'sendAll' },
		},
	}),
	text: (value) => `C-${value}`,
});

/** The service refuses every request that holds this value, whenever it comes. */
const POISON = 7;

type Tally = Map<string, number>;
const add = (tally: Tally, key: string, count = 1) => tally.set(key, (tally.get(key) ?? 0) + count);

/** The values of a body that was sent, as the texts that tell them. */
const valuesIn = ({ body }: Sent, { list, text }: Subject): string[] =>
	listOf(body, list).map((value) => {
		const known = JSON.stringify(value);
		const number = [0, 1, 2, 3, 4, 5, 6, 7].find((n) => known.includes(`"${text(n)}"`));
		return text(number ?? -1);
	});

/** A service that keeps what it stores, and does to each sending what the schedule says. */
function serve(
	subject: Subject,
	{ schedule, latency, stopAfter }: Attempt,
	store: (value: string) => void,
) {
	return fakeRuntime(
		(sending, number) => {
			const values = valuesIn(sending, subject);
			const [stores, response] = faults[schedule[number - 1] ?? 'ok'];
			// Content is judged after all that comes before it.
			if (stores && values.includes(subject.text(POISON))) return reply(400);
			if (stores) for (const value of values) store(value);
			return response;
		},
		{
			latency: latencyOf({ schedule, latency }),
			...(stopAfter !== undefined && { stopAfter }),
		},
	);
}

/** Runs the node again and again over the same rows, with the same ledger, and checks every account against the service. */
async function runAll(subject: Subject, rows: readonly number[][], attempts: readonly Attempt[]) {
	const wanted: Tally = new Map();
	for (const value of rows.flat()) add(wanted, subject.text(value));
	const stored: Tally = new Map();
	let saved = '{}';
	for (const attempt of attempts) {
		const { batchSize, parallelRequests, schedule, latency, stopAfter } = attempt;
		const { context, sent, runtime } = serve(subject, attempt, (value) => add(stored, value));
		const ledger = jsonLedger(saved);
		const { rows: results } = await runRows(
			subject.operation,
			rows.map((values) => subject.row(values, { batchSize, parallelRequests })),
			context(ledger),
		);
		saved = ledger.save();
		expect(results).toHaveLength(rows.length);

		const reported: Record<string, Tally> = {};
		for (const [i, values] of rows.entries()) {
			const result = results[i];
			const failed = failedIn(result?.failureItem, values.length);
			const outcomes = values.map((_, at) => failed.get(at) ?? 'accepted');
			expect(result?.items).toHaveLength(outcomes.filter((name) => name === 'accepted').length);
			expect(result?.failure === undefined).toBe(failed.size === 0);
			for (const [at, name] of outcomes.entries()) {
				add((reported[name] ??= new Map<string, number>()), subject.text(values[at] ?? -1));
			}
		}
		// What is reported agrees with what is stored: accepted is there, rejected and not sent are not.
		for (const [value, count] of wanted) {
			const at = stored.get(value) ?? 0;
			const accepted = reported['accepted']?.get(value) ?? 0;
			const unknown = reported['unknown']?.get(value) ?? 0;
			expect([value, at >= accepted, at <= accepted + unknown, at <= count]).toEqual([
				value,
				true,
				true,
				true,
			]);
		}
		const stop = stopAfter === undefined ? Infinity : stopAfter;
		const start = Math.min(...sent.map(({ at }) => at), runtime.now());
		for (const { at } of sent) expect(at - start).toBeLessThanOrEqual(stop);
		for (const [i, { at }] of sent.entries()) {
			if (schedule[i] !== 'busyForAWhile') continue;
			const reported = at + latencyOf({ schedule, latency })(i + 1);
			const early = sent.filter((other) => other.at > reported && other.at < reported + BUSY);
			expect(early).toEqual([]);
		}
	}
}

/** The outcomes of the values of a row that were not accepted, by their place. */
function failedIn(
	failureItem: Readonly<Record<string, unknown>> | undefined,
	count: number,
): Map<number, string> {
	if (failureItem === undefined) return new Map();
	if (count === 1) return new Map([[0, String(failureItem['outcome'])]]);
	const failed = failureItem['failed'] as ReadonlyArray<{ index: number; outcome: string }>;
	return new Map(failed.map(({ index, outcome }) => [index, outcome]));
}

describe('whatever happens on the way', () => {
	it.each([
		['no conversation is started twice', conversations],
		['no customer is inserted twice', customers(createBatch)],
	])(
		'%s, and the outcome of every row is true',
		async (_, subject) => {
			await fc.assert(
				fc.asyncProperty(
					rowsArbitrary,
					fc.array(attempt, { minLength: 1, maxLength: 3 }),
					async (rows, attempts) => {
						await runAll(subject, rows, attempts);
					},
				),
				propertyRuns(600),
			);
		},
		60_000,
	);

	it('an upsert that is accepted is stored, and one that is rejected or not sent is not', async () => {
		const subject = customers(upsertBatch);
		await fc.assert(
			fc.asyncProperty(rowsArbitrary, attempt, async (rows, chosen) => {
				const stored = new Set<string>();
				const { context } = serve(subject, chosen, (value) => stored.add(value));
				// Each value once, so what is stored can be reported from the outcome.
				const single = [...new Set(rows.flat())];
				const { batchSize, parallelRequests } = chosen;
				const { rows: results } = await runRows(
					subject.operation,
					single.map((value) => subject.row([value], { batchSize, parallelRequests })),
					context(),
				);
				expect(results).toHaveLength(single.length);
				for (const [i, value] of single.entries()) {
					const name = results[i]?.failureItem?.['outcome'] ?? 'accepted';
					if (name === 'unknown') continue;
					expect([value, name, stored.has(subject.text(value))]).toEqual([
						value,
						name,
						name === 'accepted',
					]);
				}
			}),
			propertyRuns(600),
		);
	}, 60_000);
});
