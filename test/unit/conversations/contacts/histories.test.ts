import fc from 'fast-check';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import type { Runtime } from '../../../../src/core/client';
import { createClient } from '../../../../src/core/client';
import type { HttpResult } from '../../../../src/core/http';
import type { OperationContext, RowResult } from '../../../../src/core/operation';
import { create } from '../../../../src/conversations/create/create';
import { jsonLedger, lost, neverSent, reply } from '../../../support/fakeRuntime';
import type { World } from '../../../support/killableStore';
import { createProcess, createWorld, Table } from '../../../support/killableStore';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members } from '../../../support/samples';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

/** How many histories are played; PROPERTY_RUNS=10 plays 20,000. */
const HISTORIES = 2_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2026, 0, 15, 9, 20);
/** The zone of the workflow. */
const ZONE = 'UTC';

/** Longer than the hours someone is not called, by what the clock of the record is coarse. */
const SLACK_MS = 1.25 * HOUR_MS;

const numberOf = (person: number): string => `+1415555010${person}`;

/** Spellings of one number in sheets. */
const spellings: ReadonlyArray<(person: number) => string> = [
	numberOf,
	(person) => `+1 (415) 555-010${person}`,
	(person) => `415.555.010${person}`,
	(person) => `tel:+1415555010${person}`,
	(person) => `'+1415555010${person}`,
];

/** Cells as sheets, lookups and webhooks write them; the last five hold a person back. */
const marks: readonly unknown[] = ['', 'no', null, false, [], 'yes', true, ['Yes'], [true], 'DNC'];
const consents: readonly unknown[] = [
	'yes',
	true,
	['Yes'],
	[true],
	'DNC',
	'',
	'no',
	null,
	false,
	[],
];
const MARKED_FROM = 5;
const COLUMN = 'Do Not Call';

/** Texts of people without a row, as many as a list may have. */
const STRANGERS = Array.from({ length: 250_000 }, (_, n) => `stranger ${n}`);

/** Faults of the service: whether phones ring, and the response. */
const faults = {
	fine: { rings: true, response: reply(200, '') },
	lostBefore: { rings: false, response: lost() },
	lostAfter: { rings: true, response: lost() },
	failedAfter: { rings: true, response: reply(500) },
	refused: {
		rings: false,
		response: reply(400, { code: 'BAD_REQUEST', message: 'no', issues: [] }),
	},
	saysNo: { rings: false, response: reply(200, { success: false }) },
	unreachable: { rings: false, response: neverSent() },
} as const satisfies Record<string, { rings: boolean; response: HttpResult }>;

type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

const sheetRow = fc.record({
	person: fc.integer({ min: 1, max: 5 }),
	spelling: fc.nat(spellings.length - 1),
	type: fc.constantFrom('telephony', 'Phone Call', 'chat', 'voice'),
	mark: fc.oneof(
		{ weight: 5, arbitrary: fc.nat(MARKED_FROM - 1) },
		{ weight: 1, arbitrary: fc.nat(marks.length - 1) },
	),
	isBroken: fc.constantFrom(false, false, false, false, true),
});

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** One execution in one process, with its faults. */
const part = fc.record({
	rows: fc.array(sheetRow, { minLength: 1, maxLength: 6 }),
	hours: fc.constantFrom(undefined, undefined, 0, 0.25, 1, 6, 24),
	campaign: seldom(fc.constantFrom('Spring', ' spring', 'Autumn')),
	maximum: fc.integer({ min: 1, max: 3 }),
	perDay: seldom(fc.integer({ min: 1, max: 3 })),
	batchSize: fc.integer({ min: 1, max: 3 }),
	dryRun: fc.constantFrom(false, false, false, true),
	isJson: fc.boolean(),
	/** Whether the column has yes for people who agreed, and not for those who must not be called. */
	asksConsent: fc.constantFrom(false, false, true),
	wire: fc.array(fc.constantFrom(...(Object.keys(faults) as Array<keyof typeof faults>)), {
		maxLength: 3,
	}),
	killAt: seldom(fc.integer({ min: 1, max: 45 })),
	failAt: seldom(fc.integer({ min: 1, max: 15 })),
	failAfterAt: seldom(fc.integer({ min: 1, max: 15 })),
	slowAt: seldom(fc.integer({ min: 1, max: 12 })),
	stopAfterMs: seldom(fc.integer({ min: 0, max: 300 })),
});

const step = fc
	.record({
		part,
		how: fc.constantFrom(
			'newExecution',
			'newExecution',
			'retry',
			'laterRound',
			'retryWithLostContext',
		),
		/** The time until the step: forward, backward, or to just before midnight. */
		wait: fc.oneof(
			{
				weight: 4,
				arbitrary: fc.constantFrom(
					-HOUR_MS,
					-600_000,
					0,
					60_000,
					HOUR_MS,
					5 * HOUR_MS,
					12 * HOUR_MS,
					13.5 * HOUR_MS,
					26 * HOUR_MS,
				),
			},
			{
				weight: 1,
				arbitrary: fc.record({ beforeMidnightMs: fc.constantFrom(5, 20, 60, 1_000) }),
			},
		),
		/** Another process with its own settings, which starts `afterMs` later. */
		other: seldom(fc.record({ part, afterMs: fc.integer({ min: 0, max: 200 }) })),
		/** Whether the list of people called is full meanwhile. */
		isListFull: fc.constantFrom(false, false, false, false, false, false, true),
	})
	.map(({ part: fields, ...stepFields }) => ({ ...fields, ...stepFields }));

type SheetRow = Drawn<typeof sheetRow>;
type Part = Drawn<typeof part>;
type Step = Drawn<typeof step>;

/** Faults after which it is certain who was called and who was not. */
const CERTAIN: ReadonlyArray<keyof typeof faults> = ['fine', 'refused', 'saysNo', 'unreachable'];

/** Removes the faults that make it uncertain who was called. A dry run keeps its faults. */
const calm = <P extends Part>(each: P): P =>
	each.dryRun
		? each
		: {
				...each,
				wire: each.wire.filter((fault) => CERTAIN.includes(fault)),
				killAt: undefined,
				failAt: undefined,
				failAfterAt: undefined,
				slowAt: undefined,
				stopAfterMs: undefined,
			};

const calmStep = step.map(calm).map((each) => ({
	...each,
	other: each.other && { ...each.other, part: calm(each.other.part) },
}));

const length = { minLength: 1, maxLength: 5 };
const history = fc.oneof(fc.array(step, length), fc.array(calmStep, length));

/** A phone that rang: its person, time and execution. */
interface Ring {
	readonly person: string;
	readonly atMs: number;
	readonly by: Part;
	/** The number of its step, in which two executions may overlap. */
	readonly step: number;
}

const isSameCampaign = (name: string | undefined, other: string): boolean =>
	name?.trim().toLowerCase() === other.trim().toLowerCase();

const parametersOf = (
	{ hours, campaign, maximum, perDay, batchSize, dryRun, isJson, asksConsent }: Part,
	row: SheetRow,
) => {
	const number = spellings[row.spelling]?.(row.person) ?? '';
	const agentId = row.isBroken ? 'not an ID' : AGENT;
	return {
		parameters: {
			inputMode: isJson ? 'json' : 'fields',
			...(asksConsent && { whoMayBeCalled: 'allowed', consentColumn: COLUMN }),
			agentId,
			conversationType: row.type,
			toPhoneNumber: number,
			conversationJson: { agentId, conversationType: row.type, toPhoneNumber: number },
			options: {
				dryRun,
				batchSize,
				defaultCountry: 'US',
				invalidRows: 'sendValid',
				mark: (asksConsent ? consents : marks)[row.mark],
				yesValues: 'DNC',
				...(hours !== undefined && { hoursBetweenCalls: hours }),
				...(campaign !== undefined && { campaignKey: campaign, maximumAttempts: maximum }),
				...(perDay !== undefined && { maximumPerDay: perDay }),
			},
		},
	};
};

/** The state that all executions of a history share. */
interface History {
	readonly world: World;
	readonly table: Table;
	readonly rings: Ring[];
	/** The numbers in all requests, whether phones rang or not. */
	readonly named: Set<string>;
	readonly step: number;
}

/** The store of a dry run, which must not use it. */
const forbiddenStore: DedupeStore = {
	isSaved: true,
	size: async () => await Promise.reject(new Error('A dry run used the store')),
	alone: async () => await Promise.reject(new Error('A dry run used the store')),
};

/** One run of the node in its own process, which may be killed, fail or be stopped. A dead process has no results. */
async function play(
	{ world, table, rings, named, step }: History,
	chosen: Part,
	saved: { readonly ledger: ReturnType<typeof jsonLedger>; readonly round: number },
): Promise<readonly RowResult[]> {
	const process = createProcess(world, table, { ...chosen, slowMs: 40_000 });
	// A dry run makes no call to the database, so a timer kills it. The run takes less than 0.1 ms.
	if (chosen.dryRun && chosen.killAt !== undefined) world.after(chosen.killAt / 500, process.kill);
	const user = new AbortController();
	if (chosen.stopAfterMs !== undefined) world.after(chosen.stopAfterMs, () => user.abort());
	let sendings = 0;
	const runtime: Runtime = {
		send: async ({ body }) => {
			const { rings: isRung, response } = faults[chosen.wire[sendings] ?? 'fine'];
			sendings += 1;
			const numbers = listOf(body, 'conversations').map((each) =>
				String(members(each)['toPhoneNumber']),
			);
			for (const person of numbers) named.add(person);
			if (isRung)
				for (const person of numbers) rings.push({ person, atMs: world.now(), by: chosen, step });
			if (process.isDead()) return await process.never;
			await process.sleep(20);
			return response;
		},
		sleep: process.sleep,
		random: () => 0.5,
		now: world.now,
		signal: user.signal,
	};
	const context: OperationContext = {
		client: createClient(runtime),
		zone: ZONE,
		now: world.now,
		sleep: process.sleep,
		signal: user.signal,
		account: 'workspace',
		round: saved.round,
		ledger: saved.ledger,
		inTurn: async (call) => await call(),
		dedupeStore: chosen.dryRun ? forbiddenStore : process.store(),
	};
	let results: readonly RowResult[] | undefined;
	let error: unknown;
	void runRows(
		create,
		chosen.rows.map((row) => parametersOf(chosen, row)),
		context,
	).then(
		(run) => void (results = run.rows),
		(thrown: unknown) => void (error = thrown),
	);
	await world.until(() => results !== undefined || error !== undefined || process.isDead());
	if (error !== undefined) throw error;
	return results ?? [];
}

const isMarked = (rows: readonly SheetRow[], person: string): boolean =>
	rows.some((row) => row.mark >= MARKED_FROM && numberOf(row.person) === person);

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Asserts that the phones that rang obey the safeguards of each execution. */
function check(rings: readonly Ring[]): void {
	for (const [i, { by, person, atMs, step }] of rings.entries()) {
		const before = rings.slice(0, i);
		const hours = by.hours ?? 12;
		/** Whether an execution at the same time that may do more took its claim after this one, and rang before. */
		const isFreer = (other: Ring, limitOf: (by: Part) => number): boolean =>
			other.step === step && limitOf(other.by) > limitOf(by);
		const early = before.filter(
			(other) =>
				hours > 0 &&
				other.person === person &&
				atMs - other.atMs < hours * HOUR_MS &&
				!isFreer(other, (each) => (each.hours === 0 ? 1 : 0)),
		);
		expect({ soonerThanTheHours: early }).toEqual({ soonerThanTheHours: [] });
		expect({ person, marked: isMarked(by.rows, person) }).toEqual({ person, marked: false });
		if (by.dryRun) throw new Error('A dry run rang a phone');
		const { campaign, perDay } = by;
		if (campaign !== undefined) {
			const attempts = before.filter(
				(other) =>
					other.person === person &&
					isSameCampaign(other.by.campaign, campaign) &&
					!isFreer(other, ({ maximum }) => maximum),
			);
			expect({ attempts: attempts.length < by.maximum }).toEqual({ attempts: true });
		}
		if (perDay !== undefined) {
			const today = before.filter(
				(other) =>
					other.by.perDay !== undefined &&
					!isFreer(other, (each) => each.perDay ?? 0) &&
					dayOf(other.atMs) === dayOf(atMs),
			);
			expect({ perDay: today.length < perDay }).toEqual({ perDay: true });
		}
	}
}

/** Whether the responses of a run show for everyone whether they were called. */
const isSure = ({ dryRun, wire }: Part): boolean =>
	dryRun || wire.every((fault) => CERTAIN.includes(fault));

/** Whether a run that calls has a fault other than the service's. A dry run leaves no traces. */
const isDisturbed = ({ dryRun, killAt, failAt, failAfterAt, slowAt, stopAfterMs }: Part): boolean =>
	!dryRun &&
	[killAt, failAt, failAfterAt, slowAt, stopAfterMs].some((fault) => fault !== undefined);

/** Everyone has an outcome. Free people are called, within attempts and places of the day. Only people in a request are held back. */
function checkReported(
	results: readonly RowResult[],
	chosen: Step,
	{ rings, named, earlier, isUndisturbed, isCertain, nowMs }: Reported,
): void {
	const { campaign, maximum, perDay = Infinity, isListFull } = chosen;
	const isPlain =
		chosen.wire.every((fault) => fault === 'fine') &&
		chosen.how === 'newExecution' &&
		chosen.other === undefined &&
		!chosen.dryRun &&
		!isListFull;
	const past = rings.slice(0, earlier);
	const today = past.filter(({ by, atMs }) => by.perDay && dayOf(atMs) >= dayOf(nowMs));
	const isAtMidnight = perDay < Infinity && dayOf(nowMs + 60_000) > dayOf(nowMs);
	const hasPlaces = !isAtMidnight && today.length + chosen.rows.length <= perDay;
	for (const [i, { items, failure, failureItem }] of results.entries()) {
		expect(items.length > 0 || failure !== undefined).toBe(true);
		const row = chosen.rows[i];
		const person = numberOf(row?.person ?? 0);
		const code = failureItem?.['code'] ?? members(items[0])['code'];
		const isHeldBack = code === 'calledBefore' || code === 'attemptsUsed';
		if (isHeldBack && isUndisturbed)
			expect({ person, isNamed: named.has(person) }).toEqual({ person, isNamed: true });
		// Another process may hold back a person it is about to call, and be rejected later.
		if (isHeldBack && isCertain && !chosen.other)
			expect(rings.some((ring) => ring.person === person)).toBe(true);
		if (!isPlain || !isCertain || !row || row.isBroken) continue;
		const calls = past.filter((ring) => ring.person === person);
		const last = Math.max(-Infinity, ...calls.map(({ atMs }) => atMs));
		const isFree = nowMs - last > (chosen.hours ?? 12) * HOUR_MS + SLACK_MS;
		const isSame = ({ by }: Ring) => campaign && isSameCampaign(by.campaign, campaign);
		const isOften = calls.filter(isSame).length >= maximum;
		if (isFree && !isOften && hasPlaces && !isMarked(chosen.rows, person))
			expect({
				person,
				called: rings.slice(earlier).some((ring) => ring.person === person),
			}).toEqual({ person, called: true });
	}
}

interface Reported {
	readonly rings: readonly Ring[];
	readonly named: ReadonlySet<string>;
	/** How many phones rang before. */
	readonly earlier: number;
	/** Whether no run that calls was killed, stopped or failed by the database so far. */
	readonly isUndisturbed: boolean;
	/** Whether it is certain of everyone so far whether they were called. */
	readonly isCertain: boolean;
	readonly nowMs: number;
}

/** Fills the list of people called; returns a function that empties it again, and checks that no run has changed it. */
function fillList(table: Table): () => void {
	const before = table.records.get('node');
	const filled = { mode: 'entries', data: [before?.data ?? [], STRANGERS].flat() };
	table.records.set('node', filled);
	return () => {
		expect(table.records.get('node')).toBe(filled);
		if (before) table.records.set('node', before);
		else table.records.delete('node');
	};
}

/** Moves the clock to the next step, back by one hour at most in total. */
function advance(world: World, wait: Step['wait'], latestMs: number): void {
	const nowMs = world.now();
	const targetMs =
		typeof wait === 'number'
			? Math.max(nowMs + wait, latestMs - HOUR_MS)
			: (dayOf(nowMs) + 1) * DAY_MS - wait.beforeMidnightMs;
	world.advance(targetMs - nowMs);
}

async function playHistory(steps: readonly Step[]): Promise<void> {
	const world = createWorld(START);
	const table = new Table();
	const rings: Ring[] = [];
	const named = new Set<string>();
	let isUndisturbed = true;
	let isCertain = true;
	let latestMs = START;
	let saved = { ledger: jsonLedger(), round: 0 };
	for (const [step, chosen] of steps.entries()) {
		const history: History = { world, table, rings, named, step };
		advance(world, chosen.wait, latestMs);
		const { how, other } = chosen;
		if (how === 'newExecution' || how === 'retryWithLostContext')
			saved = { ledger: jsonLedger(), round: 0 };
		else if (how === 'laterRound') saved = { ledger: saved.ledger, round: saved.round + 1 };
		const nowMs = world.now();
		const earlier = rings.length;
		const before = JSON.stringify([...table.records]);
		const emptyList = chosen.isListFull ? fillList(table) : undefined;
		const first = play(history, chosen, saved);
		let isOver = other === undefined;
		if (other)
			world.after(other.afterMs, () => {
				void play(history, other.part, { ledger: jsonLedger(), round: 0 }).then(
					() => (isOver = true),
				);
			});
		const results = await first;
		await world.until(() => isOver);
		if (chosen.isListFull) expect(rings.slice(earlier)).toEqual([]);
		emptyList?.();
		if (chosen.dryRun && !other) expect(JSON.stringify([...table.records])).toBe(before);
		isUndisturbed &&= !isDisturbed(chosen) && !(other && isDisturbed(other.part));
		isCertain &&= isUndisturbed && (!other || isSure(other.part));
		checkReported(results, chosen, { rings, named, earlier, isUndisturbed, isCertain, nowMs });
		// If both of two executions at once are rejected, and one ignores the hours, the person stays called.
		const ignoresHours = other && [chosen, other.part].some(({ hours }) => hours === 0);
		isCertain &&= isSure(chosen) && !ignoresHours;
		latestMs = Math.max(latestMs, world.now());
	}
	check(rings);
}

describe('whatever happens between executions', () => {
	it('no one is called too soon, marked, too often or lost, and everyone is accounted for', async () => {
		await fc.assert(
			fc.asyncProperty(history, async (steps) => await playHistory(steps)),
			propertyRuns(HISTORIES),
		);
	}, 2_400_000);
});
