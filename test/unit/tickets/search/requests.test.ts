import type { Filters } from '../../../../src/tickets/filters/schema';
import { uuidOf } from '../../../support/samples';
import type { Watched } from '../../../support/watchedSearch';
import { watch } from '../../../support/watchedSearch';

/** A search, the requests that it sends in short, and what each search gives: the numbers of its tickets, and its note or error. */
type Row = readonly [
	name: string,
	search: Watched,
	asked: string,
	answers: ReadonlyArray<readonly [found: string, ends: string]>,
];

async function expectRequests(...[, search, asked, answers]: Row): Promise<void> {
	expect(await watch(search)).toEqual({ asked, answers });
}

const ofCustomer = (n: number): Filters => ({ customerId: { eq: uuidOf(n) } });
const ofCustomers = (...all: readonly number[]): Filters => ({
	customerId: { in: all.map(uuidOf) },
});
const pairs: Watched['tickets'] = (n) => ({ ticketNumber: Math.ceil(n / 2) });
const far: Watched['tickets'] = (n) => ({ ticketNumber: n * 1_000 });
const numberless: Watched['tickets'] = (n) => (n % 4 === 0 ? { ticketNumber: null } : {});
const lastNumberless: Watched['tickets'] = (n) => (n > 10 ? { ticketNumber: null } : {});
const sameThree: Watched['tickets'] = (n) => ({ ticketNumber: n > 8 ? n : Math.ceil(n / 8) });
const dense: Watched['tickets'] = (n) => ({ ticketNumber: n < 20 ? n : n * 100 });
const moment: Watched['tickets'] = () => ({ createdAt: 0 });

it.each<Row>([
	[
		'12 tickets in pages of 5, sorted by title downwards, 5 at most, where the wrong spelling of sort is ignored',
		{ count: 12, sort: '-title', limit: 5, world: { sort: 'column', otherSpelling: 'ignored' } },
		'-t0+5 t0+5 -T0+5 T0+5',
		[['12-8', "5 tickets, 4 requests. More match: raise 'Limit' or use 'Return All'"]],
	],
	[
		'12 tickets in pages of 5, sorted by title, where sort is ignored',
		{ count: 12, sort: 'title', world: { ignores: ['sort'] } },
		'tni0+5 -t-n-i0+5 TNI0+5 tni4+5 tni8+5',
		[['', 'The service ignores the sort, and the node cannot sort this way itself (offset 0)']],
	],
	[
		'9 tickets in pages of 5, the last one by creation, where the wrong spelling of sort is ignored',
		{ count: 9, sort: '-createdAt', limit: 1, world: { sort: 'column', otherSpelling: 'ignored' } },
		'-c0+5 -C0+5',
		[['9', "1 ticket, 2 requests. More match: raise 'Limit' or use 'Return All'"]],
	],
	[
		'2 tickets in pages of 5 that show the same, where IDs and numbers are left out',
		{
			count: 2,
			world: { withoutIds: true },
			tickets: () => ({ ...{ ticketNumber: null, title: 'x', createdAt: 0 }, isShared: false }),
			select: ['title'],
		},
		'n0+5',
		[
			[
				'',
				'The service returned tickets without an ID, and some have the same number or none, so the node cannot tell them apart (offset 0)',
			],
		],
	],
	[
		'2 tickets in pages of 5, where two tickets have each number and IDs are left out',
		{ count: 2, world: { withoutIds: true }, tickets: pairs },
		'n0+5',
		[
			[
				'',
				'The service returned tickets without an ID, and some have the same number or none, so the node cannot tell them apart (offset 0)',
			],
		],
	],
	[
		'12 tickets, the 10 with the highest numbers, where sort is ignored and all ends with request 4',
		{
			count: 12,
			sort: '-ticketNumber',
			limit: 10,
			world: { ignores: ['sort'], downFrom: 4, down: 403 },
		},
		'-ni0+5 -NI0+5 -ni4+5 -ni8+2',
		[['', ' (offset 0)']],
	],
	[
		'59 tickets in pages of 3, where numbers lie far apart and one in 2 is hidden',
		{ count: 59, pageSize: 3, world: { hidesOneIn: 2 }, tickets: far },
		'55 requests',
		[
			[
				'59000 58000 57000 56000 55000 49000 48000 47000 46000 45000 39000 38000 37000 36000 30000 29000 28000 27000 26000 20000 19000 18000 17000 11000 10000 9000 8000 7000 1000',
				'29 tickets, 55 requests, read by ticket number',
			],
		],
	],
	[
		'30 tickets in pages of 5, where it says that more follow until a page is empty and sort is ignored',
		{ count: 30, world: { ignores: ['sort'], more: 'unlessEmpty' } },
		'178 requests',
		[
			[
				'30-1',
				'30 tickets, 178 requests, read by offset (by ticket number: the service did not give whole ranges of them)',
			],
		],
	],
	[
		'2 tickets in pages of 5, 9 at most, where sort is ignored and sort has the other spelling',
		{ count: 2, limit: 9, world: { sort: 'column', ignores: ['sort'] } },
		'-n-i0+5 -N-I0+5',
		[['2 1', '2 tickets, 2 requests, read by offset']],
	],
	[
		'6 tickets in pages of 5, where request 3 and all after it end in 403',
		{ count: 6, world: { downFrom: 3, down: 403 } },
		'n0+5 -n0+5 n[none]0+1',
		[['4-1', ' (ticketNumber 5)']],
	],
	[
		'4 tickets in pages of 2, where request 3 and all after it end in 400',
		{ count: 4, pageSize: 2, world: { downFrom: 3, down: 400 } },
		'n0+3 -n0+3 n[none]0+1',
		[['4-1', '4 tickets, 3 requests, read by ticket number']],
	],
	[
		'16 tickets in pages of 6, sorted by number, where one in four has no number and sort is ignored',
		{
			count: 16,
			pageSize: 6,
			sort: 'ticketNumber',
			world: { ignores: ['sort'] },
			tickets: numberless,
		},
		'n0+6 -n0+6 N0+6 ni0+6 ni5+6 ni10+6',
		[['', 'The service ignores the sort, and the node cannot sort this way itself (offset 0)']],
	],
	[
		'6 tickets in pages of 5, 6 at most, where one in 2 is hidden and request 3 and all after it end in html',
		{ count: 6, limit: 6, world: { downFrom: 3, down: 'html', hidesOneIn: 2 } },
		'-n-i0+5 -n-i0+1 -n-i2+3',
		[['', 'The response is not JSON (offset 0)']],
	],
	[
		'11 tickets in pages of 5, 10 at most, where sort is ignored',
		{ count: 11, limit: 10, world: { ignores: ['sort'] } },
		'-n-i0+5 -N-I0+5 -n-i4+5 -n-i8+2',
		[
			[
				'1-10',
				"10 tickets, 4 requests, read by offset. More match: raise 'Limit' or use 'Return All'. The service does not sort, so these need not be the newest",
			],
		],
	],
	[
		'5 tickets in pages of 5, from place 2, 4 requests at once, where pages have 2 at most',
		{ count: 5, parallel: 4, offset: 2, world: { cap: 2 } },
		'-n-i2+5 -n-i4+2 -n-i3+2&-n-i4+2&-n-i5+2',
		[['3-1', '3 tickets, 5 requests, read by offset']],
	],
	[
		'9 tickets in pages of 5, sorted by sharing and number downwards, 6 at most, where one in 5 is hidden',
		{ count: 9, sort: 'isShared -ticketNumber', limit: 6, world: { hidesOneIn: 5 } },
		'i-ni0+5 i-ni2+2 i-ni2+3 i-ni3+5 i-ni6+5',
		[['7 3 8 6 4 2', '6 tickets, 5 requests, read by offset']],
	],
	[
		'2 tickets in pages of 5, 8 at most, 2 requests at once, where pages have 1 at most',
		{ count: 2, parallel: 2, limit: 8, world: { cap: 1 } },
		'-n-i0+5 -n-i1+1*3 n[min..min]0+5 -n-i1+1',
		[['2 1', '2 tickets, 6 requests, read by offset']],
	],
	[
		'9 tickets in pages of 5, filtered by creation, where pages have 3 at most and it says that more follow until a page is empty',
		{
			count: 9,
			world: { cap: 3, more: 'unlessEmpty' },
			filters: [{ createdAt: { gte: '2026-01-01T00:00:05Z' } }],
		},
		'n0+5 -n0+5 n[none]0+1 n[7..7]0+5 n[7..7]1+5',
		[['9-5', '5 tickets, 5 requests, read by ticket number']],
	],
	[
		'10 tickets in pages of 5, where two tickets have each number and one in 3 is hidden',
		{ count: 10, world: { hidesOneIn: 3 }, tickets: pairs },
		'n0+5 -n0+5 n[none]0+1 n[1..4]0+5 n[1..1]0+5 n[2..4]0+5 n[4..4]0+5',
		[['5 5 4 4 1', '5 tickets, 7 requests, read by ticket number']],
	],
	[
		'40 tickets in pages of 5, 4 requests at once, where request 6 and all after it end in 403',
		{ count: 40, parallel: 4, world: { downFrom: 6, down: 403 } },
		'n0+5 -n0+5 n[none]0+1 n[5..36]0+5&n[22..36]0+5 n[9..21]0+5&n[26..36]0+5',
		[['8-1', ' (ticketNumber 9)']],
	],
	[
		'11 tickets in pages of 5, filtered by creation, sorted by sharing, where some have no number and sort is ignored',
		{
			count: 11,
			sort: 'isShared',
			world: { ignores: ['sort'] },
			filters: [{ createdAt: { gte: '2026-01-01T00:00:05Z' } }],
			tickets: lastNumberless,
		},
		'n0+5 -n0+5 -N0+5 n[none]0+1 ini0+5 ini4+5 n0+5 -n0+5 n[none]0+1 ini0+5 ini4+5',
		[['', 'The service ignores the sort, and the node cannot sort this way itself (offset 0)']],
	],
	[
		'13 tickets in pages of 5, 2 requests at once, where eight have each number',
		{ count: 13, parallel: 2, tickets: sameThree },
		'n0+5 -n0+5 n[none]0+1 n[1..9]0+5 n[2..9]0+5&n[1..1]0+5 n[1..1]5+5 -n-i[1..1]0+5 -n-i[1..1]4+5&-n-i[1..1]8+5',
		[['13-9 1 1 1 1 1 1 1 1', '13 tickets, 10 requests, read by ticket number']],
	],
	[
		'9 tickets in pages of 5, where it says always that more follow',
		{ count: 9, world: { more: 'always' } },
		'n0+5 -n0+5 n[none]0+1 n[min..min]0+5 n[5..5]0+5 n[5..5]1+5 -n-i[5..5]0+5 -n-i[5..5]1+1 -n-i[5..5]2+3 -n-i[5..5]3+5',
		[
			[
				'4-1',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached (ticketNumber 5)',
			],
		],
	],
	[
		'12 tickets in pages of 3, where one in 2 is hidden and the filter number is left aside',
		{ count: 12, pageSize: 3, world: { drops: 'number', hidesOneIn: 2 } },
		'n0+3 -n0+3 n[none]0+1 n[min..min]0+3 n[min..0]0+3 -n-i0+3 -n-i2+2 -n-i1+2 -n-i2+2 -n-i3+2 -n-i4+2 -n-i5+2 -n-i6+2 -n-i5+2*19',
		[
			[
				'11-7',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached (offset 6)',
			],
		],
	],
	[
		'14 tickets in pages of 8, where one in 3 is shown, sort has the other spelling and the wrong one is ignored',
		{ count: 14, pageSize: 8, world: { showsOneIn: 3, sort: 'column', otherSpelling: 'ignored' } },
		'n0+8 -n0+8 -N0+8 N[none]0+1 N[min..min]0+8 N[min..0]0+8 N[1..6]0+8 N[7..max]0+8 N0+8 -N0+8 N[none]0+1 N[min..0]0+8 N[1..6]0+8 N[7..max]0+8',
		[['6-2', '5 tickets, 14 requests, read by ticket number']],
	],
	[
		'6 tickets in pages of 5, where sort is ignored',
		{ count: 6, world: { ignores: ['sort'] } },
		'n0+5 -n0+5 -N0+5 n[none]0+1 n[min..min]0+5 n[min..0]0+5 n[1..5]0+5 n[6..max]0+5 n0+5 -n0+5 n[none]0+1 n[min..0]0+5 n[1..5]0+5 n[6..max]0+5',
		[['6-1', '6 tickets, 14 requests, read by ticket number']],
	],
	[
		'60 tickets in pages of 4, 6 requests at once, where request 9 and all after it end in 403',
		{ count: 60, pageSize: 4, parallel: 6, world: { downFrom: 9, down: 403 } },
		'n0+4 -n0+4 n[none]0+1 n[4..57]0+4&n[32..57]0+4&n[20..31]0+4&n[14..19]0+4 n[7..13]0+4&n[48..57]0+4&n[35..47]0+4&n[23..31]0+4&n[17..19]0+4 n[10..13]0+4',
		[['9-1', ' (ticketNumber 10)']],
	],
	[
		'37 tickets in pages of 5, 6 requests at once, where numbers lie closer below than above',
		{ count: 37, parallel: 6, tickets: dense },
		'n0+5 -n0+5 n[none]0+1 n[5..3300]0+5&n[1654..3300]0+5&n[830..1653]0+5&n[418..829]0+5&n[214..417]0+5&n[110..213]0+5 n[9..109]0+5&n[2400..3300]0+5&n[62..109]0+5&n[38..61]0+5&n[26..37]0+5 n[13..25]0+5&n[2800..3300]0+5 n[17..25]0+5&n[3200..3300]0+5',
		[
			[
				'3700 3600 3500 3400 3300 3200 3100 3000 2900 2800 2700 2600 2500 2400 2300 2200 2100 2000 19-1',
				'37 tickets, 18 requests, read by ticket number',
			],
		],
	],
	[
		'11 tickets in pages of 3, sorted by creation, 2 requests at once, where one in 3 is hidden and the filter number is left aside',
		{
			count: 11,
			pageSize: 3,
			world: { hidesOneIn: 3, drops: 'number' },
			sort: 'createdAt',
			parallel: 2,
		},
		'n0+3 -n0+3 n[none]0+1 n[min..min]0+3 n[min..0]0+3&n[1..11]0+3 n[min..0]0+3&n[1..1]0+3 n[1..1]1+3 -n-i[1..1]0+3 -n-i[1..1]2+3&-n-i[1..1]4+3 -n-i[1..1]6+3&-n-i[1..1]5+1 -n-i[1..1]5+2 -n-i[1..1]8+3 n[min..0]0+3&n[12..max]0+3 cni0+3 cni2+3&cni4+3 cni2+3 cni6+3&cni8+3 cni10+3',
		[
			[
				'1 7-11',
				'6 tickets, 25 requests, read by offset (by ticket number: the service did not give whole ranges of them)',
			],
		],
	],
])('reads %s', expectRequests);

it.each<Row>([
	[
		'4 tickets in pages of 3, where one in four has no number and 3 goes before request 2',
		{ count: 4, pageSize: 3, changes: { 2: { go: [3] } }, tickets: numberless },
		'n0+3 -n0+3 n0+3 -n-i0+3',
		[
			[
				'2 1 ?',
				'3 tickets, 4 requests, read by offset (by ticket number: not every ticket has a number)',
			],
		],
	],
	[
		'4 tickets in pages of 1, from place 2, where it says always that more follow and 3, 4 go before request 2',
		{ count: 4, pageSize: 1, offset: 2, world: { more: 'always' }, changes: { 2: { go: [3, 4] } } },
		'-n-i2+2 -n-i3+2 -n-i2+5 -n-i2+1 -n-i4+3 n[min..min]0+1',
		[
			[
				'2 1',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached (offset 7)',
			],
		],
	],
	[
		'11 tickets in pages of 5, from place 3, where it says that more follow until a page is empty, 2, 3, 4, 5, 6, 7 go before request 2 and 101, -2 come before request 5',
		{
			count: 11,
			offset: 3,
			world: { more: 'unlessEmpty' },
			changes: { 2: { go: [2, 3, 4, 5, 6, 7] }, 5: { come: [101, -2] } },
		},
		'-n-i3+5 -n-i7+5 -n-i3+5 -n-i5+2 -n-i3+5 -n-i7+4 -n-i5+5',
		[['8 1 -2', '3 tickets, 7 requests, read by offset']],
	],
	[
		'11 tickets in pages of 5, sorted by sharing and title, where it says that more follow until a page is empty and 1 moves before request 2',
		{
			count: 11,
			sort: 'isShared title',
			world: { more: 'unlessEmpty' },
			changes: { 2: { move: [1] } },
		},
		'itni0+5 itni4+5 itni0+5 itni3+5 itni6+5 itni9+5 itni11+2',
		[
			[
				'1 3 5 7 9 11 2 4 6 8 10',
				'11 tickets, 7 requests, read by offset (only the service knows this sort order)',
			],
		],
	],
	[
		'24 tickets in pages of 5, 5 at most, where one in 2 is shown, 98, 103 come before request 2 and 101 comes before request 3',
		{
			count: 24,
			limit: 5,
			world: { showsOneIn: 2 },
			changes: { 2: { come: [98, 103] }, 3: { come: [101] } },
		},
		'-n-i0+5 -n-i4+4 -n-i2+3 -n-i1+1*2 n[min..min]0+5 -n-i1+1',
		[
			[
				'24-21 101',
				"5 tickets, 7 requests, read by offset. More match: raise 'Limit' or use 'Return All'",
			],
		],
	],
	[
		'27 tickets in pages of 3, 2 requests at once, where one in 5 is hidden, 1 goes before request 1 and 5 comes before request 3',
		{
			count: 27,
			pageSize: 3,
			parallel: 2,
			world: { hidesOneIn: 5 },
			changes: { 1: { go: [1] }, 3: { come: [5] } },
		},
		'n0+3 -n0+3 n[none]0+1 n[4..25]0+3&n[15..25]0+3 n[4..4]0+3&n[16..25]0+3 n[5..14]0+3&n[18..25]0+3 n[6..14]0+3&n[20..25]0+3 n[8..14]0+3&n[22..25]0+3 n[10..14]0+3&n[24..25]0+3 n[12..14]0+3',
		[['27-22 20-18 16-14 12-10 8-6 4-2', '21 tickets, 16 requests, read by ticket number']],
	],
])('goes on among %s', expectRequests);

it.each<Row>([
	[
		'2 searches among 1 ticket in pages of 5, where filters are ignored',
		{
			count: 1,
			world: { ignores: ['filters'] },
			filters: [
				{ priority: { eq: 'low' }, isShared: { eq: true } },
				{ priority: { eq: 'medium' }, isShared: { eq: true } },
			],
		},
		'n{2}0+5',
		[
			['', 'The service ignores the filter on Is Shared: it returned a ticket that does not match'],
			['', 'The service ignores the filter on Is Shared: it returned a ticket that does not match'],
		],
	],
	[
		'2 searches among 4 tickets in pages of 5, sorted by update',
		{
			count: 4,
			sort: 'updatedAt',
			filters: [
				{ ...ofCustomer(0), isShared: { eq: true } },
				{ ...ofCustomer(14), isShared: { eq: true } },
			],
		},
		'n{2}0+5 u{2}0+5',
		[
			['2 4', ''],
			['', ''],
		],
	],
	[
		'2 searches among 13 tickets in pages of 5, sorted by update, where times are days',
		{
			count: 13,
			sort: 'updatedAt',
			world: { times: 'days' },
			filters: [{ ticketNumber: { eq: 13 } }, { ticketNumber: { eq: 8 } }],
		},
		'n{2}0+5 uni{2}0+5',
		[
			['13', ''],
			['8', ''],
		],
	],
	[
		'2 searches among 4 tickets in pages of 3, 1 at most',
		{ count: 4, pageSize: 3, limit: 1, filters: [ofCustomers(0, 1), ofCustomers(1, 2)] },
		'-n-i{3}0+3 {2}0+3',
		[
			['4', ''],
			['3', ''],
		],
	],
	[
		'3 searches among 1 ticket in pages of 5, where a list of more than 2 ends in reset and request 3 and all after it end in 503',
		{
			count: 1,
			world: { listCap: 2, longList: 'reset', downFrom: 3 },
			filters: [ofCustomers(5, 6), ofCustomers(6, 7), ofCustomers(7, 8)],
		},
		'n{4}0+5*5 n{2}0+5*10',
		[
			['', ' (offset 0)'],
			['', ' (offset 0)'],
			['', ' (offset 0)'],
		],
	],
	[
		'2 searches among 1 ticket in pages of 5, sorted by priority, where request 2 and all after it end in 400',
		{
			count: 1,
			sort: 'priority',
			world: { downFrom: 2, down: 400 },
			filters: [ofCustomer(6), ofCustomer(7)],
		},
		'pni{2}0+5 p{any}0+5 pni0+5*2',
		[
			['', ' (offset 0)'],
			['', ' (offset 0)'],
		],
	],
	[
		'3 searches among 6 tickets in pages of 5, sorted by creation, 1 at most, where all were created at once',
		{
			count: 6,
			sort: 'createdAt',
			limit: 1,
			filters: [ofCustomer(0), ofCustomer(1), ofCustomer(7)],
			tickets: moment,
		},
		'cni{3}0+5 cni{3}4+5 c{2}0+5 c0+5*2',
		[
			['2', "1 ticket, 1 request. More match: raise 'Limit' or use 'Return All'"],
			['1', "1 ticket, 1 request. More match: raise 'Limit' or use 'Return All'"],
			['', ''],
		],
	],
	[
		'2 searches among 0 tickets in pages of 5, sorted by creation, where 2, 97 come before request 2',
		{
			count: 0,
			sort: 'createdAt',
			changes: { 2: { come: [2, 97] } },
			filters: [ofCustomers(0, 1), ofCustomers(1, 2)],
		},
		'n{3}0+5 c{any}0+5 c{4}0+5 n{2}0+5*2',
		[
			['2 97', '2 tickets, 1 request'],
			['97', '1 ticket, 1 request'],
		],
	],
	[
		'2 searches among 12 tickets in pages of 10, where request 5 and all after it end in 400',
		{
			count: 12,
			pageSize: 10,
			world: { downFrom: 5, down: 400 },
			filters: [{ ticketNumber: { notIn: [2] } }, { ticketNumber: { notIn: [3] } }],
		},
		'n0+10 -n0+10 n0+10 n[none]0+1 -n0+10',
		[
			['12-3 1', '11 tickets, 3 requests, read by ticket number'],
			['10-4 2 1', ' (ticketNumber 11)'],
		],
	],
	[
		'2 searches among 1 ticket in pages of 5, sorted by title, where it takes 1 sort rule and request 4 and all after it end in 400',
		{
			count: 1,
			sort: 'title',
			world: { maxRules: 1, downFrom: 4, down: 400 },
			filters: [{ ticketNumber: { gte: 7 } }, { ticketNumber: { gte: 8 } }],
		},
		'tni[7..]0+5 TNI[7..]0+5 tni0+1 TNI0+1 0+1',
		[
			['', 'Too many rules (offset 0)'],
			['', ' (offset 0)'],
		],
	],
	[
		'2 searches among 4 tickets in pages of 2, where request 6 and all after it end in html',
		{
			count: 4,
			pageSize: 2,
			world: { downFrom: 6, down: 'html' },
			filters: [{ ticketNumber: { notIn: [6] } }, { ticketNumber: { notIn: [7] } }],
		},
		'n0+3 -n0+3 n0+3 n[none]0+1 -n0+3 n[none]0+1',
		[
			['4-1', '4 tickets, 3 requests, read by ticket number'],
			['', 'The response is not JSON (ticketNumber -2147483648)'],
		],
	],
	[
		'2 searches among 12 tickets in pages of 5, sorted by creation, 5 at most, where 8 goes before request 1 and 2 comes before request 2',
		{
			count: 12,
			sort: 'createdAt',
			limit: 5,
			changes: { 1: { go: [8] }, 2: { come: [2] } },
			filters: [ofCustomer(0), ofCustomer(1)],
		},
		'cni{2}0+5 cni{2}4+5 c0+5 cni0+5 cni4+5 c0+5',
		[
			['2 4 6 10 12', '5 tickets, 3 requests, read by offset'],
			['1 3 5 7 9', "5 tickets, 1 request. More match: raise 'Limit' or use 'Return All'"],
		],
	],
	[
		'2 searches among 1 ticket in pages of 5, where a list of more than 1 ends in 400',
		{
			count: 1,
			world: { listCap: 1, longList: 400 },
			filters: [ofCustomers(1, 2), ofCustomers(2, 3)],
		},
		'n{3}0+5 N{3}0+5 n{2}0+5 N{2}0+5 n0+1 n{2}0+5',
		[
			['', 'Too many values (offset 0)'],
			['', 'Too many values (offset 0)'],
		],
	],
	[
		'2 searches among 7 tickets in pages of 3, 15 at most, where sort is ignored',
		{
			count: 7,
			pageSize: 3,
			limit: 15,
			world: { ignores: ['sort'] },
			filters: [ofCustomer(1), ofCustomer(3)],
		},
		'-n-i{2}0+3 -N-I{2}0+3 -n-i0+3 -n-i2+3 -n-i0+3',
		[
			['7 5 3 1', '4 tickets, 2 requests, read by offset'],
			['', '0 tickets, 1 request'],
		],
	],
	[
		'2 searches among 1 ticket in pages of 5, sorted by title downwards, where it takes 1 sort rule',
		{
			count: 1,
			sort: '-title',
			world: { maxRules: 1 },
			filters: [{ priority: { eq: 'low' }, isShared: { eq: true } }, { priority: { eq: 'high' } }],
		},
		'-tni0+5 -TNI0+5 -tni0+1 -TNI0+1 0+1 -tni0+5 -tn0+5 -TNI0+5 -TN0+5 -tn0+5 -t0+5 -TN0+5 -t0+5',
		[
			['', '0 tickets, 5 requests, read by offset (only the service knows this sort order)'],
			['', '0 tickets, 5 requests, read by offset (only the service knows this sort order)'],
		],
	],
	[
		'4 searches among 1 ticket in pages of 5, sorted by priority, where it says always that more follow and a list of more than 2 ends in 400',
		{
			count: 1,
			sort: 'priority',
			world: { listCap: 2, longList: 400, more: 'always' },
			filters: [
				{ ticketNumber: { eq: 6 } },
				{ ticketNumber: { eq: 7 } },
				{ ticketNumber: { eq: 5 } },
				{ ticketNumber: { eq: 11 } },
			],
		},
		'pni{4}0+5 PNI{4}0+5 pn{4}0+5 PN{4}0+5 p{4}0+5 P{4}0+5 pni0+5 pni0+1 pni2+3 n[min..min]0+5 pni{2}0+5 pni0+5',
		[
			[
				'',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached (offset 5)',
			],
			[
				'',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached',
			],
			[
				'',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached',
			],
			[
				'',
				'The service says that more tickets follow, but sends no new ones, so the end cannot be reached (offset 5)',
			],
		],
	],
])('answers %s', expectRequests);
