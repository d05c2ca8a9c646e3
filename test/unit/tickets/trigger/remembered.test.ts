import { reply } from '../../../support/fakeRuntime';
import { members } from '../../../support/samples';
import type { TicketRow } from '../../../support/tickets';
import { page, upTo } from '../../../support/tickets';
import { active, at, Trigger, updated } from '../../../support/trigger';

const ms = (minute: number): number => Date.parse(at(minute));

/** Changes what n8n keeps of a trigger. */
const put = (trigger: Trigger, changed: object): void => {
	trigger.state = { ...members(trigger.state), ...changed };
};

/** So many tickets of one moment that were handed out and do not exist any more. */
const gone = (minute: number, count: number) => ({
	[ms(minute)]: Object.fromEntries(upTo(count).map((n) => [`gone${n}`, 0])),
});

const handedOut = (trigger: Trigger) => members(members(trigger.state)['seen']);

/** When the reading of a poll began. */
const began = (trigger: Trigger) =>
	members(members(members(trigger.bodies[0])['filters'])['updatedAt'])['gte'];

/** A trigger that handed out ticket 1 and as many others as it can remember, less some. */
async function full(less: number, others: number): Promise<Trigger> {
	const trigger = await active([]);
	trigger.rows.push(updated(1, 56));
	expect(await trigger.numbers()).toEqual([1]);
	const room = 11_000 - less - 1;
	put(trigger, {
		seen: { ...handedOut(trigger), ...gone(others, room) },
		cursorMs: ms(58),
	});
	return trigger;
}

describe('as many tickets as can be remembered', () => {
	it('are remembered', async () => {
		const trigger = await full(1, 57);
		trigger.rows.push(updated(2, 58));
		expect(await trigger.numbers()).toEqual([2]);
		expect(trigger.reports).toEqual([]);
		expect(await trigger.numbers()).toEqual([]);
	});

	it('and one more make the oldest ones forgotten, which never come again, and that is told', async () => {
		const trigger = await full(0, 57);
		trigger.rows.push(updated(2, 58));
		expect(await trigger.numbers()).toEqual([2]);
		expect(trigger.reports).toEqual([expect.stringContaining('whole Overlap')]);
		expect(await trigger.numbers()).toEqual([]);
		trigger.rows.push(updated(3, 56.5));
		expect(await trigger.numbers()).toEqual([3]);
	});

	it('and one that comes late make that one forgotten, and no others', async () => {
		const trigger = await full(0, 57);
		trigger.rows.push(updated(2, 55));
		expect(await trigger.numbers()).toEqual([2]);
		trigger.rows.push(updated(3, 55.5));
		expect(await trigger.numbers()).toEqual([3]);
	});

	it('are enough where those that are forgotten lie before the overlap', async () => {
		const trigger = await full(0, 30);
		trigger.rows.push(updated(2, 58));
		expect(await trigger.numbers()).toEqual([2]);
		expect(trigger.reports).toEqual([]);
		expect(Object.keys(handedOut(trigger)).map(Number)).toEqual([ms(56), ms(58)]);
	});
});

describe('what n8n kept of a trigger', () => {
	const moment = { [ms(0)]: { a: 0 } };

	it.each<[string, object]>([
		['a moment with text before it', { seen: { [`x${ms(0)}`]: {} } }],
		['a moment with text behind it', { seen: { [`${ms(0)}x`]: {} } }],
		['a moment without tickets', { seen: { [ms(0)]: 7 } }],
		['text for minutes', { seen: { [ms(0)]: { a: '0' } } }],
		['text among minutes', { seen: { [ms(0)]: { a: 0, b: 'x' } } }],
		['too few minutes', { seen: { [ms(0)]: { a: -2 } } }],
		['a part of a minute', { seen: { [ms(0)]: { a: 0.5 } } }],
		['a floor far ahead', { cursorMs: ms(0), floorMs: ms(2 * 1_440) + 1 }],
	])('is damaged by %s, so the trigger begins anew', async (_, damage) => {
		const trigger = await active([updated(1, 30)]);
		put(trigger, damage);
		trigger.rows.push(updated(2, 40));
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.reports).toEqual([expect.stringContaining('damaged')]);
	});

	it.each<[string, object]>([
		['tickets that are old', { seen: { [ms(0)]: { a: -1 } } }],
		['a moment before 1970', { seen: { [-5]: { a: 0 } } }],
		['a floor two days ahead', { seen: moment, cursorMs: ms(0), floorMs: ms(2 * 1_440) }],
	])('may hold %s', async (_, kept) => {
		const trigger = await active([updated(1, 30)]);
		put(trigger, kept);
		await trigger.numbers();
		expect(trigger.reports).toEqual([]);
	});
});

describe('many tickets of one moment', () => {
	const crowd = (minute: number, count = 500) => upTo(count).map((n) => updated(100 + n, minute));

	async function handOut(rows: readonly TicketRow[]): Promise<Trigger> {
		const trigger = await active([]);
		trigger.rows.push(...rows);
		expect(await trigger.numbers()).toHaveLength(rows.length);
		trigger.sent.length = 0;
		return trigger;
	}

	it('are not read again at the beginning of the overlap', async () => {
		const trigger = await handOut([...crowd(50), updated(700, 55)]);
		expect(await trigger.numbers()).toEqual([]);
		expect(began(trigger)).toBe(at(50));
		expect(trigger.sent.length).toBeLessThanOrEqual(2);
	});

	it('are not looked at again before the overlap', async () => {
		const trigger = await handOut([...crowd(50), updated(700, 56)]);
		expect(await trigger.numbers()).toEqual([]);
		expect(trigger.sent).toHaveLength(1);
		expect(began(trigger)).toBe(at(51));
	});

	it('are read again where one of them came late', async () => {
		const trigger = await handOut(crowd(50));
		trigger.rows.push(updated(50, 50));
		expect(await trigger.numbers()).toEqual([50]);
		trigger.rows.push(updated(51, 50));
		expect(await trigger.numbers()).toEqual([51]);
		expect(await trigger.numbers()).toEqual([]);
	});

	it('hide none that came late before them, however little time a poll has', async () => {
		const trigger = await handOut(crowd(58));
		trigger.rows.push(...upTo(150).map((n) => updated(1_000 + n, 56 + n / 100)));
		trigger.budget = 0;
		const came: unknown[] = [];
		for (let polls = 0; polls < 6; polls++) came.push(...((await trigger.numbers()) as unknown[]));
		expect(came).toEqual(upTo(150).map((n) => 1_000 + n));
	});
});

it('keeps nothing of what lies before the place where a poll had to end', async () => {
	const trigger = await active(upTo(250).map((n) => updated(n, 56 + n / 100)));
	trigger.budget = 0;
	expect(await trigger.numbers()).toEqual([]);
	const { floorMs } = members(trigger.state);
	expect(floorMs).toBe(ms(57));
	const moments = Object.keys(handedOut(trigger)).map(Number);
	expect(Math.min(...moments)).toBe(floorMs);
	expect(await trigger.numbers()).toEqual([]);
	expect(trigger.reports.slice(1)).toEqual([]);
});

it('moves on from the last ticket that it handed out, and not beyond', async () => {
	const trigger = await active([], { options: { maximumTickets: 1 } });
	trigger.rows.push(...[10, 20, 30].map((minute) => updated(minute, minute)));
	for (const minute of [10, 20, 30]) {
		trigger.sent.length = 0;
		expect(await trigger.numbers()).toEqual([minute]);
		if (minute > 10) expect(began(trigger)).toBe(at(minute - 15));
	}
});

it('reads no second page for a maximum that fills the first one', async () => {
	const trigger = await active([], { options: { maximumTickets: 100 } });
	trigger.rows.push(...upTo(250).map((n) => updated(n, 1 + n / 100)));
	expect(await trigger.numbers()).toEqual(upTo(100));
	expect(trigger.sent).toHaveLength(1);
});

it('hands out what comes late before others that it handed out', async () => {
	const options = { maximumTickets: 98 };
	const trigger = await active([updated(0, 0)], { options });
	trigger.rows.push(...upTo(250).map((n) => updated(n, 1 + n / 100)));
	expect(await trigger.numbers()).toEqual(upTo(98));
	trigger.rows.push(updated(300, 1.5));
	expect(members(await trigger.numbers())[0]).toBe(300);
	expect(trigger.reports).toEqual([]);
});

it('ends a poll after four fifths of its time', async () => {
	const trigger = await active([]);
	trigger.rows.push(...upTo(250).map((n) => updated(n, 1 + n / 100)));
	trigger.budget = 10_000;
	trigger.latency = 8_000;
	expect(await trigger.numbers()).toEqual(upTo(100));
	expect(trigger.sent).toHaveLength(1);
});

it('does not go back where a slow poll saw less than a quick one', async () => {
	const trigger = await active([updated(1, 0)]);
	trigger.response = (_, number) =>
		[reply(503), page([updated(1, 0), updated(2, 30)]), page([updated(1, 0)])][number - 1];
	expect(await Promise.all([trigger.numbers(), trigger.numbers()])).toEqual([[], [2]]);
	trigger.response = () => page([]);
	trigger.sent.length = 0;
	expect(await trigger.numbers()).toEqual([]);
	expect(began(trigger)).toBe(at(25));
});
