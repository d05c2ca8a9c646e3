import { createCallingHours } from '../../../../src/conversations/campaign/callingHours';
import { callingWindow } from '../../../../src/conversations/campaign/callingWindow';
import type { ZoneSource } from '../../../../src/conversations/campaign/hoursSettings';
import type { PlannedConversation } from '../../../../src/conversations/createInput';
import type { Outcome } from '../../../../src/bulk/outcomes';
import type { SkippedRow } from '../../../../src/core/failures';
import { create } from '../../../../src/conversations/create';
import type { DedupeStore } from '../../../../src/core/dedupeStore';
import { fakeDedupeStore, fakeRuntime, inTurn, reply } from '../../../support/fakeRuntime';
import type { Script } from '../../../support/fakeRuntime';
import { runRows } from '../../../support/runRows';
import { AGENT, listOf, members } from '../../../support/samples';

const FINE = reply(200, '');
const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const hours = (from: string, until: string, days: unknown = WEEK) => ({
	callingHours: { hours: [{ days, from, until }] },
});
const row = (toPhoneNumber: string, options: object) => ({
	parameters: { inputMode: 'fields', agentId: AGENT, toPhoneNumber, options },
});

const NEW_YORK = '+12125550196';
const LOS_ANGELES = '+12135550196';
const BERLIN = '+493012345678';

/** Runs rows at a moment; the workflow is in Berlin. */
async function run(
	rows: ReturnType<typeof row>[],
	{
		at = '2026-01-15T12:00:00Z',
		script = inTurn(FINE),
		store = fakeDedupeStore(),
	}: { readonly at?: string; readonly script?: Script; readonly store?: DedupeStore } = {},
) {
	const runtime = fakeRuntime(script, { start: Date.parse(at) });
	const result = await runRows(create, rows, runtime.context(undefined, store));
	const called = runtime.sent.flatMap(({ body }) =>
		listOf(body, 'conversations').map((one) => members(one)['toPhoneNumber']),
	);
	return { ...result, called };
}

it('calls only where it is inside the hours, and says when the others can be called', async () => {
	const options = hours('09:00', '20:00');
	const { called, rows, summary } = await run([row(NEW_YORK, options), row(BERLIN, options)]);
	expect(called).toEqual([BERLIN]);
	expect(rows[0]?.failure).toEqual({
		kind: 'skipped',
		message: 'Not called, because it is outside Calling Hours in America/New_York',
		facts: { callableAt: '2026-01-15T14:00:00Z', timeZones: ['America/New_York'] },
	});
	expect(summary).toContain(
		'1 of 2 are outside calling hours, the first can be called from 15:00 (Europe/Berlin)',
	);
});

it('shows in a dry run who would not be called and from when', async () => {
	const options = { ...hours('09:00', '20:00', ['friday']), dryRun: true };
	const { called, rows, summary } = await run([row(NEW_YORK, options), row(BERLIN, options)]);
	expect(called).toEqual([]);
	expect(rows[0]?.items).toMatchObject([
		{ outcome: 'skipped', callableAt: '2026-01-16T14:00:00Z', timeZones: ['America/New_York'] },
	]);
	expect(summary).toContain('the first can be called from 2026-01-16 09:00 (Europe/Berlin)');
});

it('calls a number that may be in two zones only when it is inside the hours in both', async () => {
	// 208 is Idaho, in Boise an hour ahead of Los Angeles.
	const options = hours('09:00', '17:00');
	const first = await run([row('+12085550196', options)], { at: '2026-01-15T16:30:00Z' });
	expect(first.called).toEqual([]);
	expect(first.rows[0]?.failure).toMatchObject({ facts: { callableAt: '2026-01-15T17:00:00Z' } });
	const second = await run([row('+12085550196', options)], { at: '2026-01-15T17:00:00Z' });
	expect(second.called).toHaveLength(1);
});

it('asks for a column where the number tells no zone, and uses it', async () => {
	const options = hours('09:00', '20:00');
	const satellite = '+80012345678';
	const without = await run([row(satellite, options)]);
	expect(without.called).toEqual([]);
	expect(without.rows[0]?.failure).toMatchObject({
		message: expect.stringContaining('Set Time Zone to From a Column') as string,
		facts: { callableAt: null },
	});
	const column = { ...options, timeZone: 'column', timeZoneColumn: ' Europe/Berlin ' };
	expect((await run([row(satellite, column)])).called).toEqual([satellite]);
});

it('takes the zone of the workflow, or of the column before that of the number', async () => {
	const options = hours('09:00', '20:00');
	const ofWorkflow = await run([row(NEW_YORK, { ...options, timeZone: 'workflow' })]);
	expect(ofWorkflow.called).toEqual([NEW_YORK]);
	const ofColumn = await run([
		row(BERLIN, { ...options, timeZone: 'column', timeZoneColumn: 'America/Los_Angeles' }),
		row(NEW_YORK, { ...options, timeZone: 'column', timeZoneColumn: '' }),
	]);
	expect(ofColumn.called).toEqual([]);
	expect(ofColumn.rows[1]?.failure).toMatchObject({
		facts: { timeZones: ['America/New_York'] },
	});
	const hidden = await run([row(BERLIN, { ...options, timeZoneColumn: 'America/Los_Angeles' })]);
	expect(hidden.called).toEqual([BERLIN]);
});

it('judges again before each request, and leaves no claim of those that it is too late for', async () => {
	const entries = new Set<string>();
	const options = { ...hours('09:00', '13:30'), batchSize: 1, pause: 1500, skipContacted: true };
	const numbers = ['+493012345678', '+493012345679', '+493012345670'];
	const { called, rows } = await run(
		numbers.map((number) => row(number, options)),
		{ store: fakeDedupeStore(entries) },
	);
	expect(called).toEqual(numbers.slice(0, 2).slice(0, called.length));
	expect(called).toHaveLength(2);
	expect(rows[2]?.failure).toMatchObject({ facts: { callableAt: '2026-01-16T08:00:00Z' } });
	expect([...entries].filter((entry) => entry.includes('345670'))).toEqual([]);
	expect([...entries].filter((entry) => entry !== 'kept')).toHaveLength(2);
});

it('sends nothing after the hours when the service asked to wait', async () => {
	const script = inTurn(reply(429, '', { 'retry-after': '100' }), FINE);
	const { called, rows } = await run([row(BERLIN, hours('09:00', '13:01'))], { script });
	expect(called).toEqual([BERLIN]);
	expect(rows[0]?.details?.['outcome']).toBe('rejected');
	const inTime = await run([row(BERLIN, hours('09:00', '13:05'))], { script });
	expect(inTime.called).toEqual([BERLIN, BERLIN]);
	expect(inTime.rows[0]?.items).toHaveLength(1);
});

it('knows hours past midnight and days without calls by the date where the person is', async () => {
	const night = hours('22:00', '02:00', ['thursday']);
	expect((await run([row(LOS_ANGELES, night)], { at: '2026-01-16T09:59:59Z' })).called).toEqual([
		LOS_ANGELES,
	]);
	expect((await run([row(LOS_ANGELES, night)], { at: '2026-01-16T10:00:00Z' })).called).toEqual([]);
	const days = { daysNotToCall: '2026-01-15; 2026-12-25' };
	expect((await run([row(BERLIN, days)])).called).toEqual([]);
	const next = await run([row(BERLIN, days)]);
	expect(next.rows[0]?.failure).toMatchObject({ facts: { callableAt: '2026-01-15T23:00:00Z' } });
	expect((await run([row(BERLIN, { daysNotToCall: '2026-01-16' })])).called).toEqual([BERLIN]);
});

it('does not count those outside the hours against Maximum Conversations', async () => {
	const options = hours('09:00', '20:00');
	const rows = [row(NEW_YORK, options), row(BERLIN, options)].map(({ parameters }) => ({
		parameters: { ...parameters, maximumConversations: 1 },
	}));
	expect((await run(rows)).called).toEqual([BERLIN]);
});

it.each([
	['no rows', { callingHours: {} }, 'has no hours'],
	['no rows at all', { callingHours: { hours: [] } }, 'has no hours'],
	['text', { callingHours: 'nine to five' }, 'has no hours'],
	['no days', hours('09:00', '20:00', []), 'Choose at least one day'],
	['a day that does not exist', hours('09:00', '20:00', ['someday']), 'day of the week'],
	['a time that does not exist', hours('25:00', '20:00'), '"25:00" is not a valid time'],
	['an empty time', hours('', '20:00'), 'is not a valid time'],
	['minutes that do not exist', hours('09:75', '20:00'), '"09:75" is not a valid time'],
	['hours that never open', hours('09:00', '9:00'), 'there is no time to call'],
	['hours after the end of the day', hours('24:00', '9:00'), 'Enter an earlier From'],
	['a date that does not exist', { daysNotToCall: '2026-02-30' }, '"2026-02-30"'],
	['a date in another order', { daysNotToCall: '25.12.2026' }, '"25.12.2026"'],
	[
		'a zone that does not exist',
		{ ...hours('9', '20'), timeZone: 'column', timeZoneColumn: 'Mars/Base' },
		'"Mars/Base" is not a known time zone',
	],
	[
		'a column that no row has',
		{ ...hours('9', '20'), timeZone: 'column' },
		'Check the column name',
	],
	['an unknown source', { ...hours('9', '20'), timeZone: 'moon' }, 'must be one of'],
])('refuses %s before anything is sent', async (_, options, message) => {
	const { called, rows } = await run([row(BERLIN, options)]);
	expect(called).toEqual([]);
	expect(JSON.stringify(rows[0]?.failure)).toContain(JSON.stringify(message).slice(1, -1));
});

it('reads times as people write them', async () => {
	const at = '2026-01-15T12:30:00Z';
	for (const [from, until] of [
		['9', '14'],
		['9 AM', '2 pm'],
		['9.00', '13:31'],
		['09:00:00', '24:00'],
		['13:30', '00:00'],
	] as const)
		expect((await run([row(BERLIN, hours(from, until))], { at })).called).toEqual([BERLIN]);
	for (const [from, until] of [
		['9', '13'],
		['2 pm', '9 am'],
		['13:31', '24:00'],
	] as const)
		expect((await run([row(BERLIN, hours(from, until))], { at })).called).toEqual([]);
});

describe('the window itself', () => {
	const nowMs = Date.parse('2026-01-15T12:00:00Z');
	const of = (toPhoneNumber: string | undefined, timeZone = '') =>
		({ conversation: { toPhoneNumber }, timeZone }) as unknown as PlannedConversation;
	const windowOf = (
		from: number,
		until: number,
		source: ZoneSource = 'number',
		zone = 'Europe/Berlin',
	) =>
		callingWindow({
			hours: createCallingHours([{ days: [0, 1, 2, 3, 4, 5, 6], from, until }], new Set()),
			source,
			zone,
		});

	it('is of those who have a number', () => {
		const window = windowOf(0, 1);
		expect(window.reason(of(undefined), nowMs)).toBeUndefined();
		expect(window.closesMs([of('+999')], nowMs)).toBe(Infinity);
	});

	it('says of a number in many zones that they never agree', () => {
		const reason =
			windowOf(540, 545).reason(of('+18005550100'), nowMs) ??
			windowOf(540, 545).reason(of('+79990000000'), nowMs);
		const { message, facts } = reason?.failure as SkippedRow;
		const zones = facts?.['timeZones'] as readonly string[];
		expect(zones.length).toBeGreaterThan(5);
		expect(message).toBe(
			`Not called, because Calling Hours never overlap in all its time zones (${zones.slice(0, 5).join(', ')} and ${zones.length - 5} more). Set Time Zone to From a Column`,
		);
		expect(facts?.['callableAt']).toBeNull();
	});

	it('says in which place it is too early or late', () => {
		expect(windowOf(540, 600).reason(of(BERLIN), nowMs)?.failure).toMatchObject({
			message: 'Not called, because it is outside Calling Hours in Europe/Berlin',
		});
		expect(windowOf(0, 60).reason(of('+79990000000'), nowMs)?.failure).toMatchObject({
			message: expect.stringMatching(/at least one of its time zones$|never overlap/) as string,
		});
		const two = windowOf(540, 1_020).reason(of('+12085550196'), nowMs)?.failure as SkippedRow;
		expect(two.message).toBe(
			'Not called, because it is outside Calling Hours in at least one of its time zones',
		);
		expect(two.facts?.['timeZones']).toHaveLength(3);
	});

	it('says that the zone of a number is not known', () => {
		expect(windowOf(540, 600).reason(of('+999'), nowMs)?.failure).toEqual({
			kind: 'skipped',
			message:
				'Not called, because the time zone of +999 is not known. Set Time Zone to From a Column',
			facts: { callableAt: null, timeZones: [] },
		});
	});

	it('goes by the column where there is one, else by the number, or by the workflow', () => {
		const zonesOf = (source: ZoneSource, timeZone?: string) => {
			const reason = windowOf(0, 1, source).reason(of(NEW_YORK, timeZone), nowMs);
			return (reason?.failure as SkippedRow).facts?.['timeZones'];
		};
		expect(zonesOf('number', 'Asia/Tokyo')).toEqual(['America/New_York']);
		expect(zonesOf('column', 'Asia/Tokyo')).toEqual(['Asia/Tokyo']);
		expect(zonesOf('column', '')).toEqual(['America/New_York']);
		expect(zonesOf('workflow', 'Asia/Tokyo')).toEqual(['Europe/Berlin']);
	});

	it('closes with the first of those who are called', () => {
		const window = windowOf(540, 1_020);
		const moment = Date.parse('2026-01-15T15:00:00Z');
		expect(window.closesMs([of(NEW_YORK), of(BERLIN)], moment)).toBe(
			Date.parse('2026-01-15T16:00:00Z'),
		);
		expect(window.closesMs([of(NEW_YORK)], moment)).toBe(Date.parse('2026-01-15T22:00:00Z'));
	});

	it('says in full when the next moment is between seconds', () => {
		const window = windowOf(540, 1_020);
		const reasonAt = (ms: number) =>
			(window.reason(of(BERLIN), ms)?.failure as SkippedRow).facts?.['callableAt'];
		expect(reasonAt(Date.parse('2026-01-15T17:00:00.123Z'))).toBe('2026-01-16T08:00:00Z');
	});

	it('sums up who is outside', () => {
		const window = windowOf(540, 1_020);
		const skipped = (callableAt: unknown): Outcome => ({
			outcome: 'notSent',
			failure: { kind: 'skipped', message: 'x', facts: { callableAt } },
		});
		const other: Outcome = { outcome: 'notSent', failure: { kind: 'skipped', message: 'x' } };
		expect(window.note([undefined, other], nowMs)).toBeUndefined();
		expect(window.note([skipped(null), other, undefined], nowMs)).toBe(
			'1 of 3 are outside calling hours, and none of them can be called later',
		);
		const later = [skipped('2026-01-16T08:00:00Z'), skipped(null), skipped('2026-01-15T22:30:00Z')];
		expect(window.note(later, nowMs)).toBe(
			'3 of 3 are outside calling hours, the first can be called from 23:30 (Europe/Berlin)',
		);
		// After midnight in Berlin it is another day there, though not in London.
		expect(window.note([skipped('2026-01-15T23:30:00Z')], nowMs)).toBe(
			'1 of 1 are outside calling hours, the first can be called from 2026-01-16 00:30 (Europe/Berlin)',
		);
	});
});
