import fc from 'fast-check';
import type { HttpResult } from '../../../../src/core/http';
import { poll } from '../../../../src/tickets/trigger/poll';
import { lost, reply } from '../../../support/fakeRuntime';
import { pollContext } from '../../../support/pollContext';
import type { Standing } from '../../../support/triggerService';
import { TriggerService } from '../../../support/triggerService';
import { plain } from '../../../support/watchedTrigger';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 15, 12);

type Happening =
	| { readonly kind: 'wait'; readonly ms: number }
	| {
			readonly kind: 'create';
			readonly count: number;
			readonly matches: boolean;
			readonly late: number;
	  }
	| { readonly kind: 'future'; readonly prefetch: number }
	| {
			readonly kind: 'update';
			readonly index: number;
			readonly matches: boolean;
			readonly late: number;
	  };

type Step =
	| Happening
	| { readonly kind: 'poll'; readonly failsAt?: number | undefined }
	| { readonly kind: 'twoPolls' }
	| { readonly kind: 'restart' }
	| { readonly kind: 'killedPoll' };

interface Schedule {
	/** Ms by which the clock of the service is ahead, the ms that it rounds times down to, and the most rows of a page. */
	readonly manners: { readonly skew: number; readonly grain: number; readonly page: number };
	readonly before: readonly Happening[];
	readonly steps: readonly Step[];
	/** What happens right before each request. */
	readonly between: ReadonlyArray<readonly Happening[]>;
	readonly max: number;
}

/** Late by less than the overlap of 5 minutes, less the grain of 1 minute and the skew of 2. */
const late = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 2 * MINUTE - 1 }));
const matches = fc.constantFrom(true, true, true, false);
const failsAt = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined, freq: 3 });

const { constant, constantFrom, integer, nat, oneof, record } = fc;

const happening: fc.Arbitrary<Happening> = oneof(
	{ weight: 3, arbitrary: record({ kind: constant('wait'), ms: nat(90_000) }) },
	{
		weight: 4,
		arbitrary: record({ kind: constant('create'), count: constantFrom(1, 1, 2, 5), matches, late }),
	},
	{ weight: 4, arbitrary: record({ kind: constant('update'), index: nat(40), matches, late }) },
	{
		weight: 1,
		arbitrary: record({
			kind: constant('future'),
			prefetch: integer({ min: 0, max: 600 * MINUTE }),
		}),
	},
);

const step: fc.Arbitrary<Step> = oneof(
	{ weight: 6, arbitrary: happening },
	{ weight: 5, arbitrary: record({ kind: constant('poll'), failsAt }) },
	{ weight: 2, arbitrary: record({ kind: constantFrom('twoPolls', 'restart', 'killedPoll') }) },
);

const schedule: fc.Arbitrary<Schedule> = fc.record({
	manners: fc.record({
		skew: fc.integer({ min: -2 * MINUTE, max: 2 * MINUTE }),
		grain: fc.constantFrom(1, 1_000, MINUTE),
		page: fc.constantFrom(2, 4, 100),
	}),
	before: fc.array(happening, { maxLength: 5 }),
	steps: fc.array(step, { minLength: 4, maxLength: 20, size: 'max' }),
	between: fc.array(fc.array(happening, { maxLength: 2 }), { maxLength: 12 }),
	max: fc.constantFrom(2, 5, 1_000),
});

const parameters = (max: number) => ({
	event: 'ticketUpdated',
	output: 'raw',
	filterMode: 'json',
	filtersJson: { priority: { eq: 'urgent' } },
	options: { maximumTickets: max },
});

/** n8n with one active trigger: what it handed out, and what it has in memory and on disk. */
class Host {
	clockMs = START;

	readonly emitted: string[] = [];

	readonly tickets: TriggerService;

	/** Counts the processes: a poll of a killed one leaves no trace. */
	private process = 0;

	private live: { state?: unknown } = {};

	private saved = '{}';

	between: Array<readonly Happening[]> = [];

	private readonly max: number;

	constructor({ manners, max }: Schedule) {
		const { skew: skewMs, grain: grainMs, page: cap } = manners;
		const personality = { ...plain, date: false, skewMs, grainMs, cap };
		this.tickets = new TriggerService(personality, () => this.clockMs);
		this.max = max;
	}

	happen(what: Happening): void {
		if (what.kind === 'wait') this.clockMs += what.ms;
		else if (what.kind === 'update') this.tickets.update(what.index, what.matches, what.late);
		else if (what.kind === 'future') this.tickets.createAhead(what.prefetch);
		else this.tickets.create(what.count, what.matches, what.late);
	}

	/** Polls as n8n does: state is written where tickets come out. Returns them, or nothing where it failed. */
	async poll(failsAt?: number): Promise<readonly string[] | undefined> {
		const { live, process } = this;
		let requests = 0;
		const respond = (body: unknown): HttpResult => {
			requests += 1;
			if (requests > 3_000) throw new Error('The poll does not come to an end');
			for (const what of this.between.shift() ?? []) this.happen(what);
			this.clockMs += 50;
			if (failsAt !== undefined && requests >= failsAt) return requests % 2 ? lost() : reply(503);
			return this.tickets.respond(body);
		};
		const found = await poll(
			parameters(this.max),
			pollContext(this, respond, {
				budgetMs: 60 * MINUTE,
				load: () => live.state,
				save: (state) => {
					live.state = state;
				},
			}),
		);
		if (!found.ok || process !== this.process) return undefined;
		const keys = found.value.map(this.tickets.keyOfRow);
		this.emitted.push(...keys);
		if (keys.length > 0) this.saved = JSON.stringify(this.live);
		return keys;
	}

	/** Activates the workflow; n8n writes its state then. */
	async activate(): Promise<void> {
		expect(await this.poll()).toEqual([]);
		this.saved = JSON.stringify(this.live);
	}

	restart(): void {
		this.process += 1;
		this.live = JSON.parse(this.saved) as { state?: unknown };
	}
}

const seen = { schedules: 0, emitted: 0, failed: 0, restarts: 0, overlapping: 0, capped: 0 };

async function follow(chosen: Schedule): Promise<void> {
	seen.schedules += 1;
	const host = new Host(chosen);
	const { tickets } = host;
	for (const what of chosen.before) host.happen(what);
	await host.activate();
	const keysOf = (some: readonly Standing[]) =>
		some.filter(({ urgent }) => urgent).map((one) => tickets.keyOf(one));
	const shownKeys = () => keysOf(tickets.shown());
	const old = new Set(shownKeys());
	host.between = [...chosen.between];

	for (const next of chosen.steps) {
		if (next.kind === 'restart') {
			host.restart();
			seen.restarts += 1;
		} else if (next.kind === 'killedPoll') {
			const under = host.poll();
			host.restart();
			await under;
		} else if (next.kind === 'twoPolls') {
			await Promise.all([host.poll(), host.poll()]);
			seen.overlapping += 1;
		} else if (next.kind === 'poll') {
			const start = tickets.now();
			const came = await host.poll(next.failsAt);
			if (came === undefined) seen.failed += 1;
			if (came?.length === chosen.max) seen.capped += 1;
			if (came === undefined || next.failsAt !== undefined || came.length >= chosen.max) continue;
			// What could be read all the time of a whole poll has come out by its end.
			const keys = keysOf(tickets.shown(start).filter((one) => tickets.shown().includes(one)));
			expect(keys.filter((key) => !old.has(key) && !host.emitted.includes(key))).toEqual([]);
		} else host.happen(next);
	}

	// In the end everything becomes visible, and polls go on until nothing comes any more.
	host.clockMs += 10 * MINUTE;
	host.between = [];
	for (let polls = 0; polls < 2_000; polls++) {
		host.clockMs += MINUTE;
		if ((await host.poll())?.length === 0) break;
	}
	seen.emitted += host.emitted.length;
	const due = shownKeys().filter((key) => !old.has(key));
	expect(due.filter((key) => !host.emitted.includes(key))).toEqual([]);
	expect(host.emitted.filter((key) => old.has(key))).toEqual([]);
	expect(host.emitted.filter((key, i) => host.emitted.indexOf(key) !== i)).toEqual([]);
}

/** Tickets that become visible while two polls read for minutes, behind the pages that they have read. */
const visibleDuringPolls: Schedule = {
	manners: { skew: -1, grain: MINUTE, page: 2 },
	before: [
		{ kind: 'future', prefetch: 0 },
		{ kind: 'create', count: 5, matches: true, late: 51_549 },
	],
	steps: [
		{ kind: 'wait', ms: 27_201 },
		{ kind: 'poll' },
		{ kind: 'future', prefetch: 92_650 },
		{ kind: 'twoPolls' },
		{ kind: 'update', index: 0, matches: true, late: 0 },
		{ kind: 'wait', ms: 0 },
		{ kind: 'poll' },
		{ kind: 'update', index: 0, matches: true, late: 0 },
	],
	between: [
		[],
		[{ kind: 'update', index: 1, matches: true, late: 0 }],
		[{ kind: 'wait', ms: 24_097 }],
		[
			{ kind: 'future', prefetch: 248_453 },
			{ kind: 'wait', ms: 62_157 },
		],
		[
			{ kind: 'create', count: 2, matches: true, late: 0 },
			{ kind: 'create', count: 1, matches: true, late: 0 },
		],
		[{ kind: 'wait', ms: 74_666 }],
		[{ kind: 'wait', ms: 51_030 }],
	],
	max: 5,
};

it('hands out each change once, whatever fails and whenever it becomes visible', async () => {
	await fc.assert(fc.asyncProperty(schedule, follow), {
		...propertyRuns(1_000),
		examples: [[visibleDuringPolls]],
	});
	// Else the schedules miss what they are for.
	const { schedules, emitted, ...others } = seen;
	expect(schedules).toBeGreaterThanOrEqual(200);
	expect(emitted).toBeGreaterThan(5 * schedules);
	for (const each of ['failed', 'restarts', 'overlapping'] as const)
		expect({ each, share: others[each] / schedules > 1 / 2 }).toEqual({ each, share: true });
	expect(others.capped).toBeGreaterThan(schedules / 10);
}, 120_000);
