import fc from 'fast-check';
import { create } from '../../../src/conversations/create/create';
import type { Operation, Row } from '../../../src/core/operation';
import type { HttpResult } from '../../../src/core/http';
import { createBatch, upsertBatch } from '../../../src/customers/batch';
import type { Sent } from '../../support/fakeRuntime';
import { fakeRuntime, jsonLedger, lost, neverSent, reply } from '../../support/fakeRuntime';
import { AGENT, listOf, members, phoneOf } from '../../support/samples';
import { outcomeOf, runRows } from '../../support/runRows';
import { propertyRuns } from '../../support/propertyRuns.mjs';

/** Faults of the service: whether it stores the values, and its response. */
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

/** The time in ms after which a client without a response gives up. */
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

/** The duration of each sending; a sending that hangs lasts as long as the client waits. */
const latencyOf =
	({ schedule, latency }: Pick<Attempt, 'schedule' | 'latency'>) =>
	(number: number): number =>
		schedule[number - 1]?.startsWith('hang') ? TIMEOUT : (latency[number % latency.length] ?? 1);

/** The values of the rows, which are small numbers, so some are there twice. */
const valuesArbitrary = fc.array(fc.nat(7), { minLength: 1, maxLength: 24 });

/** An operation under test: its rows, and the text of a value in a body. */
interface Subject {
	readonly operation: Operation;
	readonly list: string;
	readonly row: (value: number, options: object, name: string) => Row;
	readonly text: (value: number) => string;
}

const conversations: Subject = {
	operation: create,
	list: 'conversations',
	row: (value, options) => ({
		parameters: {
			inputMode: 'fields',
			agentId: AGENT,
			toPhoneNumber: phoneOf(value),
			options,
		},
	}),
	text: phoneOf,
};

const customers = (operation: Operation): Subject => ({
	operation,
	list: 'customers',
	row: (value, options, name) => ({
		parameters: { inputMode: 'fields', customer: { identifier: `C-${value}`, name }, options },
	}),
	text: (value) => `C-${value}`,
});

/** The service rejects every request with this value, whenever it arrives. */
const POISON = 7;

type Tally = Map<string, number>;
const add = (tally: Tally, key: string, count = 1) => tally.set(key, (tally.get(key) ?? 0) + count);

/** The values of a request body, each as its identifying text. */
const readValues = ({ body }: Sent, { list }: Subject): string[] =>
	listOf(body, list).map((value) => {
		const { identifier, toPhoneNumber } = members(value);
		return String(identifier ?? toPhoneNumber);
	});

/** A service that keeps the values it stores, and treats each sending as scheduled. */
function serve(
	subject: Subject,
	{ schedule, latency, stopAfter }: Attempt,
	store: (value: string) => void,
) {
	return fakeRuntime(
		(sending, number) => {
			const values = readValues(sending, subject);
			const [stores, response] = faults[schedule[number - 1] ?? 'ok'];
			// Content is checked after everything that precedes it.
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

/** Runs the node repeatedly over the same rows and ledger, and compares each report with the service. */
async function runAll(subject: Subject, values: readonly number[], attempts: readonly Attempt[]) {
	const wanted: Tally = new Map();
	for (const value of values) add(wanted, subject.text(value));
	const stored: Tally = new Map();
	let saved = '{}';
	for (const attempt of attempts) {
		const { batchSize, parallelRequests, schedule, latency, stopAfter } = attempt;
		const { context, sent, runtime } = serve(subject, attempt, (value) => add(stored, value));
		const ledger = jsonLedger(saved);
		const { rows: results } = await runRows(
			subject.operation,
			values.map((value) => subject.row(value, { batchSize, parallelRequests }, 'Ana')),
			context(ledger),
		);
		saved = ledger.save();
		expect(results).toHaveLength(values.length);

		const reported: Record<string, Tally> = {};
		for (const [i, value] of values.entries()) {
			const name = String(results[i] && outcomeOf(results[i]));
			expect(results[i]?.items).toHaveLength(name === 'accepted' ? 1 : 0);
			add((reported[name] ??= new Map<string, number>()), subject.text(value));
		}
		// Reports agree with the store: it contains accepted rows, but no rejected and no unsent ones.
		for (const value of wanted.keys()) {
			const at = stored.get(value) ?? 0;
			const accepted = reported['accepted']?.get(value) ?? 0;
			const unknown = reported['unknown']?.get(value) ?? 0;
			expect([value, at >= accepted, at <= accepted + unknown, at <= 1]).toEqual([
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

describe('whatever happens on the way', () => {
	it.each([
		['no conversation is started twice', conversations],
		['no customer is inserted twice', customers(createBatch)],
	])(
		'%s, and the outcome of every row is true',
		async (_, subject) => {
			await fc.assert(
				fc.asyncProperty(
					valuesArbitrary,
					fc.array(attempt, { minLength: 1, maxLength: 3 }),
					async (values, attempts) => {
						await runAll(subject, values, attempts);
					},
				),
				propertyRuns(600),
			);
		},
		60_000,
	);

	const duplicates = fc.constantFrom('keepFirst', 'keepLast');
	it('an accepted upsert is stored, a rejected one is not, and no customer is in two requests at once', async () => {
		const subject = customers(upsertBatch);
		await fc.assert(
			fc.asyncProperty(valuesArbitrary, attempt, duplicates, async (values, chosen, kept) => {
				const stored = new Set<string>();
				const { context, sent } = serve(subject, chosen, (value) => stored.add(value));
				const { batchSize, parallelRequests } = chosen;
				const options = { batchSize, parallelRequests, duplicates: kept };
				const { rows: results } = await runRows(
					subject.operation,
					values.map((value, i) => subject.row(value, options, `row ${i}`)),
					context(),
				);
				const texts = values.map(subject.text);
				const keptAt = (text: string): number =>
					kept === 'keepFirst' ? texts.indexOf(text) : texts.lastIndexOf(text);
				expect(results).toHaveLength(texts.length);
				for (const [i, text] of texts.entries()) {
					const name = results[i] && outcomeOf(results[i]);
					if (keptAt(text) !== i) expect([i, name]).toEqual([i, 'notSent']);
					else if (name !== 'unknown')
						expect([i, name === 'accepted']).toEqual([i, stored.has(text)]);
				}
				const ends = new Map<string, number>();
				for (const [i, request] of sent.entries()) {
					const sentValues = readValues(request, subject);
					expect(sentValues).toEqual([...new Set(sentValues)]);
					const names = listOf(request.body, 'customers').map((each) => members(each)['name']);
					expect(names).toEqual(sentValues.map((text) => `row ${keptAt(text)}`));
					for (const text of sentValues) {
						expect(request.at).toBeGreaterThanOrEqual(ends.get(text) ?? 0);
						ends.set(text, request.at + latencyOf(chosen)(i + 1));
					}
				}
			}),
			propertyRuns(600),
		);
	}, 60_000);
});
