import type { Row } from '../../../../src/core/operation';
import { fakeDedupeStore, reply } from '../../../support/fakeRuntime';
import { fieldsRow, startAll } from '../../../support/startConversations';

const FINE = reply(200, '');
const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const hours = (from: string, until: string, days: unknown = WEEK) => ({
	callingHours: { rows: [{ days, from, until }] },
});
const row = (toPhoneNumber: string, options: object) => fieldsRow({ toPhoneNumber, options });

const NEW_YORK = '+12125550196';
const LOS_ANGELES = '+12135550196';
const BERLIN = '+493012345678';

type Setup = Parameters<typeof startAll>[1] & { readonly at?: string };

/** Runs rows at a moment; the workflow is in Berlin. */
async function run(rows: readonly Row[], { at = '2026-01-15T12:00:00Z', ...more }: Setup = {}) {
	const result = await startAll(rows, { start: Date.parse(at), ...more });
	const shown = result.rows.map(({ items, failureItem }, i) => ({
		...(items[0] ?? failureItem),
		reason: result.reasons[i],
	}));
	return { ...result, shown };
}

it('calls only where it is inside the hours, and says when the others can be called', async () => {
	const options = hours('09:00', '20:00');
	const { called, shown, summary } = await run([row(NEW_YORK, options), row(BERLIN, options)]);
	expect(called).toEqual([BERLIN]);
	expect(shown[0]).toMatchObject({
		outcome: 'notSent',
		code: 'outsideHours',
		reason: 'Outside Calling Hours in America/New_York',
		callableAt: '2026-01-15T14:00:00Z',
		timeZones: ['America/New_York'],
	});
	expect(summary).toContain('2 rows, 1 request: 1 called, 1 outside calling hours');
	expect(summary).toContain(
		'Outside calling hours: the first can be called from 2026-01-15 15:00 (Europe/Berlin)',
	);
	expect((await run([row(BERLIN, options)])).summary).not.toMatch(/outside/i);
});

it('calls a number that may be in two zones only when it is inside the hours in both', async () => {
	// 208 is Idaho, in Boise an hour ahead of Los Angeles.
	const options = hours('09:00', '17:00');
	const timeZones = ['America/Boise', 'America/Denver', 'America/Los_Angeles'];
	// The first row knows its zone.
	const inBoise = row('+12085550195', { ...options, timeZone: timeZones[0] });
	const both = [inBoise, row('+12085550196', options)];
	const first = await run(both, { at: '2026-01-15T16:30:00Z' });
	expect(first.called).toEqual(['+12085550195']);
	expect(first.shown[1]).toMatchObject({
		reason: 'Outside Calling Hours in at least one of its time zones',
		callableAt: '2026-01-15T17:00:00Z',
		timeZones,
	});
	expect((await run(both, { at: '2026-01-15T17:00:00Z' })).called).toHaveLength(2);
	const never = await run([row('+12085550196', hours('09:00', '10:00'))]);
	expect(never.shown).toMatchObject([
		{
			reason: `Calling Hours leave no ten minutes that all its time zones share (${timeZones.join(', ')}). Enter a Time Zone under Calling Hours`,
			callableAt: null,
			timeZones,
		},
	]);
	expect(never.summary).toContain('Outside calling hours: none of them can be called later');
});

it('asks for a time zone where the number tells none, and uses it', async () => {
	const options = hours('09:00', '20:00');
	const satellite = '+80012345678';
	const without = await run([row(satellite, options)]);
	expect(without.called).toEqual([]);
	expect(without.shown[0]).toMatchObject({
		reason: `The time zone of ${satellite} is not known. Enter a Time Zone under Calling Hours`,
		callableAt: null,
		timeZones: [],
	});
	const column = { ...options, timeZone: ' Europe/Berlin ' };
	expect((await run([row(satellite, column)])).called).toEqual([satellite]);
});

it('checks again before each request, and leaves no claim of those that it is too late for', async () => {
	const entries = new Set<string>();
	const options = { ...hours('09:00', '13:40'), batchSize: 1, batchInterval: 1_500_000 };
	const numbers = ['+493012345678', '+493012345679', '+493012345670'];
	const { called, shown } = await run(
		numbers.map((number) => row(number, options)),
		{ store: fakeDedupeStore(entries) },
	);
	expect(called).toEqual(numbers.slice(0, 2));
	expect(shown[2]).toMatchObject({ callableAt: '2026-01-16T08:00:00Z' });
	expect([...entries].filter((entry) => entry.includes('345670'))).toEqual([]);
});

it('calls no one whose hours end within ten minutes, and says so', async () => {
	const ending = await run([row(BERLIN, hours('09:00', '13:10'))]);
	expect(ending.called).toEqual([]);
	expect(ending.shown[0]).toMatchObject({
		outcome: 'notSent',
		reason: 'Calling Hours end in a few minutes in Europe/Berlin',
		callableAt: '2026-01-16T08:00:00Z',
	});
	expect((await run([row(BERLIN, hours('09:00', '13:11'))])).called).toEqual([BERLIN]);
});

it('sends nothing after the hours when the service asks to wait again and again', async () => {
	const script = (_: unknown, number: number) =>
		number === 9 ? FINE : reply(429, '', { 'retry-after': '110' });
	const people = [BERLIN, '+493012345679'].map((number) =>
		row(number, { ...hours('09:00', '13:11'), batchSize: 1, parallelRequests: 1 }),
	);
	const { outcomes, requests } = await run(people, { script });
	expect(outcomes).toEqual(['notSent', 'notSent']);
	expect(Math.max(...requests.map(({ at }) => at))).toBeLessThan(
		Date.parse('2026-01-15T12:11:00Z'),
	);
});

// Findings of clocks that were asked wrongly: each is outside 08:00 to 21:00 where the person may be.
it.each([
	['in the west of Florida', '+14485550196', '2026-01-15T13:30:00Z'],
	['in the west of Indiana', '+19305550196', '2026-01-15T13:30:00Z'],
	['in the west of Kentucky', '+13645550196', '2026-01-15T13:30:00Z'],
	['in the east of Oregon', '+14585550196', '2026-01-16T04:30:00Z'],
	['in the east of British Columbia', '+17785550196', '2026-07-16T03:30:00Z'],
	['at the border of Mexico', '+528681234567', '2026-07-16T02:30:00Z'],
	['in Recife', '+5581991234567', '2026-01-15T10:30:00Z'],
	['in Punta Arenas', '+56961234567', '2026-07-16T00:30:00Z'],
	['on Easter Island', '+56961234567', '2026-01-15T12:30:00Z'],
	['on the Gold Coast', '+61755501234', '2026-01-14T21:30:00Z'],
])('calls no one %s who may be outside the hours', async (_, number, at) => {
	const { called, shown } = await run([row(number, hours('08:00', '21:00'))], { at });
	expect(called).toEqual([]);
	expect(shown[0]?.reason).toContain('Outside Calling Hours in at least one of its time zones');
});

it('knows hours past midnight and days without calls by the date where the person is', async () => {
	const night = hours('22:00', '02:00', ['thursday']);
	expect((await run([row(LOS_ANGELES, night)], { at: '2026-01-16T09:49:59Z' })).called).toEqual([
		LOS_ANGELES,
	]);
	expect((await run([row(LOS_ANGELES, night)], { at: '2026-01-16T09:50:00Z' })).called).toEqual([]);
	const days = { ...hours('0', '24'), daysNotToCall: '2026-01-15; 2026-12-25' };
	expect((await run([row(BERLIN, days)])).called).toEqual([]);
	const next = await run([row(BERLIN, days)]);
	expect(next.shown[0]).toMatchObject({ callableAt: '2026-01-15T23:00:00Z' });
	expect((await run([row(BERLIN, { ...days, daysNotToCall: '2026-01-16' })])).called).toEqual([
		BERLIN,
	]);
});

it('lets a chat without a number start at any hour', async () => {
	const options = hours('13:30', '14:00');
	const chat = fieldsRow({ conversationType: 'chat', toPhoneNumber: '', options });
	expect((await run([chat])).outcomes).toEqual(['accepted']);
});
