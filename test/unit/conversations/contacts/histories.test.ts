import fc from 'fast-check';
import type { Runtime } from '../../../../src/core/client';
import { createClient } from '../../../../src/core/client';
import type { HttpResult } from '../../../../src/core/http';
import type { OperationContext, RowResult } from '../../../../src/core/operation';
import { create } from '../../../../src/conversations/create/create';
import { jsonLedger, jsonState, lost, neverSent, reply } from '../../../support/fakeRuntime';
import type { Process, World } from '../../../support/killableStore';
import { createProcess, createWorld, Table } from '../../../support/killableStore';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members } from '../../../support/samples';
import { propertyRuns } from '../../../support/propertyRuns.mjs';

/** How many histories are played. */
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
];

/** Marks as sheets, lookups and webhooks write them; the first are no. */
const marks: readonly unknown[] = ['', 'no', null, false, [], 'yes', true, ['Yes'], [true], 'DNC'];
const MARKED_FROM = 5;

interface SheetRow {
	readonly person: number;
	readonly spelling: number;
	readonly type: string;
	readonly mark: number;
	readonly isBroken: boolean;
}

/** What the service does with a request, and whether phones ring. */
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

interface RunSettings {
	readonly hours: number | undefined;
	readonly campaign: string | undefined;
	readonly maximum: number;
	readonly perDay: number | undefined;
	readonly batchSize: number;
	readonly dryRun: boolean;
	readonly isJson: boolean;
}

interface Step extends RunSettings {
	readonly rows: readonly SheetRow[];
	readonly how: 'newExecution' | 'retry' | 'laterRound' | 'retryWithLostContext';
	readonly waitMs: number;
	readonly wire: ReadonlyArray<keyof typeof faults>;
	readonly killAt: number | undefined;
	readonly failAt: number | undefined;
	readonly slowAt: number | undefined;
	readonly stopAfterMs: number | undefined;
	/** Whether another process runs the same at the same time, so many ms later. */
	readonly overlapMs: number | undefined;
}

const sheetRow: fc.Arbitrary<SheetRow> = fc.record({
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

const step: fc.Arbitrary<Step> = fc.record({
	rows: fc.array(sheetRow, { minLength: 1, maxLength: 6 }),
	hours: fc.constantFrom(undefined, undefined, 0, 1, 6, 24),
	campaign: seldom(fc.constantFrom('Spring', ' spring', 'Autumn')),
	maximum: fc.integer({ min: 1, max: 3 }),
	perDay: seldom(fc.integer({ min: 1, max: 3 })),
	batchSize: fc.integer({ min: 1, max: 3 }),
	dryRun: fc.constantFrom(false, false, false, true),
	isJson: fc.boolean(),
	how: fc.constantFrom(
		'newExecution',
		'newExecution',
		'retry',
		'laterRound',
		'retryWithLostContext',
	),
	waitMs: fc.constantFrom(
		0,
		60_000,
		HOUR_MS,
		5 * HOUR_MS,
		12 * HOUR_MS,
		13.5 * HOUR_MS,
		26 * HOUR_MS,
	),
	wire: fc.array(fc.constantFrom(...(Object.keys(faults) as Array<keyof typeof faults>)), {
		maxLength: 3,
	}),
	killAt: seldom(fc.integer({ min: 1, max: 45 })),
	failAt: seldom(fc.integer({ min: 1, max: 15 })),
	slowAt: seldom(fc.integer({ min: 1, max: 12 })),
	stopAfterMs: seldom(fc.integer({ min: 0, max: 300 })),
	overlapMs: seldom(fc.integer({ min: 0, max: 200 })),
});

/** A phone that rang: who, when, and by the settings of which run. */
interface Ring {
	readonly person: string;
	readonly atMs: number;
	readonly by: RunSettings;
}

const keyOfCampaign = (name: string): string => name.trim().toLowerCase();

const parametersOf = (
	{ hours, campaign, maximum, perDay, batchSize, dryRun, isJson }: RunSettings,
	row: SheetRow,
) => {
	const number = spellings[row.spelling]?.(row.person) ?? '';
	const agentId = row.isBroken ? 'not an ID' : AGENT;
	return {
		parameters: {
			inputMode: isJson ? 'json' : 'fields',
			agentId,
			conversationType: row.type,
			toPhoneNumber: number,
			conversationsJson: [{ agentId, conversationType: row.type, toPhoneNumber: number }],
			options: {
				dryRun,
				batchSize,
				defaultCountry: 'US',
				invalidRows: 'sendValid',
				doNotCallColumn: marks[row.mark],
				markedValues: 'DNC',
				...(hours !== undefined && { hoursBetweenCalls: hours }),
				...(campaign !== undefined && { campaignKey: campaign, maximumAttempts: maximum }),
				...(perDay !== undefined && { maximumPerDay: perDay }),
			},
		},
	};
};

interface Played {
	readonly results: readonly RowResult[] | undefined;
	readonly sentBefore: readonly Ring[];
}

/** One run of the node in a process, which may be killed, fail or be stopped meanwhile. */
async function play(
	{
		world,
		process,
		rings,
		perhaps,
	}: { world: World; process: Process; rings: Ring[]; perhaps: Set<string> },
	chosen: Step,
	saved: { ledger: ReturnType<typeof jsonLedger>; round: number },
): Promise<Played> {
	const sentBefore = [...rings];
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
			for (const person of numbers) {
				if (isRung) rings.push({ person, atMs: world.now(), by: chosen });
				else if (response.kind === 'noResponse') perhaps.add(person);
			}
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
		dedupeStore: process.store(),
		state: jsonState().state,
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
	return { results, sentBefore };
}

const isMarkedIn = (rows: readonly SheetRow[], person: string): boolean =>
	rows.some((row) => row.mark >= MARKED_FROM && numberOf(row.person) === person);

/** What §4 promises about the phones that rang. */
function check(
	rings: readonly Ring[],
	rowsOf: ReadonlyMap<RunSettings, readonly SheetRow[]>,
): void {
	for (const [i, ring] of rings.entries()) {
		const { by, person, atMs } = ring;
		const hours = by.hours ?? 12;
		const before = rings.slice(0, i);
		const early = before.filter(
			(other) => other.person === person && atMs - other.atMs < hours * HOUR_MS,
		);
		expect({ soonerThanTheHours: early }).toEqual({ soonerThanTheHours: [] });
		expect({ person, marked: isMarkedIn(rowsOf.get(by) ?? [], person) }).toEqual({
			person,
			marked: false,
		});
		if (by.dryRun) throw new Error('A dry run rang a phone');
		const { campaign, perDay } = by;
		if (campaign !== undefined) {
			const attempts = before.filter(
				(other) =>
					other.person === person &&
					other.by.campaign !== undefined &&
					keyOfCampaign(other.by.campaign) === keyOfCampaign(campaign),
			);
			expect(attempts.length).toBeLessThan(by.maximum);
		}
		if (perDay !== undefined) {
			const day = Math.floor(atMs / DAY_MS);
			const today = before.filter(
				(other) => other.by.perDay !== undefined && Math.floor(other.atMs / DAY_MS) === day,
			);
			expect(today.length).toBeLessThan(perDay);
		}
	}
}

/** No one is said to have been called who was not; everyone has an outcome; who is free is called. */
function checkTold(
	{ results = [], sentBefore }: Played,
	chosen: Step,
	{ rings, isCalm, nowMs }: { rings: readonly Ring[]; isCalm: boolean; nowMs: number },
): void {
	for (const [i, { items, failure }] of results.entries()) {
		expect(items.length > 0 || failure !== undefined).toBe(true);
		const row = chosen.rows[i];
		const person = numberOf(row?.person ?? 0);
		const told = JSON.stringify([items, failure]);
		if (/this node called this person/.test(told))
			expect(rings.some((ring) => ring.person === person)).toBe(true);
		if (
			!isCalm ||
			!row ||
			row.isBroken ||
			chosen.dryRun ||
			chosen.perDay !== undefined ||
			chosen.campaign !== undefined
		)
			continue;
		const last = Math.max(
			-Infinity,
			...sentBefore.filter((ring) => ring.person === person).map(({ atMs }) => atMs),
		);
		const isFree = nowMs - last > (chosen.hours ?? 12) * HOUR_MS + SLACK_MS;
		if (isFree && !isMarkedIn(chosen.rows, person))
			expect({
				person,
				called: rings.slice(sentBefore.length).some((ring) => ring.person === person),
			}).toEqual({ person, called: true });
	}
}

async function playHistory(steps: readonly Step[]): Promise<void> {
	const world = createWorld(START);
	const table = new Table();
	const rings: Ring[] = [];
	const rowsOf = new Map<RunSettings, readonly SheetRow[]>();
	let isCalm = true;
	let saved = { ledger: jsonLedger(), round: 0 };
	for (const chosen of steps) {
		world.advance(chosen.waitMs);
		rowsOf.set(chosen, chosen.rows);
		if (chosen.how === 'newExecution' || chosen.how === 'retryWithLostContext')
			saved = { ledger: jsonLedger(), round: 0 };
		else if (chosen.how === 'laterRound') saved = { ledger: saved.ledger, round: saved.round + 1 };
		const { killAt, failAt, slowAt } = chosen;
		const isDisturbed =
			killAt !== undefined ||
			failAt !== undefined ||
			slowAt !== undefined ||
			chosen.overlapMs !== undefined ||
			chosen.stopAfterMs !== undefined ||
			chosen.wire.some((fault) => fault !== 'fine') ||
			chosen.how !== 'newExecution';
		const perhaps = new Set<string>();
		const nowMs = world.now();
		const process = createProcess(world, table, { killAt, failAt, slowAt, slowMs: 40_000 });
		const first = play({ world, process, rings, perhaps }, chosen, saved);
		const { overlapMs } = chosen;
		if (overlapMs !== undefined) {
			const other = createProcess(world, table);
			let isOver = false;
			world.after(overlapMs, () => {
				void play(
					{ world, process: other, rings, perhaps },
					{ ...chosen, killAt: undefined, wire: [] },
					{ ledger: jsonLedger(), round: 0 },
				).then(() => (isOver = true));
			});
			rowsOf.set(chosen, chosen.rows);
			await first;
			await world.until(() => isOver);
		}
		isCalm &&= !isDisturbed;
		const played = await first;
		if (played.results) checkTold(played, chosen, { rings, isCalm, nowMs });
	}
	for (const { by } of rings) if (!rowsOf.has(by)) rowsOf.set(by, (by as Step).rows);
	check(rings, rowsOf);
}

describe('whatever happens between executions', () => {
	it('no one is called too soon, marked, too often or lost, and everyone is accounted for', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
				await playHistory(steps);
			}),
			propertyRuns(HISTORIES),
		);
	}, 240_000);
});
