import { upTo } from '../../../support/tickets';
import { active, updated } from '../../../support/trigger';
import { MINUTE, watch } from '../../../support/watchedTrigger';

const HOUR = 60 * MINUTE;

/** Polls, and creates a ticket each minute; the clock of the service is set as the minutes say. */
async function follow(skewAt: (minute: number) => number, date = true) {
	const { service, run, drain, reports, host } = watch({ date });
	const came: string[] = [];
	service.create(5, true);
	await run();
	for (let minute = 0; minute < 30; minute++) {
		Object.assign(service.manners, { skewMs: skewAt(minute) });
		service.create(1, true);
		came.push(...(await run()));
	}
	host.clockMs += HOUR;
	came.push(...(await drain()));
	const numbers = came.map((key) => Number(key.split('@')[0]));
	return { numbers: [...numbers].sort((a, b) => a - b), reports };
}

const all = Array.from({ length: 30 }, (_, i) => i + 6);

it.each([
	['stays', () => 0, 0],
	['is set back by half an hour', (minute: number) => (minute < 10 ? 0 : -HOUR / 2), 1],
	['is set back by an hour and a half', (minute: number) => (minute < 10 ? 0 : -1.5 * HOUR), 1],
	['is set forward by half an hour', (minute: number) => (minute < 10 ? 0 : HOUR / 2), 0],
	['jumps forward by a day and back', (minute: number) => (minute === 9 ? 24 * HOUR : 0), 0],
])('returns each ticket once where the clock of the service %s', async (_, skewAt, told) => {
	const { numbers, reports } = await follow(skewAt);
	expect(numbers).toEqual(all);
	expect(reports).toHaveLength(told);
	for (const report of reports) expect(report).toContain('clock of the service went back');
});

it('returns each ticket where the clock of the service went back and caught up before the next poll', async () => {
	const { service, run, drain, reports, host } = watch();
	service.create(5, true);
	await run();
	Object.assign(service.manners, { skewMs: -HOUR / 2 });
	service.create(3, true);
	host.clockMs += HOUR;
	expect(await drain()).toHaveLength(3);
	expect(reports).toEqual([expect.stringContaining('clock of the service went back')]);
});

it('returns no old ticket where a clock went back further than a poll has time to read', async () => {
	const trigger = await active(upTo(600).map((n) => updated(n, -n)));
	Object.assign(trigger, { latency: 20_000, budget: 36_000 });
	for (let poll = 0; poll < 3; poll++) {
		if (poll === 0) trigger.clockMs -= 10 * HOUR;
		expect(await trigger.numbers()).toEqual([]);
	}
	expect(trigger.reports).toHaveLength(2);
});

it('does not take slow responses for a clock that went back', async () => {
	const { service, run, reports, host } = watch({}, { overlap: 0 });
	await run();
	for (let minute = 0; minute < 10; minute++) {
		Object.assign(service.manners, { skewMs: minute % 2 === 0 ? 0 : -20_000 });
		host.clockMs += MINUTE;
		service.create(1, true);
		host.clockMs -= MINUTE;
		await run();
	}
	expect(reports).toEqual([]);
});

it('begins anew with a damaged state, and says so once', async () => {
	for (const damage of [
		{ cursorMs: 9e99 },
		{ seen: 'a;;b' },
		{ floorMs: null },
		{ polledMs: '1' },
		{ polledMs: -8.64e15 },
		{ seen: 7 },
		{ seen: { [1e17]: Object.fromEntries(upTo(600).map((n) => [n, 0])) } },
	]) {
		const { host, service, run, drain, reports } = watch();
		service.create(5, true);
		await run();
		host.state = { ...Object(host.state), ...damage };
		service.create(2, true);
		expect(await run()).toEqual([]);
		expect(reports).toEqual([expect.stringContaining('damaged')]);
		service.create(3, true);
		expect(await drain()).toHaveLength(3);
		expect(reports).toHaveLength(1);
	}
});
