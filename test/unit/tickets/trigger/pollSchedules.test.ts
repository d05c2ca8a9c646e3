import fc from 'fast-check';
import type { HttpResult } from '../../../../src/core/http';
import { parseTime } from '../../../../src/tickets/ticket';
import { poll } from '../../../../src/tickets/trigger/poll';
import { lost, reply } from '../../../support/fakeRuntime';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import { pollContext } from '../../../support/trigger';
import type { Manners, Standing } from '../../../support/triggerService';
import { plain, TriggerService } from '../../../support/triggerService';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 15, 12, 0, 0, 371);

type Happening =
	| { readonly kind: 'wait'; readonly ms: number }
	| {
			readonly kind: 'create' | 'update';
			readonly n: number;
			readonly urgent: boolean;
			readonly lateMs: number;
	  }
	| { readonly kind: 'future'; readonly aheadMs: number }
	| { readonly kind: 'answered' | 'closed' | 'reopened'; readonly n: number };

type Step =
	| Happening
	| { readonly kind: 'poll'; readonly failsAt?: number | undefined }
	| { readonly kind: 'twoPolls' | 'killedPoll' | 'restart' | 'filter' | 'workspace' };

interface Schedule {
	readonly manners: Manners;
	readonly before: readonly Happening[];
	readonly steps: readonly Step[];
	/** The events right before each request; with them, a poll may take any time. */
	readonly between?: ReadonlyArray<readonly Happening[]>;
	readonly max: number;
	/** The minutes that a customer waits until the event; without them, each change is the event. */
	readonly waitFor?: number | undefined;
}

const { constant, constantFrom, integer, nat, oneof, record } = fc;

/** Less than the overlap, minus whole seconds, clock differences and responses in progress. */
const lateMs = oneof(constant(0), constant(0), integer({ min: 0, max: 2 * MINUTE - 1 }));
const waitUpTo = (...most: number[]) =>
	record({ kind: constant('wait' as const), ms: oneof(...most.map((ms) => nat(ms))) });
const changeOf = (...counts: number[]) =>
	record({
		kind: constantFrom('create' as const, 'update' as const),
		n: constantFrom(...counts),
		urgent: constantFrom(true, true, false),
		lateMs,
	});
const pollWith = (failsAt: fc.Arbitrary<number | undefined>) =>
	record({ kind: constant('poll' as const), failsAt });
const fails = constantFrom(1, 2, 3, 4);

/** Any service, and many changes between two polls. */
const wait = waitUpTo(900, 90_000, 90 * MINUTE);
const change = changeOf(1, 2, 3, 40, 120);
const services = record({
	manners: record({
		skewMs: constantFrom(0, 0, -2 * MINUTE, 2 * MINUTE),
		times: constantFrom<Array<Manners['times']>>('ms', 'noZone', 'offset', 'seconds'),
		spelling: constantFrom('formal' as const, 'narrative' as const),
		refusal: constantFrom(400 as const, 422 as const),
	}).map((manners) => ({ ...plain, ...manners })),
	before: fc.array(oneof(wait, change), { maxLength: 4 }),
	steps: fc.array(
		oneof<Array<fc.WeightedArbitrary<Step>>>(
			{ weight: 12, arbitrary: wait },
			{ weight: 18, arbitrary: change },
			{ weight: 14, arbitrary: pollWith(constant(undefined)) },
			{ weight: 3, arbitrary: pollWith(fails) },
			{ weight: 3, arbitrary: record({ kind: constantFrom('restart', 'filter', 'workspace') }) },
		),
		{ minLength: 5, maxLength: 12, size: 'max' },
	),
	max: constantFrom(30, 150, 1_000, 1_000),
});

const future = (...most: number[]) =>
	record({ kind: constant('future' as const), aheadMs: oneof(...most.map((ms) => nat(ms))) });

/** Small pages, coarse times, and changes while a poll reads. */
const whileReading = (
	happening: fc.Arbitrary<Happening>,
	times: ReadonlyArray<Manners['times']>,
	waitFor: fc.Arbitrary<number | undefined>,
): fc.Arbitrary<Schedule> =>
	record({
		manners: record({
			skewMs: integer({ min: -2 * MINUTE, max: 2 * MINUTE }),
			grainMs: constantFrom(1, 1_000, MINUTE),
			times: constantFrom(...times),
		}).map((manners) => ({ ...plain, ...manners })),
		before: fc.array(happening, { maxLength: 5 }),
		steps: fc.array(
			oneof<Array<fc.WeightedArbitrary<Step>>>(
				{ weight: 6, arbitrary: happening },
				{ weight: 5, arbitrary: pollWith(fc.option(fails, { nil: undefined, freq: 3 })) },
				{
					weight: 2,
					arbitrary: record({ kind: constantFrom('twoPolls', 'restart', 'killedPoll') }),
				},
			),
			{ minLength: 4, maxLength: 20, size: 'max' },
		),
		between: fc.array(fc.array(happening, { maxLength: 2 }), { maxLength: 12 }),
		max: constantFrom(2, 5, 1_000),
		waitFor,
	});

const moments = whileReading(
	oneof<Array<fc.WeightedArbitrary<Happening>>>(
		{ weight: 3, arbitrary: waitUpTo(90_000) },
		{ weight: 8, arbitrary: changeOf(1, 1, 2, 5, 17, 130) },
		{ weight: 1, arbitrary: future(10 * MINUTE, 600 * MINUTE) },
	),
	['ms'],
	constant(undefined),
);

/** Customers who write, and agents who answer, close and reopen their tickets. */
const waits = whileReading(
	oneof<Array<fc.WeightedArbitrary<Happening>>>(
		{ weight: 3, arbitrary: waitUpTo(90_000, 9 * MINUTE) },
		{ weight: 6, arbitrary: changeOf(1, 1, 2, 5, 17, 130) },
		{
			weight: 2,
			arbitrary: record({
				kind: constantFrom('answered' as const, 'closed' as const, 'reopened' as const),
				n: nat(20),
			}),
		},
		{ weight: 1, arbitrary: future(10 * MINUTE) },
	),
	['ms', 'seconds'],
	constantFrom(1, 3, 10),
);

/** n8n with one active trigger: its emitted tickets, and its state in memory and on disk. */
class Host {
	clockMs = START;

	readonly emitted: string[] = [];

	readonly service: TriggerService;

	between: Array<readonly Happening[]> = [];

	/** The tickets that were visible when the trigger began, which are old. */
	private old = new Set<string>();

	/** Whether the trigger has no filter, instead of one by priority. */
	private loose = false;

	private workspace = 0;

	/** Counts the processes: a poll of a killed one leaves no trace. */
	private process = 0;

	private live: { state?: unknown } = {};

	private saved = '{}';

	private readonly is: Schedule;

	constructor(chosen: Schedule) {
		this.is = chosen;
		this.service = new TriggerService(chosen.manners, () => this.clockMs);
	}

	happen(what: Step): void {
		const { service } = this;
		if (what.kind === 'wait') this.clockMs += what.ms;
		if (what.kind === 'create') service.create(what.n, what.urgent, what.lateMs);
		if (what.kind === 'update') service.update(what.n, what.urgent, what.lateMs);
		if (what.kind === 'future') service.createAhead(what.aheadMs);
		if (what.kind === 'answered' || what.kind === 'closed') service.end(what.n, what.kind);
		if (what.kind === 'reopened') service.end(what.n, undefined);
		if (what.kind === 'restart') this.restart();
		if (what.kind === 'filter') this.loose = !this.loose;
		if (what.kind === 'workspace') this.workspace += 1;
	}

	restart(): void {
		this.process += 1;
		this.live = JSON.parse(this.saved) as { state?: unknown };
	}

	/** Activates the trigger, as n8n does: all visible tickets are old. Returns whether this succeeded. */
	async begin(): Promise<boolean> {
		const startMs = this.clockMs;
		const keys = await this.poll();
		if (keys === undefined) return false;
		expect(keys).toEqual([]);
		this.emitted.length = 0;
		const matching = this.service
			.shown()
			.filter((one) => this.matches(one) && this.isDue(one, startMs));
		this.old = new Set(matching.map((one) => this.service.keyOf(one)));
		this.saved = JSON.stringify(this.live);
		return true;
	}

	/** Whether the event applies to the current state of a ticket. */
	private matches({ urgent, ended }: Standing): boolean {
		return (this.loose || urgent) && (this.is.waitFor === undefined || ended === undefined);
	}

	/** The time on our clock at which a customer has waited long enough. */
	private dueMs({ atMs }: Standing): number {
		return atMs + (this.is.waitFor ?? -Infinity) * MINUTE;
	}

	/** Whether the wait is over. */
	private isDue(one: Standing, nowMs: number): boolean {
		return this.dueMs(one) <= nowMs;
	}

	/** Polls as n8n does, which saves the state together with tickets. Checks the promises of a single poll. Returns the changes, or undefined after a failure. */
	async poll(failsAt?: number): Promise<readonly string[] | undefined> {
		const { live, process, service, loose } = this;
		const { max, between } = this.is;
		let requests = 0;
		const respond = (body: unknown): HttpResult => {
			requests += 1;
			if (requests > 3_000) throw new Error('The poll does not come to an end');
			for (const what of this.between.shift() ?? []) this.happen(what);
			this.clockMs += 20;
			if (failsAt === undefined || requests < failsAt) return service.respond(body);
			return failsAt % 2 > 0 ? reply(403) : requests % 2 > 0 ? lost() : reply(503);
		};
		const { waitFor } = this.is;
		const parameters = {
			event: waitFor === undefined ? 'ticketUpdated' : 'customerWaiting',
			waitFor: waitFor ?? 1,
			output: 'raw',
			filterMode: 'json',
			filtersJson: loose ? {} : { priority: { eq: 'urgent' } },
			options: { maximumTickets: max },
		};
		const startMs = this.clockMs;
		const context = pollContext(this, respond, {
			zone: 'America/New_York',
			service: [String(this.workspace)],
			...(between && { budgetMs: 60 * MINUTE }),
			load: () => live.state,
			save: (state) => {
				live.state = JSON.parse(JSON.stringify(state)) as unknown;
			},
		});
		const result = await poll(parameters, context);
		if (process !== this.process) return undefined;
		if (!between) {
			expect(requests).toBeLessThan(60 + service.standings.length / 20);
			expect(this.clockMs - startMs).toBeLessThan(36_000);
		}
		expect(JSON.stringify(live).length).toBeLessThan(120_000);
		if (!result.ok) {
			expect([failsAt !== undefined, result.failure]).toEqual([true, result.failure]);
			return undefined;
		}
		const keys = result.value.map(service.keyOfRow);
		this.emitted.push(...keys);
		expect(keys.filter((key) => this.old.has(key))).toEqual([]);
		expect(this.emitted.length).toBe(new Set(this.emitted).size);
		if (!loose) expect(result.value.filter((row) => row['priority'] !== 'urgent')).toEqual([]);
		expect(keys.length).toBeLessThanOrEqual(max);
		if (waitFor !== undefined) {
			const rows = result.value.map((row) => [row['closedAt'], row['lastAgentActivityAt']]);
			expect(rows.flat().filter((time) => time !== null)).toEqual([]);
			const times = result.value.map((row) => parseTime(row['updatedAt']) ?? 0);
			expect(times).toEqual(times.toSorted((a, b) => a - b));
			expect(Math.max(...times)).toBeLessThan(startMs + 1_000 - waitFor * MINUTE);
		}
		if (keys.length > 0) this.saved = JSON.stringify(live);
		return keys;
	}

	/** Which of these should have been returned by a poll at a time, and were not. */
	missing(some: readonly Standing[], startMs: number): Standing[] {
		const oldOrEmitted = new Set([...this.old, ...this.emitted]);
		return some
			.filter((one) => this.matches(one) && !oldOrEmitted.has(this.service.keyOf(one)))
			.filter((one) => {
				if (this.is.waitFor === undefined) return true;
				// A ticket that matches only after its wait is over may be returned or not.
				const visibleMs = one.visibleMs - this.service.manners.skewMs;
				return visibleMs <= this.dueMs(one) && this.dueMs(one) <= startMs;
			});
	}
}

const seen = {
	schedules: 0,
	emitted: 0,
	begun: 0,
	failed: 0,
	restart: 0,
	killedPoll: 0,
	twoPolls: 0,
	capped: 0,
	answered: 0,
	closed: 0,
};

async function follow(chosen: Schedule): Promise<void> {
	const { before, steps, between, max } = chosen;
	const host = new Host(chosen);
	const { service } = host;
	for (const what of before) host.happen(what);
	// A change that is late when a trigger begins may be returned or not.
	const settle = (): void => {
		if (!between) host.clockMs += 3 * MINUTE;
	};
	settle();
	if (!(await host.begin())) return;
	host.between = [...(between ?? [])];
	for (const what of steps) {
		if (what.kind in seen) seen[what.kind as keyof typeof seen] += 1;
		if (what.kind === 'killedPoll') {
			const under = host.poll();
			host.restart();
			await under;
		} else if (what.kind === 'twoPolls') await Promise.all([host.poll(), host.poll()]);
		else if (what.kind === 'poll') {
			const startMs = host.clockMs;
			const start = service.now();
			const came = await host.poll(what.failsAt);
			if (came === undefined) seen.failed += 1;
			if (came?.length === max) seen.capped += 1;
			if (came === undefined || what.failsAt !== undefined || came.length >= max) continue;
			// Every ticket that was readable during the whole poll has been returned by its end.
			const now = new Set(service.shown());
			if (between)
				expect(
					host.missing(
						service.shown(start).filter((one) => now.has(one)),
						startMs,
					),
				).toEqual([]);
		} else host.happen(what);
		if (what.kind !== 'filter' && what.kind !== 'workspace') continue;
		settle();
		if (!(await host.begin())) return;
		seen.begun += 1;
	}
	// Finally, everything becomes visible, and polls repeat until one returns nothing.
	host.clockMs += (3 + (chosen.waitFor ?? 0)) * MINUTE;
	host.between = [];
	for (let polls = 0; polls < 2_000; polls++) {
		host.clockMs += 1_000;
		const came = await host.poll();
		if (came === undefined || came.length === 0) break;
	}
	seen.schedules += 1;
	seen.emitted += host.emitted.length;
	expect(host.missing(service.shown(), host.clockMs)).toEqual([]);
}

it.each([
	['to services of every documented kind', services, ['begun'], 1 / 20, propertyRuns(1_000)],
	[
		'whatever fails and whenever a change becomes visible',
		moments,
		['failed', 'restart', 'killedPoll', 'twoPolls'],
		1 / 3,
		propertyRuns(1_500, 30),
	],
	[
		'where customers wait',
		waits,
		['failed', 'restart', 'killedPoll', 'twoPolls', 'answered', 'closed'],
		1 / 5,
		propertyRuns(1_500, 30),
	],
] as const)(
	'keeps its promises %s',
	async (_, drawn, counted, share, runs) => {
		for (const name of Object.keys(seen)) Object.assign(seen, { [name]: 0 });
		const schedule: fc.Arbitrary<Schedule> = drawn;
		await fc.assert(fc.asyncProperty(schedule, follow), {
			...runs,
			endOnFailure: true,
		});
		// Else the schedules miss what they are for.
		const { schedules, emitted, capped } = seen;
		expect(emitted).toBeGreaterThan(5 * schedules);
		expect(capped).toBeGreaterThan(schedules / 20);
		for (const each of counted)
			expect({ each, isOften: seen[each] > schedules * share }).toEqual({ each, isOften: true });
	},
	600_000,
);
