import fc from 'fast-check';
import type { HttpResult } from '../../../../src/core/http';
import { poll } from '../../../../src/tickets/trigger/poll';
import { lost, reply } from '../../../support/fakeRuntime';
import { pollContext } from '../../../support/pollContext';
import { propertyRuns } from '../../../support/propertyRuns.mjs';
import type { Kept } from '../../../support/world';
import { friendly, ignoring, microsOf, WorldService, worldsWith } from '../../../support/world';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 15, 12);
const DELAY = 30 * MINUTE;

const EVENTS = {
	notAnswered: 'createdAt',
	customerWaiting: 'lastCustomerActivityAt',
	snoozeOver: 'snoozedUntil',
	ticketCreated: 'createdAt',
	ticketUpdated: 'updatedAt',
} as const;
type Event = keyof typeof EVENTS;

type Step =
	| { readonly kind: 'wait'; readonly ms: number }
	| {
			readonly kind: 'create';
			readonly n: number;
			readonly agoMs: number;
			readonly urgent: boolean;
	  }
	| {
			readonly kind: 'raise' | 'lower' | 'answer' | 'write';
			readonly at: number;
			readonly n: number;
	  }
	| { readonly kind: 'poll'; readonly failsAt?: number }
	| { readonly kind: 'twoPolls' }
	| { readonly kind: 'restart' }
	| { readonly kind: 'settings' | 'rewrite' }
	| { readonly kind: 'clock'; readonly ms: number };

const world = worldsWith(
	[
		{ showsOneIn: [10, 30, 150] },
		{ hidesOneIn: [10, 30] },
		{ more: ['always', 'unlessEmpty'] },
		{ drops: 'eq gte lt lte isNull isNotNull number.gte timestamp.gte'.split(' ') },
		{ joins: [true] },
		{ offsetCap: [0, 100, 1_000], beyond: ['clamped', 'empty', 'emptyMore', 400, 500] },
		ignoring,
		{ cap: [50, 25, 7] },
		{ numbersAsText: [true] },
		{ withoutIds: [true] },
		{ times: ['micro', 'seconds', 'noZone'] },
		{ sort: ['column'], select: ['list'] },
		{ downFrom: [1, 8], down: [401, 403, 429, 503, 'reset', 'html'] },
	],
	2,
);

const { constant, constantFrom, nat, oneof, record } = fc;

const step: fc.Arbitrary<Step> = oneof(
	{
		weight: 4,
		arbitrary: record({ kind: constant('wait'), ms: oneof(nat(90_000), nat(45 * MINUTE)) }),
	},
	{
		weight: 4,
		arbitrary: record({
			kind: constant('create'),
			n: constantFrom(1, 2, 30, 120, 120, 450),
			agoMs: constantFrom(0, 0, 20 * MINUTE),
			urgent: fc.boolean(),
		}),
	},
	{
		weight: 5,
		arbitrary: record({
			kind: constantFrom('raise', 'lower', 'answer', 'write'),
			at: nat(500),
			n: constantFrom(1, 3, 40),
		}),
	},
	{ weight: 6, arbitrary: record({ kind: constant('poll') }) },
	{ weight: 1, arbitrary: record({ kind: constant('poll'), failsAt: constantFrom(1, 2, 3) }) },
	{
		weight: 1,
		arbitrary: record({ kind: constantFrom('twoPolls', 'restart', 'settings', 'rewrite') }),
	},
	{
		weight: 1,
		arbitrary: record({
			kind: constant('clock'),
			ms: constantFrom(-90, -30, 30, 1_440).map((m) => m * MINUTE),
		}),
	},
);
const sequence = fc.record({
	world,
	event: fc.constantFrom(...(Object.keys(EVENTS) as Event[])),
	before: fc.constantFrom(0, 5, 150, 600),
	/** So many tickets in turn have one number, and one in so many has none (0 for none). */
	sharing: fc.constantFrom(1, 1, 1, 3, 150),
	numberless: fc.constantFrom(0, 0, 0, 0, 7),
	steps: fc.array(step, { minLength: 4, maxLength: 12, size: 'max' }),
	date: fc.boolean(),
	repeat: fc.constantFrom(0, 0, 60),
	max: fc.constantFrom(1_000, 1_000, 25),
	filtered: fc.boolean(),
	relative: fc.boolean(),
	ahead: fc.constantFrom(0, 0, 12, 60),
});
type Sequence = typeof sequence extends fc.Arbitrary<infer T> ? T : never;

class Host {
	clockMs = START;
	skewMs = 0;
	jumped = false;
	tickets: Kept[] = [];
	state: unknown;
	saved: unknown;
	emitted: string[] = [];
	readonly problems = new Set<string>();
	readonly service: WorldService;
	/** How the filter is written, and how long a wait is by now: the same filter, and no more than the delay. */
	writing = 0;
	waitFor = DELAY / MINUTE;
	private count = 0;
	readonly is: Sequence;

	constructor(is: Sequence) {
		this.is = is;
		this.skewMs = is.ahead * MINUTE;
		this.service = new WorldService([], is.world);
	}

	get isWaiting(): boolean {
		return !this.is.event.startsWith('ticket');
	}

	now(): number {
		return this.clockMs + this.skewMs;
	}

	create(n: number, agoMs: number, urgent: boolean): void {
		const at = (this.now() - (this.isWaiting ? agoMs : 0)) * 1_000 + 123;
		for (let i = 0; i < n; i++) {
			const serial = ++this.count * 3;
			const { sharing, numberless } = this.is;
			const isNumberless = numberless > 0 && this.count % numberless === 0;
			this.tickets.push({
				id: `00000000-0000-4000-9000-${String((serial * 7_919) % 100_003).padStart(12, '0')}`,
				ticketNumber: isNumberless ? null : serial - (serial % (3 * sharing)),
				title: 'x',
				summary: null,
				priority: urgent ? 'urgent' : 'low',
				customerId: null,
				isShared: false,
				createdAt: at,
				closedAt: null,
				updatedAt: at,
				firstResponseAt: null,
				lastCustomerActivityAt: at,
				lastAgentActivityAt: null,
				snoozedUntil: at + 25 * MINUTE * 1_000,
			});
		}
		this.service.change(this.tickets);
	}

	alter(kind: string, at: number, n: number): void {
		const now = this.now() * 1_000 + 456;
		this.tickets = this.tickets.map((one, i) => {
			if (
				i < at % Math.max(1, this.tickets.length) ||
				i >= (at % Math.max(1, this.tickets.length)) + n
			)
				return one;
			const changed = {
				raise: { priority: 'urgent' },
				lower: { priority: 'low' },
				answer: { firstResponseAt: now, lastAgentActivityAt: now, snoozedUntil: null },
				write: { lastCustomerActivityAt: now, snoozedUntil: now + 20 * MINUTE * 1_000 },
			}[kind];
			return { ...one, ...changed, updatedAt: now };
		});
		this.service.change(this.tickets);
	}

	/** What should be alerted by now. */
	due(): Kept[] {
		const {
			event,
			filtered,
			world: { times },
		} = this.is;
		const column = EVENTS[event];
		// Without a date in its responses, the clock of the service is not known.
		const nowMicros = (this.is.date ? this.now() : this.clockMs) * 1_000;
		const grain = times === 'seconds' ? 1_000_000 : 1_000;
		return this.service
			.expected({ ...(filtered && { priority: { eq: 'urgent' } }) }, [])
			.filter((one) => {
				const at = one[column];
				if (typeof at !== 'number') return false;
				if (!this.isWaiting) return true;
				const delay = event === 'snoozeOver' ? 0 : DELAY * 1_000;
				if (at + delay + grain > nowMicros) return false;
				if (event === 'notAnswered') return one.firstResponseAt === null;
				if (event === 'customerWaiting') return at > (one.lastAgentActivityAt ?? -1);
				return true;
			});
	}

	keyOf({ id, ticketNumber }: Partial<Kept>, micros: number): string {
		const { withoutIds, times } = this.is.world;
		const grain = times === 'seconds' ? 1_000_000 : 1_000;
		return `${withoutIds ? Number(ticketNumber) : id}@${Math.floor(micros / grain)}`;
	}

	keys(some: readonly Kept[]): string[] {
		return some.map((one) => this.keyOf(one, one[EVENTS[this.is.event]] as number));
	}

	async poll(failsAt?: number): Promise<boolean> {
		const { event, date, repeat, max, world: is } = this.is;
		let requests = 0;
		const respond = (body: unknown): HttpResult => {
			requests += 1;
			if (requests > 1_000) throw new Error('no end');
			this.clockMs += 5;
			if (failsAt !== undefined && requests >= failsAt) return failsAt % 2 ? lost() : reply(403);
			const answered = this.service.answer(body);
			if (!date || answered.kind !== 'response') return answered;
			const headers = { ...answered.headers, date: new Date(this.now()).toUTCString() };
			return { ...answered, headers };
		};
		const options = {
			maximumTickets: max,
			...(repeat > 0 && this.isWaiting && { repeatEvery: repeat }),
		};
		const { waitFor } = this;
		const found = await poll(
			{ event, output: 'raw', waitFor, ...this.filter(), options },
			pollContext(this, respond),
		);
		const size = Math.min(is.cap, is.ignores.includes('limit') ? 25 : 100);
		const pages = Math.ceil((this.tickets.length * (is.joins ? 2 : 1)) / size) + 1;
		if (requests > 3 * pages + 30) this.problems.add(`REQUESTS ${requests} for ${pages} pages`);
		if (!found.ok) {
			if (failsAt === undefined && this.mayNotFail())
				this.problems.add(`FAILED ${'message' in found.failure ? found.failure.message : ''}`);
			return false;
		}
		const column = EVENTS[event];
		if (found.value.length > max) this.problems.add('TOO MANY');
		const right = new Set(this.keys(this.dueNow()));
		for (const row of found.value) {
			const key = this.keyOf(row, microsOf(String(row[column]).replace(/Z?$/, 'Z')));
			if (!right.has(key)) this.problems.add(`WRONG ticket`);
			if (repeat === 0 && this.emitted.includes(key)) this.problems.add('TWICE');
			this.emitted.push(key);
		}
		if (found.value.length > 0) this.saved = this.state;
		return failsAt === undefined;
	}

	/** As due, but lenient by clocks that are not known. */
	private dueNow(): Kept[] {
		const { filtered, event } = this.is;
		return this.service
			.expected({ ...(filtered && { priority: { eq: 'urgent' } }) }, [])
			.filter((one) => {
				if (event === 'notAnswered') return one.firstResponseAt === null;
				if (event === 'customerWaiting')
					return (one.lastCustomerActivityAt ?? 0) > (one.lastAgentActivityAt ?? -1);
				return true;
			});
	}

	/** The same filter, in one of its forms. */
	private filter(): object {
		const { filtered, relative, event } = this.is;
		const conditions = [
			...(filtered ? [{ column: 'priority', operator: 'eq', priorityValue: 'urgent' }] : []),
			...(relative && event !== 'snoozeOver'
				? [{ column: EVENTS[event], operator: 'lastDays', numberValue: 30 }]
				: []),
		];
		if (this.writing % 2) conditions.reverse();
		if (relative || this.writing % 3 === 0) return { filters: { conditions } };
		return { filterMode: 'json', filtersJson: filtered ? { priority: { in: ['urgent'] } } : {} };
	}

	/** Whether tickets cannot be told apart: without IDs, those of one number or of none. */
	hasTwins(): boolean {
		const { sharing, numberless, world: is } = this.is;
		return is.withoutIds && (sharing > 1 || numberless > 0);
	}

	mayNotFail(): boolean {
		if (this.hasTwins()) return false;
		const { numbersAsText, cap, joins, times, sort, select, withoutIds, hidesOneIn } =
			this.is.world;
		const harmless = {
			...friendly,
			numbersAsText,
			cap,
			joins,
			times,
			sort,
			select,
			withoutIds,
			hidesOneIn,
		};
		return JSON.stringify(harmless) === JSON.stringify(this.is.world);
	}
}

const seen = { sequences: 0, emitted: 0, failedToBegin: 0, missing: 0 };

async function follow(chosen: Sequence): Promise<void> {
	const host = new Host(chosen);
	host.create(chosen.before, 90 * MINUTE, true);
	host.create(Math.floor(chosen.before / 3), 10 * MINUTE, false);
	host.clockMs += 3 * MINUTE;
	const oldAll = (): string[] =>
		host.keys(
			host.isWaiting
				? host.due()
				: host.service.expected({ ...(chosen.filtered && { priority: { eq: 'urgent' } }) }, []),
		);
	const old = new Set(oldAll());
	if (!(await host.poll())) {
		seen.failedToBegin += 1;
		if (host.problems.size > 0) throw new Error([...host.problems].join(' | '));
		return;
	}
	if (host.emitted.length > 0) host.problems.add('EMITTED at begin');
	host.saved = host.state;
	let canMiss = false;
	for (const what of chosen.steps) {
		if (what.kind === 'wait') host.clockMs += what.ms;
		else if (what.kind === 'create') host.create(what.n, what.agoMs, what.urgent);
		else if (what.kind === 'poll') await host.poll(what.failsAt);
		else if (what.kind === 'twoPolls') {
			await Promise.all([host.poll(), host.poll()]);
		} else if (what.kind === 'restart') host.state = host.saved;
		else if (what.kind === 'rewrite') host.writing += 1;
		else if ('at' in what) host.alter(what.kind, what.at, what.n);
		else if (what.kind === 'clock') {
			host.skewMs += what.ms;
			host.jumped = true;
			if (!chosen.date) canMiss = true;
		} else host.waitFor = 90 - host.waitFor;
	}
	host.waitFor = DELAY / MINUTE;
	host.clockMs += 3 * MINUTE;
	let isWell = true;
	for (let i = 0; i < 60; i++) {
		host.clockMs += 10;
		const before = host.emitted.length;
		isWell = await host.poll();
		// By the first poll after a jump the clock is learned, and by the second one gone by.
		if (!isWell || (i > 0 && host.emitted.length === before)) break;
	}
	seen.sequences += 1;
	seen.emitted += host.emitted.length;
	if (chosen.repeat === 0 && host.emitted.some((key) => old.has(key)))
		host.problems.add('OLD came out');
	if (chosen.repeat > 0 && host.isWaiting && host.emitted.some((key) => old.has(key)))
		host.problems.add('OLD reminder');
	const known = new Set([...old, ...host.emitted]);
	const missing = host.keys(host.due()).filter((key) => !known.has(key));
	if (isWell && !canMiss && !host.hasTwins() && missing.length > 0)
		host.problems.add(`MISSING ${missing.length}`);
	if (host.problems.size > 0) throw new Error([...host.problems].slice(0, 3).join(' | '));
}

it('alerts once for what is due, and never for what is old, in every world', async () => {
	await fc.assert(fc.asyncProperty(sequence, follow), { ...propertyRuns(60), endOnFailure: true });
	expect(seen.emitted).toBeGreaterThan(seen.sequences);
}, 600_000);

const plain: Sequence = {
	world: friendly,
	event: 'ticketUpdated',
	before: 0,
	sharing: 1,
	numberless: 0,
	steps: [],
	date: true,
	repeat: 0,
	max: 1_000,
	filtered: false,
	relative: false,
	ahead: 0,
};

/** A trigger that began where there were so many tickets, one a second. */
async function begun(is: Partial<Sequence>, count: number): Promise<Host> {
	const host = new Host({ ...plain, ...is });
	for (let i = 0; i < count; i++) {
		host.clockMs += 1_000;
		host.create(1, 0, true);
	}
	expect(await host.poll()).toBe(true);
	return host;
}

it('never floods where the service does not sort and the oldest come first', async () => {
	const host = await begun({ world: { ...friendly, ignores: ['sort'] } }, 5_300);
	host.clockMs += 60_000;
	for (let i = 0; i < 3; i++) await host.poll();
	expect(host.emitted).toEqual([]);
}, 60_000);

it('does not sleep until the time of a ticket of the far future', async () => {
	const host = await begun({}, 3);
	const crowd = new Host(plain);
	crowd.create(5_200, 0, true);
	const [first] = crowd.tickets;
	if (first) crowd.tickets[0] = { ...first, updatedAt: Date.UTC(2_040, 0, 1) * 1_000 };
	crowd.service.change(crowd.tickets);
	expect(await crowd.poll()).toBe(true);
	expect(host.emitted).toEqual([]);
	crowd.clockMs += 20 * MINUTE;
	crowd.create(2, 0, true);
	await crowd.poll();
	expect(crowd.emitted).toHaveLength(2);
}, 60_000);

it('begins to watch what waits though the service takes no far offset', async () => {
	const world = { ...friendly, offsetCap: 1_000, beyond: 400 as const };
	const host = await begun({ world, event: 'notAnswered' }, 20);
	host.create(2, 0, true);
	host.clockMs += DELAY + MINUTE;
	await host.poll();
	// One that was created before it began was not due by then.
	expect(host.emitted).toHaveLength(22);
});

it('begins anew where its state says that all of the future is old', async () => {
	const host = await begun({}, 3);
	host.state = { ...Object(host.state), floorMs: Date.UTC(9_000, 0, 1) };
	await host.poll();
	host.clockMs += MINUTE;
	host.create(2, 0, true);
	await host.poll();
	expect(host.emitted).toHaveLength(2);
});

it('returns a waiting ticket once though a join doubles its row', async () => {
	const host = await begun({ world: { ...friendly, joins: true }, event: 'notAnswered' }, 3);
	host.clockMs += DELAY + MINUTE;
	await host.poll();
	expect(host.emitted).toHaveLength(3);
});

it('returns the tickets without a number among more of one moment than a page has', async () => {
	const host = await begun({ numberless: 7 }, 3);
	host.create(450, 0, true);
	await host.poll();
	expect(host.emitted).toHaveLength(450);
	expect([...host.problems]).toEqual([]);
});

it.each(['clamped', 'empty', 400, 500] as const)(
	'returns all changes where offsets beyond 1,000 end in: %s',
	async (beyond) => {
		const host = await begun({ world: { ...friendly, offsetCap: 1_000, beyond } }, 1_500);
		host.create(1_500, 0, true);
		for (let i = 0; i < 30; i++) {
			host.clockMs += 1_000;
			host.create(50, 0, true);
		}
		for (let i = 0; i < 5; i++) await host.poll();
		expect(new Set(host.emitted).size).toBe(3_000);
	},
);
