import { fingerprintOf } from '../../../../src/tickets/trigger/state';

describe('what a trigger watches', () => {
	const of = (parameters: unknown, service: readonly string[] = []) =>
		fingerprintOf(parameters, service);
	const same = (one: object, other: object) => expect(of(one)).toBe(of(other));
	const differs = (one: object, other: object) => expect(of(one)).not.toBe(of(other));
	const created = { event: 'ticketCreated' };
	const waiting = { event: 'customerWaiting', waitFor: 5 };
	const unanswered = { event: 'notAnswered', waitFor: 5 };
	const conditions = { conditions: [{ column: 'title', operator: 'eq', value: 'a' }] };

	it('is the event, its filters and the service', () => {
		differs(created, { event: 'ticketClosed' });
		differs(created, { ...created, filters: conditions });
		differs({ ...created, filters: conditions }, { ...created, filters: { conditions: [] } });
		expect(of(created, ['a'])).not.toBe(of(created));
		expect(of(created, ['a'])).not.toBe(of(created, ['b']));
		expect(of(undefined)).toBe(of({}));
	});

	it('is made of values, not of how the editor shows them', () => {
		const chosen = (cachedResultName: string) => ({
			...created,
			filters: {
				conditions: [
					{
						column: 'statusId',
						operator: 'eq',
						value: { __rl: true, mode: 'list', value: 'x', cachedResultName },
					},
				],
			},
		});
		same(chosen('37 tickets'), chosen('38 tickets'));
		const json = (filtersJson: string) => ({ ...created, filterMode: 'json', filtersJson });
		same(json('{"title": {"eq": "a"}}'), json('{ "title": { "eq": "a" } }'));
	});

	it('is the filters that are shown', () => {
		const filtersJson = { title: { eq: 'a' } };
		differs(
			{ ...created, filterMode: 'json', filtersJson },
			{ ...created, filterMode: 'json', filtersJson: {} },
		);
		same(
			{ ...created, filterMode: 'json', filtersJson, filters: conditions },
			{ ...created, filterMode: 'json', filtersJson },
		);
		same(
			{ ...created, filterMode: 'conditions', filtersJson, filters: conditions },
			{ ...created, filters: conditions },
		);
	});

	it('is the same whether defaults are saved or not', () => {
		same({ ...created, filters: {} }, { ...created, filters: { conditions: [] } });
		same(created, { ...created, options: { emptyValue: 'stop' } });
		differs(created, { ...created, options: { emptyValue: 'skip' } });
		same(waiting, { ...waiting, options: { repeatEvery: 0 } });
		same(created, { ...created, options: 'x' });
	});

	it('is how long to wait and how often to repeat only where that counts', () => {
		for (const event of [waiting, unanswered]) {
			differs(event, { ...event, waitFor: 6 });
			differs(event, { ...event, waitUnit: 'hours' });
			differs(event, { ...event, options: { repeatEvery: 10 } });
		}
		const snoozed = { event: 'snoozeOver', waitFor: 5 };
		same(snoozed, { ...snoozed, waitFor: 6 });
		differs(snoozed, { ...snoozed, options: { repeatEvery: 10 } });
		same(snoozed, { ...snoozed, options: { repeatEvery: 0 } });
		same({ ...created, waitFor: 5 }, { ...created, waitFor: 6 });
		same({ ...waiting, waitFor: 120 }, { ...waiting, waitFor: 2, waitUnit: 'hours' });
		same(created, { ...created, options: { repeatEvery: 10 } });
		same(created, { ...created, options: { overlap: 10, maximumTickets: 5 } });
	});
});
