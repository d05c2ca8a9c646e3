import fc from 'fast-check';
import type { HttpResult } from '../../../../src/core/http';
import { poll } from '../../../../src/tickets/trigger/poll';
import { lost, reply } from '../../../support/fakeRuntime';
import { pollContext } from '../../../support/pollContext';
import type { Personality, Standing } from '../../../support/triggerService';
import { TriggerService } from '../../../support/triggerService';
import { plain } from '../../../support/watchedTrigger';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 15, 12, 0, 0, 371);
const OVERLAP_MS = 5 * MINUTE;

type Step =
	| { readonly kind: 'wait'; readonly ms: number }
	| {
			readonly kind: 'create' | 'update';
			readonly n: number;
			readonly urgent: boolean;
			readonly lateMs: number;
	  }
	| { readonly kind: 'crowd'; readonly n: number }
	| { readonly kind: 'poll'; readonly failsAt?: number }
	| { readonly kind: 'restart' | 'filter' | 'workspace' };

interface Sequence {
	readonly personality: Personality;
	readonly before: readonly Step[];
	readonly steps: readonly Step[];
	readonly max: number;
}

const personality: fc.Arbitrary<Personality> = fc.record({
	skewMs: fc.constantFrom(0, 0, -2 * MINUTE, 2 * MINUTE, 60 * MINUTE, -60 * MINUTE),
	grainMs: fc.constant(1),
	date: fc.boolean(),
	times: fc.constantFrom(
		...([
			'iso',
			'noZone',
			'offset',
			'wholeSeconds',
			'epochMs',
			'epochSeconds',
			'epochText',
		] as const),
	),
	cap: fc.constantFrom(100, 100, 50, 15),
	hides: fc.constantFrom(0, 0, 0, 3),
	spoils: fc.constantFrom(0, 0, 0, 5),
	numbersAsText: fc.constantFrom(false, false, true),
	spelling: fc.constantFrom('formal', 'formal', 'narrative'),
	refusal: fc.constantFrom(400, 422),
	givesDetails: fc.boolean(),
	fault: fc.constantFrom(
		...(['none', 'none', 'none', 'none', 'none', 'none', 'ignoresFilter', 'ignoresSort'] as const),
		...(['ignoresPriority', 'ignoresNumbers', 'repeatsPage', 'alwaysMore'] as const),
	),
});

/** Less than the overlap, by what whole seconds and responses under way take. */
const lateMs = fc.oneof(fc.constant(0), fc.constant(0), fc.integer({ min: 0, max: 2 * MINUTE }));
const { constant, constantFrom, nat, oneof, record } = fc;
const wait = record({ kind: constant('wait'), ms: oneof(nat(900), nat(90_000), nat(90 * MINUTE)) });
const change = record({
	kind: constantFrom('create', 'update'),
	n: constantFrom(1, 2, 3, 40, 120),
	urgent: fc.boolean(),
	lateMs,
});
const crowd = record({
	kind: constant('crowd'),
	n: oneof(
		{ weight: 40, arbitrary: constantFrom(150, 300, 600) },
		{ weight: 1, arbitrary: constant(3_000) },
	),
});
const step: fc.Arbitrary<Step> = oneof(
	{ weight: 12, arbitrary: wait },
	{ weight: 18, arbitrary: change },
	{ weight: 1, arbitrary: crowd },
	{ weight: 14, arbitrary: record({ kind: constant('poll') }) },
	{ weight: 3, arbitrary: record({ kind: constant('poll'), failsAt: constantFrom(1, 2, 3) }) },
	{ weight: 3, arbitrary: record({ kind: constantFrom('restart', 'filter', 'workspace') }) },
);

const sequence: fc.Arbitrary<Sequence> = fc.record({
	personality,
	before: fc.array(fc.oneof(wait, change), { maxLength: 4 }),
	steps: fc.array(step, { minLength: 5, maxLength: 12, size: 'max' }),
	max: fc.constantFrom(30, 150, 1_000, 1_000),
});

/** n8n with one active trigger of a service with a personality, and what its promises are held against. */
class Host {
	clockMs = START;

	readonly service: TriggerService;

	emitted: string[] = [];

	/** What could be seen when the trigger began: it is old. */
	private old = new Set<string>();

	/** By whom a changed filter or workspace is told from the one before. */
	private loose = false;

	private workspace = 0;

	state: unknown;

	private saved = '{}';

	/** When the state was saved last: what was read since then is read anew after a restart. */
	private readonly max: number;

	constructor({ personality: chosen, max }: Sequence) {
		this.service = new TriggerService(chosen, () => this.clockMs);
		this.max = max;
	}

	happen(what: Step): void {
		const { service } = this;
		if (what.kind === 'wait') this.clockMs += what.ms;
		if (what.kind === 'create') service.create(what.n, what.urgent, what.lateMs);
		if (what.kind === 'crowd') service.create(what.n, true);
		if (what.kind === 'update') service.update(what.n, what.urgent, what.lateMs);
		if (what.kind === 'restart') this.state = JSON.parse(this.saved) as unknown;
		if (what.kind === 'filter') this.loose = !this.loose;
		if (what.kind === 'workspace') this.workspace += 1;
	}

	/** Begins anew: all that can be seen is old. Says whether it could. */
	async begin(): Promise<boolean> {
		if (!(await this.poll())) return false;
		this.emitted = [];
		this.old = new Set(this.service.shown().map((one) => this.service.keyOf(one)));
		this.saved = JSON.stringify(this.state);
		return true;
	}

	/** Polls once, and holds the promises of a single poll; says whether it went well. */
	async poll(failsAt?: number): Promise<boolean> {
		const { service } = this;
		let requests = 0;
		const respond = (body: unknown): HttpResult => {
			requests += 1;
			if (requests > 2_000) throw new Error('The poll does not come to an end');
			this.clockMs += 20;
			if (failsAt !== undefined && requests >= failsAt) return failsAt % 2 ? lost() : reply(403);
			return service.respond(body);
		};
		const parameters = {
			event: 'ticketUpdated',
			output: 'raw',
			filterMode: 'json',
			filtersJson: this.loose ? {} : { priority: { eq: 'urgent' } },
			options: { maximumTickets: this.max },
		};
		const startMs = this.clockMs;
		const found = await poll(
			parameters,
			pollContext(this, respond, {
				zone: 'America/New_York',
				service: [String(this.workspace)],
			}),
		);
		expect(requests).toBeLessThan(60 + (5 * service.standings.length) / service.personality.cap);
		expect(this.clockMs - startMs).toBeLessThan(36_000);
		expect(JSON.stringify(this.state ?? {}).length).toBeLessThan(120_000);
		if (!found.ok) {
			const isExpected = failsAt !== undefined || service.personality.fault !== 'none';
			expect([isExpected, found.failure]).toEqual([true, found.failure]);
			return false;
		}
		const keys = found.value.map(service.keyOfRow);
		expect(keys.filter((key) => this.old.has(key))).toEqual([]);
		this.emitted.push(...keys);
		expect(this.emitted.length).toBe(new Set(this.emitted).size);
		if (!this.loose) expect(found.value.filter((row) => row['priority'] !== 'urgent')).toEqual([]);
		expect(keys.length).toBeLessThanOrEqual(this.max);
		if (keys.length > 0) this.saved = JSON.stringify(this.state ?? {});
		return failsAt === undefined;
	}

	/** What should have been returned and was not. */
	missing(): Standing[] {
		const known = new Set([...this.old, ...this.emitted]);
		return this.service
			.shown()
			.filter((one) => (this.loose || one.urgent) && this.service.isReadable(one))
			.filter((one) => !known.has(this.service.keyOf(one)));
	}
}

const seen = { sequences: 0, emitted: 0, begun: 0, crowds: 0, faults: 0 };

async function follow(chosen: Sequence): Promise<void> {
	const host = new Host(chosen);
	for (const what of chosen.before) host.happen(what);
	host.clockMs += 3 * MINUTE;
	if (!(await host.begin())) return;
	for (const what of chosen.steps) {
		if (what.kind === 'poll') await host.poll(what.failsAt);
		else host.happen(what);
		if (what.kind === 'crowd') seen.crowds += 1;
		if (what.kind !== 'filter' && what.kind !== 'workspace') continue;
		// What is late when a trigger begins may come out or not.
		host.clockMs += 3 * MINUTE;
		if (!(await host.begin())) return;
		seen.begun += 1;
	}
	host.clockMs += 3 * MINUTE;
	for (let polls = 0; polls < 700; polls++) {
		host.clockMs += 1_000;
		const before = host.emitted.length;
		if (!(await host.poll()) || host.emitted.length === before) break;
	}
	seen.sequences += 1;
	seen.emitted += host.emitted.length;
	if (chosen.personality.fault === 'none') expect(host.missing()).toEqual([]);
	else seen.faults += 1;
	expect(OVERLAP_MS).toBeGreaterThan(3 * MINUTE);
}

it.each<[string, Sequence]>([
	[
		'in the next whole second',
		{
			personality: { ...plain, times: 'wholeSeconds' },
			before: [{ kind: 'wait', ms: 2_630_578 }],
			steps: [
				{ kind: 'crowd', n: 600 },
				...[{ kind: 'poll' as const }, { kind: 'poll' as const }],
				{ kind: 'wait', ms: 101 },
				{ kind: 'poll' },
				{ kind: 'update', n: 3, urgent: true, lateMs: 0 },
			],
			max: 30,
		},
	],
	[
		'late, within the same second',
		{
			personality: { ...plain, cap: 50 },
			before: [],
			steps: [
				{ kind: 'crowd', n: 150 },
				{ kind: 'poll' },
				{ kind: 'create', n: 120, urgent: true, lateMs: 0 },
				{ kind: 'poll' },
				{ kind: 'update', n: 120, urgent: true, lateMs: 65_721 },
				{ kind: 'wait', ms: 4_134_137 },
				{ kind: 'poll' },
			],
			max: 1_000,
		},
	],
])('hands out again who changed once more beside a crowd: %s', async (_, chosen) => {
	await follow(chosen);
});

it('keeps its promises to services of every kind', async () => {
	await fc.assert(fc.asyncProperty(sequence, follow), {
		...propertyRuns(1_000),
		endOnFailure: true,
	});
	expect(seen.emitted).toBeGreaterThan(10 * seen.sequences);
	for (const count of [seen.begun, seen.crowds, seen.faults])
		expect(count).toBeGreaterThan(seen.sequences / 20);
}, 600_000);
