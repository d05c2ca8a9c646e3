import { fingerprintOf } from '../../../../src/tickets/trigger/input';

describe('what a trigger watches', () => {
	const of = (parameters: unknown, service: readonly string[] = []) =>
		fingerprintOf(parameters, service);
	const same = (one: object, other: object) => expect(of(one)).toBe(of(other));
	const differs = (one: object, other: object) => expect(of(one)).not.toBe(of(other));
	const created = { event: 'ticketCreated' };
	const waiting = { event: 'customerWaiting', minutes: 5 };
	const unanswered = { event: 'notAnswered', minutes: 5 };
	const conditions = { conditions: [{ column: 'title', operator: 'eq', value: 'a' }] };

	it('is known again in every version', () => {
		expect(of(created)).toBe('Uuq02HpgHJzvvT4QNeLLx2');
		expect(of({ ...waiting, filters: conditions, options: { repeatEvery: 10 } }, ['a', 'b'])).toBe(
			'ZpiLHD3DyOh8YoqbgyzeAB',
		);
	});

	it('is the event, its filters and the service', () => {
		differs(created, { event: 'ticketClosed' });
		differs(created, { ...created, filters: conditions });
		differs({ ...created, filters: conditions }, { ...created, filters: { conditions: [] } });
		expect(of(created, ['a'])).not.toBe(of(created));
		expect(of(created, ['a'])).not.toBe(of(created, ['b']));
		expect(of(undefined)).toBe(of({}));
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
			differs(event, { ...event, minutes: 6 });
			differs(event, { ...event, minutes: null });
			differs(event, { ...event, options: { repeatEvery: 10 } });
		}
		const snoozed = { event: 'snoozeOver', minutes: 5 };
		same(snoozed, { ...snoozed, minutes: 6 });
		differs(snoozed, { ...snoozed, options: { repeatEvery: 10 } });
		same(snoozed, { ...snoozed, options: { repeatEvery: 0 } });
		same({ ...created, minutes: 5 }, { ...created, minutes: 6 });
		same(created, { ...created, options: { repeatEvery: 10 } });
		same(created, { ...created, options: { overlap: 10, maximumTickets: 5 } });
	});
});
