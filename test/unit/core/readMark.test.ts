import { markedValues, readMark, readMarks } from '../../../src/core/readMark';

const none = new Set<string>();
const chosen = markedValues.parse('DNC, Opted out\nja\nf\u00fcr immer');

it.each<[readonly unknown[], string, string]>([
	[['', '  ', null, [], [''], [null, '\u200b']], 'blank', 'blank'],
	[[false, 'FALSE', 'no', 'N', '0', 0, 'off', ['', false]], 'notMarked', 'notMarked'],
	[
		[true, ' Yes ', 'y', '1', 1, 'X', '\u2713', 'on', [true], ['no', 'x'], 'yes; a'],
		'marked',
		'marked',
	],
	[
		[
			'DNC',
			'opted OUT',
			'ja',
			['a', 'dnc'],
			'DNC;Newsletter',
			'Opted out, for good',
			'Fu\u0308r  immer',
		],
		'unclear',
		'marked',
	],
	[['maybe', 'nein', 'no, off', 2, ['a'], '2024-05-01', 'yes please'], 'unclear', 'notMarked'],
	[[undefined, {}, { name: 'DNC' }, [{ name: 'yes' }], [['DNC']]], 'unclear', 'unclear'],
])('reads %j as %s, and as %s with Marked Values', (cells, plain, withValues) => {
	for (const cell of cells)
		expect([cell, readMark(cell, none), readMark(cell, chosen)]).toEqual([cell, plain, withValues]);
});

it.each(['', ' , ', [], [''], ['DNC', ' ']])(
	'refuses %j as Marked Values, which would mean nothing',
	(entered) => {
		expect(markedValues.safeParse(entered).success).toBe(false);
	},
);

it('finds a marked value with a comma, which a list can contain', () => {
	const listed = markedValues.parse(['Opted out, EU']);
	expect(readMark('opted out, EU', listed)).toBe('marked');
});

it('asks about unclear values with their counts, most frequent first', () => {
	const cells = ['maybe', ['ask'], 'yes', 'ask'];
	expect(readMarks(cells, 'Do Not Call', none).stop).toBe(
		"'Do Not Call' has values that are neither yes nor no: 'ask' (2 rows), 'maybe' (1 row). Enter those that mean do not call in 'Marked Values', or choose another column",
	);
});

it('lists what counts as not marked because of Marked Values', () => {
	expect(readMarks(['ja', 'nein', 'nein', ''], 'Do Not Call', chosen)).toEqual({
		marks: ['marked', 'notMarked', 'notMarked', 'blank'],
		note: "'Do Not Call': these values count as not marked: 'nein' (2 rows)",
	});
});

it('asks for an expression where a cell contains an object', () => {
	const { stop } = readMarks(['maybe', { a: 1 }], 'Do Not Call', none);
	expect(stop).toContain('Use an expression that gives true or false');
	expect(readMarks(['yes', undefined, undefined], 'Do Not Call', chosen)).toEqual({
		marks: ['marked', 'unclear', 'unclear'],
		stop: "the expression of 'Do Not Call' gives nothing in 2 rows. Use one that gives true or false, e.g. {{ Boolean($json.optedOut) }}",
	});
});
