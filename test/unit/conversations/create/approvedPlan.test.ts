import { isPlanId } from '../../../../src/conversations/create/approvedPlan';
import { fakeDedupeStore, inTurn, reply } from '../../../support/fakeRuntime';
import { phoneOf } from '../../../support/samples';
import { fieldsRow, startAll } from '../../../support/startConversations';

const FINE = reply(200, '');

interface Row {
	readonly phone: unknown;
	readonly name?: string;
}

const rowsOf = (rows: readonly Row[], options: object = {}) =>
	rows.map(({ phone: toPhoneNumber, name = 'Ana' }) => {
		const variables = [{ name: 'firstName', value: name }];
		return fieldsRow({ toPhoneNumber, dynamicVariables: { variables }, options });
	});

/** Calls people, and returns the item or the failure of the first row. */
async function run(rows: ReturnType<typeof rowsOf>, settings: Parameters<typeof startAll>[1] = {}) {
	const result = await startAll(rows, settings);
	const [{ items = [], failure } = {}] = result.rows;
	return { ...result, item: items[0] ?? {}, failure };
}

const planId = async (rows: readonly Row[], options: object = {}) =>
	String((await run(rowsOf(rows, { dryRun: true, ...options }))).item['planId']);

const people = (count: number): Row[] =>
	Array.from({ length: count }, (_, n) => ({ phone: phoneOf(n) }));

it('shows the ID of the plan in each item of a dry run', async () => {
	const rows = [...people(4), { phone: '+493012345678' }];
	const hours = [{ days: ['thursday'], from: '09:00', until: '20:00' }];
	const dry = rowsOf(rows, { dryRun: true, callingHours: { rows: hours }, timeZone: '' });
	const result = await run(dry, { start: Date.parse('2026-01-15T19:30:00Z') });
	expect(new Set(result.rows.map(({ items }) => items[0]?.['planId']))).toEqual(
		new Set([expect.stringMatching(/^p4\.5\./)]),
	);
	expect((await run(rowsOf(rows))).item).not.toHaveProperty('planId');
});
it('has the same ID whatever the order of its fields', async () => {
	const idWith = async (additionalFieldsJson: object) =>
		await planId(people(2), { additionalFieldsJson });
	expect(await idWith({ a: 1, b: 2, c: 3 })).toBe(await idWith({ c: 3, a: 1, b: 2 }));
	expect(await idWith({ a: 1, b: 2, c: 3 })).not.toBe(await idWith({ a: 1, b: 3, c: 2 }));
});

it('sends an approved plan, in whatever order, and also what is left of it after a crash', async () => {
	const rows = people(5);
	const approvedPlan = await planId(rows);
	const { called } = await run(rowsOf(rows.toReversed(), { approvedPlan }));
	expect(called).toHaveLength(5);
	const store = fakeDedupeStore();
	const kept = { approvedPlan };
	await run(rowsOf(rows, { ...kept, batchSize: 2 }), { store, script: inTurn(FINE, reply(400)) });
	const remaining = await run(rowsOf(rows, kept), { store });
	expect(remaining.called).toHaveLength(3);
});

it.each<[string, Row[], number]>([
	['3 more rows', people(8), 8],
	['2 fewer rows', people(3), 3],
	['a changed number', [...people(4), { phone: phoneOf(9) }], 5],
	['a changed variable', [...people(4), { phone: phoneOf(4), name: 'Bo' }], 5],
	['no rows that can be called', [{ phone: '12' }], 0],
])('sends nothing with %s, and says so', async (_, rows, count) => {
	const message = `differ from Approved Plan (${count} now, 5 approved)`;
	const approvedPlan = await planId(people(5));
	const options = { approvedPlan, invalidRows: 'sendValid' };
	const { called, reasons } = await run(rowsOf(rows, options));
	expect(called).toEqual([]);
	const shown = await run(rowsOf(rows, { ...options, dryRun: true }));
	expect(shown.summary).toContain(message);
	if (rows.length > 1) expect(reasons[0]).toContain(message);
});

it('needs approval for another campaign', async () => {
	const approvedPlan = await planId(people(2), { campaignKey: 'spring' });
	const same = await run(rowsOf(people(2), { approvedPlan, campaignKey: 'Spring ' }));
	expect(same.called).toHaveLength(2);
	const other = await run(rowsOf(people(2), { approvedPlan, campaignKey: 'autumn' }));
	expect(other.called).toEqual([]);
});

const LONG = `p2.5.${'a'.repeat(8)}.${'a'.repeat(16)}.${'a'.repeat(22)}`;
it.each([' ', 'p3.5', null, LONG])('refuses %j as the ID of a plan', async (approvedPlan) => {
	const { called, failure } = await run(rowsOf(people(2), { approvedPlan }));
	expect(called).toEqual([]);
	expect(JSON.stringify(failure)).toMatch(/"reason":"(is not a valid plan ID|was added but)/);
});

it('a plan of another workspace has another ID, and no other text is an ID', async () => {
	const id = await planId(people(3));
	for (const text of [id, `x${id}`, `${id}x`, `${id}\n${id}`, id.slice(0, -1)])
		expect([text, isPlanId(text)]).toEqual([text, text === id]);
	const other = await run(rowsOf(people(3), { dryRun: true }), { account: 'another' });
	expect(other.item['planId']).toMatch(/^p4\.3\./);
	expect(other.item['planId']).not.toBe(id);
});
