import {
	askAboutMarks,
	explainedValues,
	describeMissingColumn,
	holdsBack,
	markColumnName,
	readMark,
	readMarkCell,
} from '../../../src/core/readMark';

const explain = (values: unknown) => explainedValues.yesValues.parse(values) ?? new Set<string>();
const usual = { isConsent: false, yesValues: explain(undefined), noValues: explain(undefined) };
const explained = {
	...usual,
	yesValues: explain('DNC, Opted out\n#N/A\nja\nf\u00fcr immer'),
	noValues: explain(['nein', 'Opted in, EU']),
};
const consent = { ...usual, isConsent: true };

it.each<[string, readonly unknown[]]>([
	['blank', ['', '  ', null, undefined, [], [''], [null, '\u200b']]],
	['no', [false, 'FALSE', 'no', 'N', '0', 0, 'off', ['', false], 'no, off']],
	['yes', [true, ' Yes ', 'y', '1', 1, 'X', '\u2713', 'on', [true], 'yes, yes']],
	['unclear', ['maybe', 'ja', 2, ['a'], '2024-05-01', 'yes please', {}, [{ a: 'yes' }], [['x']]]],
])('reads as %s, for a consent, too: %j', (mark, cells) => {
	for (const cell of cells)
		expect([cell, readMark(cell, usual), readMark(cell, consent)]).toEqual([cell, mark, mark]);
});

it.each([
	['DNC', 'yes'],
	['opted OUT', 'yes'],
	['Ja', 'yes'],
	['Fu\u0308r  immer', 'yes'],
	['DNC;Newsletter', 'yes'],
	['nein', 'no'],
	['opted in, eu', 'no'],
	['ja, nein', 'yes'],
	['Stop', 'unclear'],
	['#n/a', 'yes'],
])("reads %j as %s by the user's own values, which upper case does not change", (cell, mark) => {
	expect(readMark(cell, explained)).toBe(mark);
});

it('holds back a marked person, and without a clear consent everyone', () => {
	const marks = ['yes', 'no', 'blank', 'unclear'] as const;
	expect(marks.map((mark) => holdsBack(mark, usual))).toEqual([true, false, false, false]);
	expect(marks.map((mark) => holdsBack(mark, consent))).toEqual([false, true, true, true]);
});

it.each(['', ' , ', [], [''], ['DNC', ' '], {}])(
	'refuses %j as values, which mean nothing',
	(values) => {
		expect(explainedValues.noValues.safeParse(values).success).toBe(false);
	},
);

describe('the question about a column', () => {
	const ask = (cells: readonly unknown[], marks: object = {}) =>
		askAboutMarks(cells, { column: 'DNC', ...usual, ...marks }, 'Safeguards');

	it('lists the values with their counts, most frequent first, and where to enter each', () => {
		const cells = ['maybe', ['ask'], 'yes', 'ask', ''];
		const questionFor = (meaning: string) =>
			`'DNC' has values that are neither yes nor no: 'ask' (2 rows), 'maybe' (row 1). Enter each under Safeguards > 'Values That Mean Yes' (${meaning}) or 'Values That Mean No'`;
		expect(ask(cells)).toBe(questionFor('do not call'));
		expect(ask(cells, { isConsent: true })).toBe(questionFor('may be called'));
	});

	it('is asked again for a value that no one has explained', () => {
		expect(ask(['ja', 'nein', ''], explained)).toBeUndefined();
		expect(ask(['ja', 'nein', 'Stop'], explained)).toContain(": 'Stop' (row 3). Enter each");
	});

	it('advises a column of yes and no for objects', () => {
		expect(ask(['maybe', { a: 1 }])).toMatch(/Make a column of yes and no with Edit Fields$/);
	});
});

it.each<[entered: string, row: object, cell: unknown]>([
	['DNC', { DNC: 'yes', dnc: 'no' }, 'yes'],
	["['Phone (work)']", { 'Phone (work)': 'x' }, 'x'],
	['a.b', { 'a.b': 'no', a: { b: 'yes' } }, 'no'],
	['a.b', { a: { b: 'yes' } }, 'yes'],
	['DNC', { dnc: 'yes' }, ''],
	['DNC', { DNC: null }, ''],
])('reads the column %s of %j as %j', (entered, row, cell) => {
	expect(readMarkCell(row, { column: markColumnName.parse(entered) })).toBe(cell);
});

it('a column that no row has is missing, which n8n makes of a column without any mark', () => {
	const column = markColumnName.parse('Do Not Call');
	expect(describeMissingColumn([{ phone: 1 }, { name: 'Ana' }], { column })).toBe(
		"no row has the column 'Do Not Call'. If your sheet has it, all its cells are empty, and n8n leaves such a column out: add the option 'Include Empty Cells' to the node that reads the sheet. Columns found: 'phone', 'name'",
	);
	expect(describeMissingColumn([{ phone: 1 }, { 'Do Not Call': '' }], { column })).toBeUndefined();
	expect(describeMissingColumn([], { column })).toBeUndefined();
	const twins = [{ 'do not call ': 'yes' }, { 'Do Not Call': '' }];
	expect(describeMissingColumn(twins, { column })).toBe(
		"some rows have the column 'Do Not Call', and others 'do not call '. Give all rows the same column, for example with Edit Fields",
	);
	expect(markColumnName.safeParse(' ').success).toBe(false);
});
