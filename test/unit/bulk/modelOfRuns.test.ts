import fc from 'fast-check';
import { create } from '../../../src/conversations/create/create';
import type { HttpResult } from '../../../src/core/http';
import type { RowResult } from '../../../src/core/operation';
import type { Sent } from '../../support/fakeRuntime';
import {
	fakeDedupeStore,
	fakeRuntime,
	jsonLedger,
	lost,
	neverSent,
	reply,
} from '../../support/fakeRuntime';
import { outcomeOf, runRows } from '../../support/runRows';
import { AGENT, listOf, members } from '../../support/samples';
import { propertyRuns } from '../../support/propertyRuns.mjs';

/** How often to play; `npm run test:unit` plays a few of the sequences that a search for mistakes plays. */
const SEQUENCES = 2_000;

const numberOf = (person: number): string => `+1415555010${person}`;

/** Spellings of one number in sheets. */
const spellings: ReadonlyArray<(person: number) => unknown> = [
	(person) => numberOf(person),
	(person) => `+1 (415) 555-010${person}`,
	(person) => `'+1 415 555 010${person}`,
	(person) => `1415555010${person}`,
	(person) => `415.555.010${person}`,
];

interface Row {
	readonly person: number;
	readonly spelling: number;
	/** What travels along, and changes between tries. */
	readonly variable: number;
	readonly mark: string;
}

/** What the service does with a request, and whether phones ring. */
const faults = {
	fine: { rings: true, response: reply(200, '') },
	listed: { rings: true, response: reply(200, '') },
	lostBefore: { rings: false, response: lost() },
	lostAfter: { rings: true, response: lost() },
	failedAfter: { rings: true, response: reply(500) },
	limited: { rings: false, response: reply(429) },
	refused: {
		rings: false,
		response: reply(400, { code: 'BAD_REQUEST', message: 'no', issues: [] }),
	},
	unreachable: { rings: false, response: neverSent() },
} as const satisfies Record<string, { rings: boolean; response: HttpResult }>;

type Fault = keyof typeof faults;

/** How the node is run next; each keeps or loses what n8n would keep or lose. */
type Step =
	| 'retryOnFail'
	| 'retrySaved'
	| 'retryWithLostContext'
	| 'parentRunsAgain'
	| 'loopRound'
	| 'toolTry'
	| 'twoProcesses';

interface Play {
	readonly step: Step;
	readonly rows: readonly Row[];
	readonly faults: readonly Fault[];
	/** The request during which the process is killed, if it is. */
	readonly killAt: number | undefined;
	readonly batchSize: number;
	readonly duplicates: 'keepFirst' | 'keepLast';
}

const row = fc.record<Row>({
	person: fc.nat(4),
	spelling: fc.nat(spellings.length - 1),
	variable: fc.nat(9),
	mark: fc.constantFrom('', '', '', 'no', 'x', 'yes'),
});

const play = fc.record<Play>({
	step: fc.constantFrom<Step[]>(
		...(['retryOnFail', 'retrySaved', 'retryWithLostContext', 'parentRunsAgain'] as const),
		...(['loopRound', 'toolTry', 'twoProcesses'] as const),
	),
	rows: fc.array(row, { minLength: 1, maxLength: 5 }),
	faults: fc.array(fc.constantFrom(...(Object.keys(faults) as Fault[])), { maxLength: 4 }),
	killAt: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined, freq: 3 }),
	batchSize: fc.integer({ min: 1, max: 3 }),
	duplicates: fc.constantFrom('keepFirst', 'keepLast'),
});

const sequence = fc.record({
	plays: fc.array(play, { minLength: 2, maxLength: 5 }),
});

/** The world: who was rung, n8n's database, and what n8n kept of the execution. */
interface World {
	readonly rung: Map<string, number>;
	store: Set<string>;
	ledger: string;
	round: number;
}

/** Runs the node once on a store; a kill leaves the world as it was at that moment. */
async function runOnce(
	world: World,
	{ rows, faults: script, killAt, batchSize, duplicates }: Play,
	{ store, latency }: { readonly store: Set<string>; readonly latency: number },
) {
	const ledger = jsonLedger(world.ledger);
	let killed: { store: Set<string>; ledger: string } | undefined;
	const respond = (sent: Sent, number: number): HttpResult => {
		const fault = faults[script[number - 1] ?? 'fine'];
		if (!killed && fault.rings)
			for (const one of listOf(sent.body, 'conversations')) {
				const to = String(members(one)['toPhoneNumber']);
				world.rung.set(to, (world.rung.get(to) ?? 0) + 1);
			}
		if (number === killAt) killed ??= { store: new Set(store), ledger: ledger.save() };
		return fault.response;
	};
	const run = await runRows(
		create,
		rows.map(({ person, spelling, variable, mark }) => ({
			parameters: {
				inputMode: 'fields',
				agentId: AGENT,
				toPhoneNumber: spellings[spelling]?.(person),
				dynamicVariables: { variables: [{ name: 'now', value: variable }] },
				options: {
					batchSize,
					duplicates,
					defaultCountry: 'US',
					doNotCallColumn: mark,
					invalidRows: 'sendValid',
				},
			},
		})),
		fakeRuntime(respond, { latency }).context(ledger, fakeDedupeStore(store), world.round),
	);
	return { killed, run, ledger: killed?.ledger ?? ledger.save() };
}

/** Plays a step, and leaves the world as the last process does. */
async function playOnce(world: World, each: Play) {
	const store = new Set(world.store);
	const processes =
		each.step === 'twoProcesses'
			? [
					{ ...each, killAt: undefined },
					{ ...each, killAt: undefined, rows: [...each.rows].reverse() },
				]
			: [each];
	const ends = await Promise.all(
		processes.map(async (one, i) => ({
			...(await runOnce(world, one, { store, latency: i * 40 })),
			rows: one.rows,
		})),
	);
	world.store = ends.find(({ killed }) => killed)?.killed?.store ?? store;
	world.ledger = ends[0]?.ledger ?? '{}';
	return ends;
}

function prepare(world: World, step: Step): void {
	if (step === 'retryWithLostContext' || step === 'parentRunsAgain') {
		world.ledger = '{}';
		world.round = 0;
	}
	if (step === 'loopRound') world.round += 1;
}

const isRungWhereAccepted = (world: World, row: RowResult, person: number): boolean =>
	outcomeOf(row) !== 'accepted' || (world.rung.get(numberOf(person)) ?? 0) > 0;

it('calls everyone at most once and no one who is marked, whatever is run, killed and retried', async () => {
	const seen = new Map<string, number>();
	const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
	let sequences = 0;
	await fc.assert(
		fc.asyncProperty(sequence, async ({ plays }) => {
			sequences += 1;
			const world: World = { rung: new Map(), store: new Set(), ledger: '{}', round: 0 };
			for (const each of plays) {
				prepare(world, each.step);
				count(each.step);
				const marked = new Set(
					each.rows.filter(({ mark }) => /x|yes/.test(mark)).map(({ person }) => numberOf(person)),
				);
				const before = new Map(world.rung);
				const ends = await playOnce(world, each);
				for (const [number, times] of world.rung) {
					expect({ number, times }).toEqual({ number, times: 1 });
					if (marked.has(number))
						expect({ number, before: before.get(number) }).toEqual({ number, before: times });
				}
				for (const { killed, run, rows } of ends) {
					if (killed) continue;
					expect(run.rows).toHaveLength(rows.length);
					for (const [i, result] of run.rows.entries()) {
						expect(result.items.length + (result.failure ? 1 : 0)).toBe(1);
						expect(isRungWhereAccepted(world, result, rows[i]?.person ?? -1)).toBe(true);
					}
				}
				if (ends.some(({ killed }) => killed)) count('killed');
			}
		}),
		propertyRuns(SEQUENCES),
	);
	expect(seen.get('killed')).toBeGreaterThan(sequences / 10);
	expect([...seen.keys()]).toHaveLength(8);
}, 120_000);
