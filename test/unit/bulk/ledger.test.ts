import type { LedgerSettings } from '../../../src/bulk/ledger';
import { ledgerGuard, countSent } from '../../../src/bulk/ledger';
import type { Outcome } from '../../../src/bulk/outcomes';
import type { HttpResult, HttpResponse } from '../../../src/core/http';
import type { Ledger } from '../../../src/core/operation';
import { createBatch } from '../../../src/customers/batch';
import { fakeRuntime, jsonLedger, lost, reply } from '../../support/fakeRuntime';
import { planOfContents } from '../../support/plan';
import { runRows } from '../../support/runRows';

const failure = { kind: 'held', message: 'no' } as const;

interface Content {
	readonly id: string;
	readonly note?: string;
}

const SETTINGS: LedgerSettings<Content> = { scope: 'create', tellsApart: false, perRound: false };
const contentOf = (content: Content) => content;

interface Of {
	readonly settings?: Partial<LedgerSettings<Content>>;
	readonly account?: string;
	readonly round?: number;
}

/** A run of values with a ledger: what it knows of them, and how it goes on. */
async function open(contents: readonly Content[], ledger: Ledger, of: Of = {}) {
	const { settings = {}, account = 'workspace', round = 0 } = of;
	const plan = planOfContents(contents, ({ id }) => id);
	const guard = ledgerGuard({ ...SETTINGS, ...settings }, { ledger, account, round });
	await guard.open?.(plan);
	const { values } = plan;
	const send = async (...positions: readonly number[]) => {
		const batch = positions.flatMap((i) => values[i] ?? []);
		await guard.before?.(batch);
		return async (...outcomes: readonly Outcome[]) => {
			for (const [i, value] of batch.entries()) value.outcome = outcomes[i] ?? outcomes[0];
			await guard.after?.(batch);
		};
	};
	/** Sends these values in one request, which ends with these outcomes, or the first of them for all. */
	const finish = async (positions: readonly number[], ...outcomes: readonly Outcome[]) => {
		const settle = await send(...positions);
		await settle(...outcomes);
	};
	return { values, send, finish, known: values.map(({ outcome }) => outcome) };
}

const [a, b, c]: readonly [Content, Content, Content] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
const accepted: Outcome = {
	outcome: 'accepted',
	batch: 1,
	reply: { jobId: 'j', list: [1] },
	isPaired: false,
};
const own = (value: unknown): Outcome => ({ ...accepted, reply: value, isPaired: true });
const interrupted = (batch: number) => ({
	outcome: 'unknown',
	batch,
	failure: {
		kind: 'connection',
		call: 'an earlier attempt of this node',
		code: 'INTERRUPTED',
		sent: 'unknown',
	},
});

describe('the key of a value', () => {
	/** The keys under which values are marked, each in a request of its own. */
	async function keysOf(contents: readonly Content[], of: Of = {}): Promise<string[]> {
		const recorded: string[] = [];
		const ledger = { recall: () => undefined, record: (key: string) => recorded.push(key) };
		const { values, send } = await open(contents, ledger, of);
		const keys: string[] = [];
		for (const i of values.keys()) {
			await send(i);
			keys.push(recorded.at(-1) ?? '');
		}
		return keys;
	}

	it('is who it is for, whatever travels along, and does not hold it', async () => {
		const [key] = await keysOf([{ id: '+14155550178' }]);
		expect((await keysOf([{ id: 'x' }, { id: '+14155550178', note: 'now' }]))[1]).toBe(key);
		expect(key).not.toContain('4155550');
	});

	it('is the same in every version, so a retry after an update knows what was sent', async () => {
		expect([
			...(await keysOf([a])),
			...(await keysOf([a], { settings: { contentOf } })),
			...(await keysOf([a], { settings: { perRound: true }, round: 2 })),
			...(await keysOf([a, a], { settings: { tellsApart: true } })),
		]).toEqual([
			'dA8dQLf3VtoyyXHP',
			'gEbhM3cGTmS1PWyD',
			'rWd1FW_2uf6YLDgp',
			'dA8dQLf3VtoyyXHP',
			'i6b7E4JtXYcTh6jX',
		]);
	});

	it('differs by operation, workspace and address', async () => {
		const keys = [
			...(await keysOf([a])),
			...(await keysOf([a], { settings: { scope: 'other' } })),
			...(await keysOf([a], { account: 'other' })),
		];
		expect(new Set(keys).size).toBe(3);
	});

	it('counts content only where a changed value goes again', async () => {
		const notes = ['1', '2', '1'].map((note) => ({ id: 'a', note }));
		const [first, second, third] = await keysOf(notes, { settings: { contentOf } });
		expect(first).toBe(third);
		expect(first).not.toBe(second);
	});

	it('counts occurrences and rounds only where duplicates are sent by choice', async () => {
		const settings = { tellsApart: true };
		const first = await keysOf([a, a], { settings });
		const second = await keysOf([a, a], { settings, round: 1 });
		expect(new Set([...first, ...second]).size).toBe(4);
		expect(new Set([...(await keysOf([a, a])), ...(await keysOf([a], { round: 1 }))]).size).toBe(1);
	});
});

describe('the ledger', () => {
	it.each([0, 1])(
		'sends a content again after another one of round %i, and only then',
		async (later) => {
			const ledger = jsonLedger();
			const sends = async (note: string, round: number): Promise<boolean> => {
				const of = { settings: { contentOf }, round };
				const { known, finish } = await open([{ id: 'a', note }], ledger, of);
				if (known[0] === undefined) await finish([0], accepted);
				return known[0] === undefined;
			};
			const sent = [];
			for (const [i, note] of ['1', '1', '2', '1', '1', '2', '2'].entries())
				sent.push(await sends(note, i * later));
			expect(sent).toEqual([true, false, true, true, false, true, false]);
		},
	);

	it('knows nothing of what was never sent', async () => {
		const ledger = jsonLedger();
		expect((await open([a], ledger)).known).toEqual([undefined]);
		await (await open([a], ledger)).send(0);
		expect((await open([b], ledger)).known).toEqual([undefined]);
	});

	it('calls unknown what was sent and never settled', async () => {
		const ledger = jsonLedger();
		await (await open([a, b], ledger)).send(0);
		const { known } = await open([b, a], jsonLedger(ledger.save()));
		expect(known).toMatchObject([undefined, interrupted(1)]);
	});

	it('calls unknown what has no request any more, and keeps to the reply of its own', async () => {
		const ledger = jsonLedger();
		const { finish } = await open([a, b], ledger);
		await finish([0, 1], own(1), accepted);
		ledger.record('#1', undefined);
		const { known } = await open([a, b], ledger);
		expect(known).toMatchObject([interrupted(1), interrupted(1)]);
	});

	it('keeps what it needs and no more', async () => {
		const ledger = jsonLedger();
		const { send } = await open([a, b], ledger, { round: 3 });
		const settle = await send(0, 1);
		const saved = (): unknown => JSON.parse(ledger.save());
		expect(saved()).toMatchObject({ '#': 1, '+': 2, '#1': { round: 3 } });
		expect(Object.values(saved() as object)).toHaveLength(5);
		await settle(accepted);
		expect(saved()).toMatchObject({ '#1': { round: 3, outcome: accepted } });
		expect(Object.values(saved() as object).filter((value) => value === 1)).toHaveLength(3);
	});

	it.each([0, 1])(
		'answers who is left out since, once, and leaves alone who was never sent (round %i)',
		async (round) => {
			const ledger = jsonLedger();
			const first = await open([a, b], ledger);
			await first.send(0, 1);
			const plan = planOfContents([a, a, b, b, c], ({ id }) => id);
			const left: Outcome = { outcome: 'notSent', failure };
			// All of the first are marked now, the second is a duplicate.
			for (const i of [0, 1, 2, 4]) Object.assign(plan.values[i] ?? {}, { outcome: left });
			await ledgerGuard(SETTINGS, { ledger, account: 'workspace', round }).open?.(plan);
			const known = round === 0 ? interrupted(1) : left;
			expect(plan.values.map(({ outcome }) => outcome)).toMatchObject([
				...[known, left, left, interrupted(1), left],
			]);
		},
	);

	it.each<Outcome>([accepted, { outcome: 'unknown', batch: 1, failure }])(
		'answers %j from memory, across JSON, and keeps it once for all of its request',
		async (outcome) => {
			const ledger = jsonLedger();
			const { send, finish } = await open([a, b, c], ledger);
			await finish([0, 1], outcome);
			await send(2);
			const saved = ledger.save();
			const { known } = await open([a, b, c], jsonLedger(saved));
			expect(known.slice(0, 2)).toEqual([outcome, outcome]);
			expect(known[2]).toMatchObject(interrupted(2));
			const [detail = ''] = saved.match(/"(reply|failure)"/) ?? [];
			expect(saved.split(detail)).toHaveLength(2);
		},
	);

	it('answers each value with the reply of its own, where there was one', async () => {
		const ledger = jsonLedger();
		const { finish } = await open([a, b, c], ledger);
		await finish([0, 1, 2], own({ id: 'x' }), own(undefined), own(null));
		const { known } = await open([a, b, c], jsonLedger(ledger.save()));
		expect(known).toEqual([own({ id: 'x' }), own(undefined), own(null)]);
	});

	it('answers the only value of a request with the reply of its own', async () => {
		const ledger = jsonLedger();
		await (await open([a], ledger)).finish([0], own({ id: 'x' }));
		expect((await open([a], jsonLedger(ledger.save()))).known).toEqual([own({ id: 'x' })]);
	});

	it('answers the values of one request by what became of each', async () => {
		const ledger = jsonLedger();
		const { finish } = await open([a, b, c], ledger);
		const unknown: Outcome = { outcome: 'unknown', batch: 1, failure };
		await finish([0, 1, 2], own(1), { outcome: 'rejected', batch: 1, failure }, unknown);
		const { known } = await open([a, b, c], jsonLedger(ledger.save()));
		expect(known).toEqual([own(1), undefined, unknown]);
	});

	it.each<Outcome>([
		{ outcome: 'rejected', batch: 1, failure },
		{ outcome: 'notSent', failure },
	])('forgets %j but for the number of its request, so it goes again', async (outcome) => {
		const ledger = jsonLedger();
		const { finish } = await open([a], ledger);
		await finish([0], outcome);
		expect((await open([a], ledger)).known).toEqual([undefined]);
		expect(JSON.parse(ledger.save())).toEqual({ '#': 1, '+': 0 });
	});

	it('counts what was sent and not rejected, and numbers requests on', async () => {
		const ledger = jsonLedger();
		expect(countSent(ledger)).toBe(0);
		const first = await open([a, b, c], ledger);
		await first.finish([0, 1], accepted, { outcome: 'rejected', batch: 1, failure });
		expect(countSent(jsonLedger(ledger.save()))).toBe(1);
		const second = await open([b, c], jsonLedger(ledger.save()));
		await second.send(0);
		expect(second.values[0]?.batch).toBe(2);
	});

	it('says of what an earlier round of a loop sent that it did, and sends it in no other', async () => {
		const ledger = jsonLedger();
		await (await open([a], ledger)).finish([0], accepted);
		const [later] = (await open([a], ledger, { round: 1 })).known;
		expect(later).toEqual({
			outcome: 'notSent',
			failure: {
				kind: 'skipped',
				message: 'Not sent, because this execution sent it in an earlier round',
			},
		});
		expect((await open([a], ledger, { round: 0 })).known).toEqual([accepted]);
	});
});

const customers = (count: number, batchSize: number) =>
	Array.from({ length: count }, (_, i) => ({
		parameters: {
			inputMode: 'fields',
			customer: { identifier: `C-${100_000 + i}`, name: `Customer ${i}`, phoneNumber: '' },
			options: { batchSize, parallelRequests: 1 },
		},
	}));

const job = (n: number) => reply(200, { jobId: `5f0c6a3e-9d1b-4e7a-8c25-${String(n).repeat(12)}` });

describe('the ledger of a run', () => {
	it('answers every row from the batch that took it, in every later attempt', async () => {
		const rows = customers(6, 2);
		let saved = '{}';
		const attempt = async (...script: HttpResult[]) => {
			const ledger = jsonLedger(saved);
			const runtime = fakeRuntime((_, number) => script[number - 1] ?? reply(500));
			const run = await runRows(createBatch, rows, runtime.context(ledger));
			saved = ledger.save();
			expect(runtime.sent).toHaveLength(script.length);
			return run.rows.map(({ items, details }) => items[0] ?? details);
		};
		const two = (facts: object) => [facts, facts];
		const taken = (batch: number, { text }: HttpResponse) =>
			two({ outcome: 'accepted', batch, ...(JSON.parse(text) as object) });
		const unknown = two({ outcome: 'unknown', batch: 2 });
		expect(await attempt(job(1), lost(), reply(400))).toMatchObject([
			...[...taken(1, job(1)), ...unknown, ...two({ outcome: 'rejected', batch: 3 })],
		]);
		const told = [...taken(1, job(1)), ...unknown, ...taken(4, job(2))];
		expect(await attempt(job(2))).toMatchObject(told);
		expect(await attempt()).toMatchObject(told);
	});
});
