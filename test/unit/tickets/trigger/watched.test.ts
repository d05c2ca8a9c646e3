import { readTriggerInput } from '../../../../src/tickets/trigger/input';
import { uuidOf } from '../../../support/samples';

describe('what a trigger watches', () => {
	let clockMs = Date.UTC(2026, 0, 31, 12);
	const of = (parameters: object, service: readonly string[] = [], evaluated: object = {}) => {
		const entered = { event: 'ticketCreated', ...parameters };
		const now = () => clockMs;
		const context = { client: {} as never, zone: 'Europe/Berlin', now, entered, service };
		const read = readTriggerInput({ ...entered, ...evaluated }, context);
		return read.ok ? read.value.fingerprint : read.failure;
	};
	const conditions = (...all: readonly object[]) => ({ filters: { conditions: all } });
	const json = (filtersJson: unknown) => ({ filterMode: 'json', filtersJson });
	const on = (column: string, operator: string, value: object = {}) => ({
		column,
		operator,
		...value,
	});
	const titled = on('title', 'eq', { value: 'a' });
	const urgent = on('priority', 'in', { priorityValues: ['urgent', 'high'] });
	const since = (dateValue: string) => on('createdAt', 'gte', { dateValue });
	const status = (value: unknown) => on('statusId', 'eq', { value });
	const chosen = (value: string, cachedResultName = '') =>
		status({ __rl: true, mode: 'list', value, cachedResultName });
	const [id, ID] = [uuidOf(0xabc), uuidOf(0xabc).toUpperCase()];
	const skip = { options: { emptyValue: 'skip' } };

	it.each<[string, object, object]>([
		['defaults, saved or not', {}, { filterMode: 'builder', ...conditions() }],
		['conditions in another order', conditions(titled, urgent), conditions(urgent, titled)],
		[
			'values in another order',
			conditions(urgent),
			conditions({ ...urgent, priorityValues: ['high', 'urgent'] }),
		],
		['a UUID in capitals', conditions(status(id)), conditions(status(` ${ID} `))],
		['a label of a choice', conditions(chosen(id, '37')), conditions(chosen(ID, '38'))],
		[
			'a day with midnight',
			conditions(since('2026-01-31')),
			conditions(since('2026-01-31T00:00:00')),
		],
		[
			'another offset',
			json({ createdAt: { gte: '2026-01-31T00:00Z' } }),
			json({ createdAt: { gte: '2026-01-31T01:00' } }),
		],
		['JSON with other blanks', json('{"title": {"eq": "a"}}'), json('{ "title":{"eq":"a" }}')],
		['JSON as an object', json('{"title": {"eq": "a"}}'), json({ title: { eq: 'a' } })],
		[
			'JSON instead of conditions',
			conditions(titled, status(ID)),
			json({ statusId: { in: [id] }, title: { eq: 'a' } }),
		],
		[
			'two conditions instead of a range',
			conditions(on('ticketNumber', 'between', { numberValue: 1, numberTo: '5' })),
			conditions(
				on('ticketNumber', 'gte', { numberValue: 1 }),
				on('ticketNumber', 'lte', { numberValue: 5 }),
			),
		],
		[
			'what to do with empty values where there are none',
			conditions(titled),
			{ ...conditions(titled), ...skip },
		],
		['an empty condition that is skipped', {}, { ...conditions(status('')), ...skip }],
		['filters that are not shown', json({}), { ...json({}), ...conditions(titled) }],
		['how long to wait', { waitFor: 5 }, { waitFor: 2, waitUnit: 'hours' }],
		['how often to repeat', {}, { options: { repeatEvery: 10 } }],
		['how much to read', {}, { options: { overlap: 10, maximumTickets: 5 } }],
		['what to return', {}, { output: 'raw' }],
	])('is the same with %s', (_, one, other) => {
		expect(of(one)).toEqual(expect.any(String));
		expect(of(other)).toBe(of(one));
	});

	it.each<[string, object, object]>([
		['event', {}, { event: 'ticketClosed' }],
		['filter', {}, conditions(titled)],
		['case of a text', conditions(titled), conditions({ ...titled, value: 'A' })],
		['operator', conditions(titled), conditions({ ...titled, operator: 'ne' })],
		[
			'bound that goes, though another one hides it by now',
			conditions(since('2026-01-31')),
			conditions(since('2026-01-31'), on('createdAt', 'lastDays', { numberValue: 7 })),
		],
		[
			'length of time',
			conditions(on('createdAt', 'lastDays', { numberValue: 7 })),
			conditions(on('createdAt', 'lastDays', { numberValue: 8 })),
		],
		['filter in JSON', json({}), json({ title: { eq: 'a' } })],
		[
			'meaning of empty',
			{ ...conditions(status('')), ...skip },
			{ ...conditions(status('')), options: { emptyValue: 'matchEmpty' } },
		],
	])('is another one with another %s', (_, one, other) => {
		expect(of(one)).toEqual(expect.any(String));
		expect(of(other)).toEqual(expect.any(String));
		expect(of(other)).not.toBe(of(one));
	});

	it('is that of one workspace of one address', () => {
		expect(new Set([of({}), of({}, ['a']), of({}, ['b'])]).size).toBe(3);
	});

	it('stays the same while time passes', () => {
		const relative = conditions(
			on('createdAt', 'today'),
			on('updatedAt', 'lastHours', { numberValue: 2 }),
		);
		const before = of(relative);
		clockMs += 86_400_000;
		expect(of(relative)).toBe(before);
	});

	it('is an expression and not what it gives, and what to do where that is nothing', () => {
		const dated = conditions(since('={{ $now }}'));
		const at = (dateValue: string, entered: object = dated) =>
			of(entered, [], conditions(since(dateValue)));
		expect(at('2026-01-31')).toEqual(expect.any(String));
		expect(at('2026-02-01')).toBe(at('2026-01-31'));
		expect(at('2026-01-31', conditions(since('={{ $today }}')))).not.toBe(at('2026-01-31'));
		expect(at('2026-01-31', { ...dated, ...skip })).not.toBe(at('2026-01-31'));
		const priority = (value: string) =>
			of(json('={{ $json }}'), [], json({ title: { eq: value } }));
		expect(priority('a')).toBe(priority('b'));
	});

	it('is what the event asks about, which no condition can replace', () => {
		const unanswered = { event: 'notAnswered' };
		const message = 'asks about First Response At, as the event itself does. Remove this condition';
		for (const filters of [
			conditions(on('firstResponseAt', 'isNotNull')),
			json({ firstResponseAt: { gte: '2026-01-31' } }),
			json({ firstResponseAt: { isNull: false } }),
		])
			expect(of({ ...unanswered, ...filters })).toEqual({
				kind: 'input',
				problems: [{ path: ['filterMode' in filters ? 'filtersJson' : 'filters'], message }],
			});
		const same = json({ firstResponseAt: { isNull: true } });
		expect(of({ ...unanswered, ...same })).toEqual(expect.any(String));
	});
});
