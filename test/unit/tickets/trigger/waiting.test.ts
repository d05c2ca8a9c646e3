import { ticket, upTo } from '../../../support/tickets';
import { Trigger } from '../../../support/trigger';

const MINUTE = 60_000;
const NOON = Date.UTC(2026, 0, 15, 12);
const at = (minute: number): string => new Date(NOON + minute * MINUTE).toISOString();

/** A trigger that is polled at minutes after noon. */
function watch(event: string, parameters: object = {}) {
	const trigger = new Trigger({ event, waitFor: 30, output: 'raw', ...parameters });
	const pollAt = async (minute: number): Promise<unknown> => {
		trigger.clockMs = NOON + minute * MINUTE;
		return await trigger.numbers();
	};
	return { trigger, rows: trigger.rows, pollAt };
}

it('returns none that waited before when the wait is made shorter', async () => {
	const day = watch('notAnswered', { waitFor: 1_440 });
	await day.pollAt(0);
	const short = watch('notAnswered');
	short.trigger.state = day.trigger.state;
	short.rows.push(ticket(1, { createdAt: at(-90), firstResponseAt: null }));
	expect([await short.pollAt(5), await short.pollAt(10)]).toEqual([[], []]);
});

it('returns a ticket once that no one answered for as long as it was reported', async () => {
	const { rows, pollAt } = watch('notAnswered');
	rows.push(ticket(1, { createdAt: at(-90), firstResponseAt: null }));
	expect(await pollAt(0)).toEqual([]);
	rows.push(
		ticket(2, { createdAt: at(1), firstResponseAt: null }),
		ticket(3, { createdAt: at(2), firstResponseAt: at(3) }),
	);
	expect(await pollAt(30)).toEqual([]);
	expect(await pollAt(31)).toEqual([2]);
	expect(await pollAt(32)).toEqual([]);
	expect(await pollAt(500)).toEqual([]);
});

it('returns a ticket when its customer waits, and again for the next wait', async () => {
	const { rows, pollAt } = watch('customerWaiting');
	expect(await pollAt(0)).toEqual([]);
	rows.push(
		ticket(1, { lastCustomerActivityAt: at(5), lastAgentActivityAt: at(4) }),
		ticket(2, { lastCustomerActivityAt: at(5), lastAgentActivityAt: at(6) }),
		ticket(3, { lastCustomerActivityAt: at(5), lastAgentActivityAt: null }),
	);
	expect(await pollAt(34)).toEqual([]);
	expect(await pollAt(36)).toEqual([1, 3]);
	expect(await pollAt(37)).toEqual([]);
	rows[0] = ticket(1, { lastCustomerActivityAt: at(50), lastAgentActivityAt: at(40) });
	expect(await pollAt(81)).toEqual([1]);
});

it('returns a ticket when its snooze is over', async () => {
	const { rows, pollAt } = watch('snoozeOver');
	rows.push(ticket(1, { snoozedUntil: at(10) }), ticket(2, { snoozedUntil: at(-60) }));
	expect(await pollAt(0)).toEqual([]);
	expect(await pollAt(9)).toEqual([]);
	expect(await pollAt(10)).toEqual([1]);
	expect(await pollAt(11)).toEqual([]);
});

it('reminds again and again while a ticket waits', async () => {
	const { rows, pollAt } = watch('notAnswered', { options: { repeatEvery: 60 } });
	rows.push(ticket(1, { createdAt: at(-10), firstResponseAt: null }));
	expect(await pollAt(0)).toEqual([]);
	expect(await pollAt(19)).toEqual([]);
	expect(await pollAt(20)).toEqual([1]);
	expect(await pollAt(60)).toEqual([]);
	expect(await pollAt(81)).toEqual([1]);
	rows[0] = ticket(1, { createdAt: at(-10), firstResponseAt: at(110) });
	expect(await pollAt(170)).toEqual([]);
});

it('returns a ticket that begins to match late, although a poll read as many as it may', async () => {
	const { rows, pollAt } = watch('customerWaiting');
	const answered = (n: number) =>
		ticket(n, { lastCustomerActivityAt: at(n - 6_000), lastAgentActivityAt: at(0) });
	rows.push(...upTo(4_960).map(answered));
	expect(await pollAt(0)).toEqual([]);
	rows.push(...upTo(5_100).slice(4_960).map(answered));
	expect(await pollAt(40)).toEqual([]);
	rows[5_000] = { ...answered(5_001), lastAgentActivityAt: null };
	expect(await pollAt(41)).toEqual([5_001]);
});

it('reminds at every poll where the polls are further apart than the reminders', async () => {
	const { rows, pollAt } = watch('notAnswered', { options: { repeatEvery: 50 } });
	rows.push(ticket(1, { createdAt: at(10), firstResponseAt: null }));
	expect(await pollAt(0)).toEqual([]);
	for (const minute of [60, 120, 180, 240, 300, 360, 420])
		expect(await pollAt(minute)).toEqual([1]);
});

it('never keeps a ticket back for reminders of others, and keeps none of these back for good', async () => {
	const options = { repeatEvery: 2, maximumTickets: 1 };
	const { rows, pollAt } = watch('notAnswered', { options });
	expect(await pollAt(0)).toEqual([]);
	for (const n of [1, 2, 3, 4]) rows.push(ticket(n, { createdAt: at(n), firstResponseAt: null }));
	const came: unknown[] = [];
	for (let minute = 40; minute < 48; minute++) came.push(await pollAt(minute));
	expect(came).toEqual([1, 2, 3, 4, 1, 2, 3, 4].map((n) => [n]));
});

it('returns a ticket that begins to match late, once', async () => {
	const conditions = [{ column: 'priority', operator: 'eq', priorityValue: 'urgent' }];
	const { rows, pollAt } = watch('notAnswered', { filters: { conditions } });
	const waiting = { createdAt: at(-500), firstResponseAt: null };
	rows.push(ticket(1, { ...waiting, priority: 'low' }));
	rows.push(ticket(2, { ...waiting, priority: 'urgent' }));
	// The stand-in of the service leaves priorities to whoever asks, so they are set as they are found.
	const low = rows.shift();
	expect(await pollAt(0)).toEqual([]);
	rows.unshift({ ...low, ...ticket(1), priority: 'urgent' });
	expect(await pollAt(1)).toEqual([1]);
	expect(await pollAt(2)).toEqual([]);
});
