import { reply } from '../../../support/fakeRuntime';
import { listOf, members } from '../../../support/samples';
import { page, pagination, searchPage, upTo } from '../../../support/tickets';
import { active, updated } from '../../../support/trigger';

/** The rule that a search is sorted by first. */
const firstRule = (body: unknown) => members(listOf(body, 'sort')[0]);
const isByTime = (body: unknown): boolean =>
	[firstRule(body)['field'], firstRule(body)['column']].includes('updatedAt');

it('reads by number where one page is in order by chance and the next shows how the service sorts', async () => {
	const inOrder = upTo(100).map((n) => updated(100 + n, 10 + n / 100));
	const late = upTo(30).map((n) => updated(300 + n, 20 - n / 100));
	const early = upTo(30).map((n) => updated(400 + n, 9 - n / 100));
	const trigger = await active([updated(1, 0)]);
	trigger.rows.push(...inOrder, ...late, ...early);
	// It knows sort rules by 'column' only.
	trigger.response = (body) =>
		'field' in firstRule(body)
			? searchPage(trigger.rows, { ...members(body), sort: [] })
			: undefined;
	const numbers = [...early].reverse().concat(inOrder, [...late].reverse());
	expect(await trigger.numbers()).toEqual(numbers.map((row) => row['ticketNumber']));
});

it('reads by number where times without a zone come in no order', async () => {
	const trigger = await active([updated(1, 0)]);
	const zoneless = [updated(2, 30), updated(3, 20), updated(4, 10)].map((row) => ({
		...row,
		updatedAt: String(row['updatedAt']).slice(0, -1),
	}));
	trigger.response = (body) => page(isByTime(body) ? zoneless.slice(0, 2) : zoneless);
	expect(await trigger.numbers()).toEqual([4, 3, 2]);
});

it('reads by number where the service takes no sort by time', async () => {
	const trigger = await active([updated(1, 0)]);
	trigger.rows.push(updated(2, 20), updated(3, 10));
	trigger.response = (body) => (isByTime(body) ? reply(400) : undefined);
	expect(await trigger.numbers()).toEqual([3, 2]);
});

it('reads by time where tickets have no numbers and the service takes no sort by them', async () => {
	const trigger = await active([updated(1, 0)]);
	const rows = [updated(2, 20), updated(3, 10)].map((row) => ({ ...row, ticketNumber: null }));
	trigger.response = (body) => (isByTime(body) ? reply(400) : page(rows));
	const found = await trigger.poll();
	expect(found.ok && found.value.map(({ id }) => id)).toEqual(['t3', 't2']);
	for (const rule of trigger.bodies.flatMap((body) => listOf(body, 'sort')))
		expect(Object.keys(members(rule))).toEqual([
			expect.stringMatching(/field|column/),
			'direction',
		]);
});

it('goes on in the same poll from where the service takes no further offset', async () => {
	const trigger = await active([updated(0, 0)]);
	trigger.rows.push(...upTo(450).map((n) => updated(n, 1 + n / 100)));
	trigger.response = (body) => (pagination(body).offset > 150 ? reply(400) : undefined);
	expect(await trigger.numbers()).toEqual(upTo(450));
});

it('reports once what it cannot read, where nothing else is wrong', async () => {
	const trigger = await active([updated(0, 0)]);
	trigger.response = () => page([{ ...updated(1, 1), updatedAt: 'soon' }, updated(2, 2)]);
	expect(await trigger.numbers()).toEqual([2]);
	expect(trigger.reports).toHaveLength(1);
});
