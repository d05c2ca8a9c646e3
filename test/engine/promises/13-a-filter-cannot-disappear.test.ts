import type { INodeParameters } from 'n8n-workflow';
import { search } from '../../support/panel';
import { runNode } from '../../support/runNode';
import { members } from '../../support/samples';
import { forget, serve } from '../../support/service';
import { scriptedPage } from '../../support/tickets';

afterEach(forget);

const on = (column: string, operator: string, value: object = {}) => ({
	column,
	operator,
	...value,
});
const json = (filtersJson: string) => ({ filterMode: 'json', filtersJson });
const conditions = (...list: object[]) => ({
	filters: { conditions: list as INodeParameters[] },
});
const fine = { column: 'priority', operator: 'eq', priorityValue: 'low' };

async function run(parameters: object, row: object = {}) {
	const received = serve(() => scriptedPage([]));
	const { error, main } = await runNode({
		rows: [{ rows: [], none: null, ...row }],
		parameters: { ...search, ...parameters },
	});
	return { error, main, filters: received.map(({ body }) => members(body)['filters']) };
}

it.each([
	['=ORD-{{ $json.order }}', undefined],
	['={{ $json.order }}-{{ $json.year }}', undefined],
	['=ORD-{{ [] }}', undefined],
	["=ORD-{{ [null, ['']] }}", undefined],
	['=ORD-{{ Number($json.missing) }}', undefined],
	['=ORD-{{ String($json.missing) }}', undefined],
	["=ORD-{{ new Date('x') }}", undefined],
	["=ORD-{{ 'A' + $json.missing }}", undefined],
	["={{ 'ORD-' + $json.missing }}", undefined],
	['={{ `ORD-${$json.missing}` }}', undefined],
	['={{ ("ORD-" + $json.missing).toUpperCase() }}', undefined],
	['={{ "ORD-" + $json.order }}', undefined],
	["={{ `ORD-${$json.deep?.id}${$json['order']}` }}", undefined],
	['=ORD-{{ $json.holes }}', undefined],
	["=ORD-{{ $('Rows').item.json.order + 1 }}", undefined],
	['={{ $json.words + "!" }}', '%null is undefined!%'],
	['=ORD-{{ $json.year }}', '%ORD-2026%'],
	["=ORD-{{ $json.order || 'none' }}", '%ORD-none%'],
])('takes %j for empty where one of its expressions gives nothing', async (value, pattern) => {
	const parameters = conditions(on('title', 'contains', { value }));
	const row = { order: '', year: 2026, words: 'null is undefined', holes: ['a', ''] };
	const { error, filters } = await run(parameters, row);
	expect(filters).toEqual(pattern === undefined ? [] : [{ title: { iLike: pattern } }]);
	expect(error === undefined).toBe(pattern !== undefined);
});

type Case = readonly [what: string, parameters: object, reason: string];

/** Values that an expression left empty, and where the panel has them. */
const empty: readonly Case[] = [
	['a cell of blanks', conditions(on('title', 'contains', { value: '={{ "  " }}' })), 'Value'],
	[
		'a date',
		conditions(fine, on('createdAt', 'lt', { dateValue: '={{ $json.missing }}' })),
		'Date',
	],
	...['new Date($json.none)', '$now.minus({ days: $json.missing })', 'new Date(+$json.none)'].map(
		(date): Case => [
			date,
			conditions(on('createdAt', 'gte', { dateValue: `={{ ${date} }}` })),
			'Date',
		],
	),
	[
		'an end that JSON leaves out',
		json('={{ JSON.stringify({ createdAt: { gte: "2026-01-01", lt: $json.missing } }) }}'),
		"'Filters (JSON)' could not be read: {{ $json.missing }} gave no value",
	],
	[
		'a part of JSON',
		json('={ "createdAt": {{ JSON.stringify({ gte: "2026-01-01", lt: $json.none }) }} }'),
		'{{ $json.none }} gave no value',
	],
	['a digit', { options: { offset: '={{ $json.none }}0' } }, '{{ $json.none }} gave no value'],
	[
		'a part that is no date',
		conditions(fine, on('title', 'contains', { value: "=ORD-{{ new Date('x') }}" })),
		"'Filters > Condition 2 > Value' could not be read: its expression gives",
	],
	['a column', { output: 'selected', columns: '=title,{{ $json.none }}' }, 'gave no value'],
	...['{ "iLike": "%ORD-{{ $json.missing }}%" }', '{ "in": ["a", "{{ $json.missing }}"] }'].map(
		(operand): Case => [operand, json(`={ "title": ${operand} }`), 'gave no value'],
	),
	...['{ iLike: "%" + $json.missing }', '{ in: ["a", `b-${$json.missing}`] }'].map(
		(operand): Case => [operand, json(`={{ ({ title: ${operand} }) }}`), 'a value is empty'],
	),
	...[
		['createdAt: { gte: $json.missing, lte: "2026-01-01" }', 'createdAt > gte'],
		['customerId: undefined', 'customerId'],
		['customerId: $json.rows.length ? { eq: 1 } : undefined, title: { eq: "x" }', 'customerId'],
		['title: { notIn: ["a", $json.missing] }', 'title > notIn 2'],
		['isShared: { isNull: $json.missing, eq: true }', 'isShared > isNull'],
	].map(([entered = '', place = '']): Case => [
		entered,
		json(`={{ ({ ${entered} }) }}`),
		`'Filters (JSON) > ${place}' is empty because its expression gave no value`,
	]),
	...(
		[
			['Limit', { limit: '={{ $json.missing }}' }],
			['Return All', { returnAll: '={{ null }}' }],
			['Options > Offset', { options: { offset: '={{ $json.missing }}' } }],
			['Columns', { output: 'selected', columns: '={{ $json.missing }}' }],
			[
				'Sort > Rule 1 > Direction',
				{ sort: { rules: [{ column: 'title', direction: '={{ $json.missing }}' }] } },
			],
		] as const
	).map(([label, parameters]): Case => [
		label,
		parameters,
		`'${label}' is empty because its expression gave no value`,
	]),
	...(['in', 'notIn'] as const).flatMap((operator) =>
		[
			...['a,,b', '={{ ["a", $json.missing] }}'].map((list) => [list, 'has an empty value']),
			...['=a,{{ $json.missing }}', '=ORD-1, ORD-{{ $json.missing }}'].map((list) => [
				list,
				'is empty',
			]),
		].map(([valueList = '', reason = '']): Case => [
			`${operator} ${valueList}`,
			conditions(on('title', operator, { valueList })),
			`'Filters > Condition 1 > Values' ${reason}`,
		]),
	),
	['all filters', { filters: '={{ $json.rows }}' }, 'an expression replaces the whole list'],
	['the sort', { sort: '={{ $json.rows }}' }, 'an expression replaces the whole list'],
	[
		'the conditions',
		{ filters: { conditions: '={{ $json.rows }}' } },
		'If an expression replaces the whole list',
	],
];

/** Entries that cannot be valid, with their place in the panel. */
const wrong: readonly Case[] = [
	['an ID', conditions(fine, on('statusId', 'eq', { value: 'open' })), 'Condition 2 > Value'],
	['an ID in a list', conditions(on('customerId', 'in', { idValues: 'x' })), 'Names or IDs'],
	['a number', conditions(on('ticketNumber', 'eq', { numberValue: 'x' })), 'a whole number'],
	['a date', conditions(on('createdAt', 'gte', { dateValue: '31.01.2026' })), '"31.01.2026"'],
	[
		'two texts',
		conditions(on('title', 'iLike', { value: '%a%' }), on('title', 'iLike', { value: '%b%' })),
		"'Filters > Condition 2' on Title can have only one such value",
	],
	[
		'two lists',
		conditions(
			on('priority', 'in', { priorityValues: ['low'] }),
			on('priority', 'in', { priorityValues: ['high'] }),
		),
		'on Priority can have only one such value',
	],
	['an operator', conditions(on('title', 'today')), `"Is Today" is not offered for Title`],
	[
		'an operator that only JSON has',
		conditions(on('createdAt', 'isBetween', { value: '2026-01-01,2026-02-01' })),
		`"isBetween" is not offered for Created At. Choose another operator, or set 'Filter By' to JSON`,
	],
	['a key twice', json('{"title": {"eq": "a"}, "title": {"eq": "b"}}'), 'a key twice'],
	['no JSON', json(' '), "'Filters (JSON)' is empty"],
	['a map', json('={{ new Map([["title", { eq: "x" }]]) }}'), 'JSON cannot hold'],
	['a value in JSON', json('{"isShared": {"in": [true, "no"]}}'), 'isShared > in 2'],
	['malformed JSON', json('{"priority": {"eq": "low"}'), 'is not valid JSON'],
	['a page', { options: { pageSize: 101 } }, "'Options > Page Size' must be a whole number"],
];

it('sends nothing where the time zone of the workflow does not exist', async () => {
	const received = serve(() => scriptedPage([]));
	const parameters = { ...search, ...conditions(on('createdAt', 'isToday')) };
	const { error } = await runNode({ parameters, timezone: 'Europe/Berln' });
	const reason = `'Timezone' "Europe/Berln" is not a time zone`;
	expect([received, error?.message]).toEqual([[], expect.stringContaining(reason)]);
});

it.each([...empty, ...wrong])('sends nothing with %s', async (_, parameters, reason) => {
	const { error, main, filters } = await run(parameters);
	expect(error?.message.split(reason)).toHaveLength(2);
	expect([main, filters]).toEqual([[], []]);
});

it.each<[string, object, object, unknown]>([
	[
		'an optional end',
		{ until: null },
		json(
			'={{ JSON.stringify({ createdAt: { gte: "2026-01-01", lt: $json.until }, priority: { eq: $json.prio || "high" } }) }}',
		),
		undefined,
	],
	[
		'another default',
		{ since: null },
		json(
			'={{ { createdAt: { gte: new Date($json.since) }, priority: { eq: $json.prio ?? "high" } } }}',
		),
		undefined,
	],
	[
		'a question mark',
		{ order: '' },
		conditions(on('title', 'contains', { value: '={{ "Where is " + $json.order + "?" }}' })),
		undefined,
	],
	[
		'a name',
		{ emptyBin: '' },
		conditions(on('title', 'contains', { value: '={{ "bin " + $json.emptyBin }}' })),
		undefined,
	],
	[
		'all rows',
		{ order: '' },
		conditions(on('title', 'contains', { value: '={{ "ORD-" + $input.all()[0].json.order }}' })),
		undefined,
	],
	[
		'a branch',
		{ from: null },
		json(
			'={{ { priority: { eq: "high" }, ...($json.from ? { createdAt: { gte: $json.from } } : {}) } }}',
		),
		{ priority: { eq: 'high' } },
	],
	[
		'a part of JSON',
		{ c: '' },
		json('={ "priority": {"eq":"high"} {{ $json.c ? `, "title": {"eq":"${$json.c}"}` : "" }} }'),
		{ priority: { eq: 'high' } },
	],
	[
		'a comparison',
		{ shared: '' },
		json('={{ { isShared: { eq: $json.shared === "yes" } } }}'),
		{ isShared: { eq: false } },
	],
	[
		'a negation',
		{ closed: null },
		json('={{ { closedAt: { isNull: !$json.closed } } }}'),
		{ closedAt: { isNull: true } },
	],
	[
		'a branch that is not taken',
		{ recent: false, since: null },
		json(
			'={{ { createdAt: { gte: $json.recent ? new Date($json.since) : "2026-01-31T12:00Z" } } }}',
		),
		{ createdAt: { gte: '2026-01-31T12:00:00.000Z' } },
	],
	[
		'a filtered list',
		{ list: ['a', ''] },
		conditions(on('title', 'in', { valueList: '={{ $json.list.filter(Boolean) }}' })),
		{ title: { in: ['a'] } },
	],
	[
		'a default',
		{ order: null },
		conditions(on('title', 'contains', { value: '={{ "ORD-" + ($json.order ?? 7) }}' })),
		{ title: { iLike: '%ORD-7%' } },
	],
	[
		'words of the user',
		{},
		conditions(
			on('title', 'contains', { value: '={{ "undefined method " + $json.rows.length }}' }),
		),
		{ title: { iLike: '%undefined method 0%' } },
	],
])(
	'reads a calculation only with the data that it needs: %s',
	async (_, row, parameters, expected) => {
		const { error, filters } = await run(parameters, row);
		expect(filters).toEqual(expected === undefined ? [] : [expected]);
		expect(error === undefined).toBe(expected !== undefined);
	},
);
