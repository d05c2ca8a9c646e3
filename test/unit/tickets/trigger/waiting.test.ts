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
	rows.push(ticket(3, { snoozedUntil: at(10.015) }));
	expect(await pollAt(0)).toEqual([]);
	expect(await pollAt(9)).toEqual([]);
	expect(await pollAt(10)).toEqual([1]);
	expect(await pollAt(11)).toEqual([3]);
	expect(await pollAt(12)).toEqual([]);
});

it.each([
	['notAnswered', { createdAt: at(-10), firstResponseAt: null }, 20],
	['customerWaiting', { lastCustomerActivityAt: at(-10) }, 20],
	['snoozeOver', { snoozedUntil: at(20) }, 20],
])('returns no closed ticket on %s', async (event, fields, due) => {
	const { rows, pollAt } = watch(event);
	rows.push(ticket(1, { ...fields, closedAt: at(5) }), ticket(2, { ...fields, closedAt: null }));
	expect(await pollAt(0)).toEqual([]);
	expect(await pollAt(due)).toEqual([2]);
});

it('shows the times of the event before any ID', async () => {
	const { trigger, pollAt, rows } = watch('customerWaiting', { output: 'simplified' });
	await pollAt(0);
	rows.push(ticket(1, { lastCustomerActivityAt: at(1) }));
	trigger.clockMs = NOON + 40 * MINUTE;
	const result = await trigger.poll();
	const columns = Object.keys((result.ok && result.value[0]) || {});
	expect(columns.slice(6, 11)).toEqual([
		'closedAt',
		'lastCustomerActivityAt',
		'lastAgentActivityAt',
		'statusId',
		'customerId',
	]);
});

it('costs a quiet desk of 12,000 tickets, of which none waits, one request a poll', async () => {
	for (const event of ['notAnswered', 'customerWaiting', 'snoozeOver']) {
		const { trigger, rows, pollAt } = watch(event);
		const inDay = (n: number) => at(-20_000 + n);
		rows.push(
			...upTo(12_000).map((n) =>
				ticket(n, {
					createdAt: inDay(n),
					lastCustomerActivityAt: inDay(n),
					lastAgentActivityAt: inDay(n + 1),
					snoozedUntil: inDay(n),
					firstResponseAt: n % 2 > 0 ? inDay(n + 1) : null,
				}),
			),
		);
		for (const minute of [0, 5, 10]) {
			trigger.sent.length = 0;
			expect([event, await pollAt(minute), trigger.sent.length]).toEqual([event, [], 1]);
		}
	}
});

it('takes up a wait that begins to match within the time that it looks back, and none later', async () => {
	const { rows, pollAt } = watch('notAnswered');
	const closed = (n: number) =>
		ticket(n, { createdAt: at(n), firstResponseAt: null, closedAt: at(9) });
	expect(await pollAt(0)).toEqual([]);
	rows.push(closed(1), closed(2));
	expect(await pollAt(32)).toEqual([]);
	rows[1] = { ...closed(2), closedAt: null };
	expect(await pollAt(37)).toEqual([2]);
	rows[0] = { ...closed(1), closedAt: null };
	expect(await pollAt(40)).toEqual([]);
});

it.each<[string, object, string | undefined]>([
	['notAnswered', { column: 'closedAt', operator: 'isNull' }, undefined],
	['notAnswered', { column: 'firstResponseAt', operator: 'isNull' }, undefined],
	['notAnswered', { column: 'firstResponseAt', operator: 'isNotNull' }, 'First Response At'],
	['notAnswered', { column: 'createdAt', operator: 'isNull' }, 'Created At'],
	['customerWaiting', { column: 'closedAt', operator: 'isNotNull' }, 'Closed At'],
	['ticketClosed', { column: 'closedAt', operator: 'isNull' }, 'Closed At'],
])('takes %s with a condition %j, or says that it could never match', async (event, one, label) => {
	const { trigger, pollAt } = watch(event, { filters: { conditions: [one] } });
	const result = await pollAt(0);
	if (label === undefined) return expect(result).toEqual([]);
	expect(trigger.sent).toEqual([]);
	expect(JSON.stringify(result)).toContain(`asks about ${label}, as the event itself does`);
});

it('does not accept a Look Back of 0, because later tickets may have the time of the last one', async () => {
	const { trigger, pollAt } = watch('ticketCreated', { options: { overlap: 0 } });
	expect(JSON.stringify(await pollAt(0))).toContain('overlap');
	expect(trigger.sent).toEqual([]);
});
