import { z } from 'zod/v4';
import {
	choice,
	chosenValue,
	gapsIn,
	listOf,
	numberOf,
	pause,
	rowsOf,
	timeout,
	trueOrFalse,
	UUID,
	uuid,
	wholeNumber,
	withoutGaps,
	yesOrNo,
} from '../../../src/core/schemas';

describe('a whole number', () => {
	it.each([
		[1, 1],
		[20, 20],
		['7', 7],
		[' 7 ', 7],
		['  12  ', 12],
	])('reads %j', (entered, expected) => {
		expect(wholeNumber(1, 20).parse(entered)).toBe(expected);
	});

	it.each([0, 21, -1, 1.5, NaN, Infinity, '', ' ', '1e1', '1.0', 'x', null, true, [], [3], {}])(
		'refuses %j and says its bounds',
		(entered) => {
			const read = wholeNumber(1, 20).safeParse(entered);
			expect(read.error?.issues.map(({ message }) => message)).toEqual([
				'must be a whole number from 1 to 20',
			]);
		},
	);

	it('does not invent an upper bound', () => {
		expect(wholeNumber(1).safeParse(0).error?.issues[0]?.message).toBe(
			'must be a whole number, 1 or more',
		);
		expect(wholeNumber(1).parse(1e9)).toBe(1e9);
	});
});

describe('a choice of one name', () => {
	const schema = choice(['insert', 'upsert']);

	it('takes each of the names as it is', () => {
		expect([schema.parse('insert'), schema.parse('upsert')]).toEqual(['insert', 'upsert']);
	});

	it.each(['Insert', ' insert', 'delete', '', null, 0])('refuses %j and names them', (entered) => {
		expect(schema.safeParse(entered).error?.issues.map(({ message }) => message)).toEqual([
			'must be one of insert, upsert',
		]);
	});
});

describe('a choice of names', () => {
	const schema = listOf(['a', 'b', 'c'], 'column');

	it.each([
		[
			['a', 'c'],
			['a', 'c'],
		],
		['a, c', ['a', 'c']],
		[' a ,,c, ', ['a', 'c']],
		['', []],
		[[], []],
	])('reads %j', (entered, expected) => {
		expect(schema.parse(entered)).toEqual(expected);
	});

	it.each(['a,x', ['x'], ['A'], [1], 5, null, { 0: 'a' }])('refuses %j', (entered) => {
		expect(schema.safeParse(entered).success).toBe(false);
	});

	it('names what there is to choose from', () => {
		expect(schema.safeParse('x').error?.issues[0]?.message).toBe(
			'contains a name that is not a column. Use one of a, b, c',
		);
	});
});

describe('a timeout', () => {
	it.each([
		[1, 1_000],
		[2.5, 2_500],
		[3_600, 3_600_000],
	])('reads %j seconds as %j ms', (entered, expected) => {
		expect(timeout.parse(entered)).toBe(expected);
	});

	it.each([0, -1, 3_601, NaN, 'x', null])('refuses %j and says its bounds', (entered) => {
		expect(timeout.safeParse(entered).error?.issues.map(({ message }) => message)).toEqual([
			'must be a number of seconds from 1 to 3600',
		]);
	});
});

describe('a number of a unit', () => {
	const minutes = numberOf('minutes', 1, 20);

	it.each([
		[1, 1],
		[20, 20],
		[1.5, 1.5],
		['7', 7],
		[' 12.25 ', 12.25],
		['  7  ', 7],
	])('reads %j', (entered, expected) => {
		expect(minutes.parse(entered)).toBe(expected);
	});

	it.each([0.9, 20.1, NaN, '', ' ', '1e1', '1.', '.5', '1,5', 'x1', '1x', '-1', null, true, [3]])(
		'refuses %j and says its bounds',
		(entered) => {
			expect(minutes.safeParse(entered).error?.issues.map(({ message }) => message)).toEqual([
				'must be a number of minutes from 1 to 20',
			]);
		},
	);
});

describe('a yes or no', () => {
	it.each([true, 'true', 'TRUE', ' yes ', 'Y', 1, '1'])('is yes where it is %j', (entered) => {
		expect(yesOrNo.parse(entered)).toBe(true);
	});

	it.each([false, 'false', 'False', ' no ', 'N', 0, '0'])('is no where it is %j', (entered) => {
		expect(yesOrNo.parse(entered)).toBe(false);
	});

	it.each([
		['maybe', 'maybe'],
		['', ''],
		[null, 'null'],
		[{}, '(an object)'],
		['x'.repeat(50), 'x'.repeat(40)],
	])('is refused where it is %j', (entered, shown) => {
		expect(yesOrNo.safeParse(entered).error?.issues).toMatchObject([
			{ code: 'custom', message: `'${shown}' is neither yes nor no. Use true or false` },
		]);
	});
});

describe('a switch', () => {
	it.each([
		[true, true],
		[false, false],
		['true', true],
		[' False ', false],
	])('reads %j', (entered, expected) => {
		expect(trueOrFalse.parse(entered)).toBe(expected);
	});

	it.each(['', 'yes', 1, 0, null, [], {}])('refuses %j', (entered) => {
		expect(trueOrFalse.safeParse(entered).error?.issues.map(({ message }) => message)).toEqual([
			'must be true or false',
		]);
	});
});

it('reads a pause and a time to wait in seconds', () => {
	expect([pause.parse('1.5'), pause.parse(0), timeout.parse(30)]).toEqual([1_500, 0, 30_000]);
});

describe('what an expression gave as nothing', () => {
	it.each<[unknown, unknown]>([
		[undefined, [[]]],
		[null, []],
		[0, []],
		['', []],
		[{ a: 1, b: undefined }, [['b']]],
		[
			{ a: [1, undefined, { b: undefined }] },
			[
				['a', 1],
				['a', 2, 'b'],
			],
		],
		[[[undefined]], [[0, 0]]],
	])('is found in %j', (value, paths) => {
		expect(gapsIn(value)).toEqual(paths);
	});

	const schema = withoutGaps(z.looseObject({}), ['rows']);
	const gapsOf = (value: unknown) =>
		schema.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]);

	it('is refused with its place', () => {
		const problem =
			'is empty because its expression gave no value. Correct the expression, or enter a value';
		expect(gapsOf({ a: { b: undefined }, c: undefined })).toEqual([
			['a.b', problem],
			['c', problem],
		]);
		expect(gapsOf({ rows: undefined })).toEqual([['rows', problem]]);
	});

	it('is left to others in what is checked elsewhere', () => {
		expect(gapsOf({ rows: { b: undefined }, a: 1 })).toBeUndefined();
		expect(withoutGaps(z.unknown()).safeParse({ rows: { b: undefined } }).success).toBe(false);
	});
});

it.each<[unknown, unknown]>([
	[{ __rl: true, mode: 'list', value: 'a' }, 'a'],
	[{ __rl: true }, undefined],
	[{ mode: 'id', value: 5 }, 5],
	[{ mode: 'id' }, { mode: 'id' }],
	[{ value: 5 }, { value: 5 }],
	['a', 'a'],
	[null, null],
	[undefined, undefined],
])('takes the chosen value from %j', (entered, value) => {
	expect(chosenValue(entered)).toEqual(value);
});

describe('the rows of a list', () => {
	const schema = rowsOf(z.string());

	it('are read one by one', () => {
		expect(schema.parse(['a', 'b'])).toEqual(['a', 'b']);
		expect(schema.parse([])).toEqual([]);
	});

	it.each([undefined, null, {}, 'a', '={{ $json.rows }}'])(
		'are missed where %j stands in their place, rather than taken for none',
		(value) => {
			expect(schema.safeParse(value).error?.issues.map(({ message }) => message)).toEqual([
				'is empty because an expression replaces the whole list. Add rows and use expressions in their fields, or use JSON',
			]);
		},
	);
});

const NIL = '00000000-0000-0000-0000-000000000000';
const MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

describe('a UUID', () => {
	it('has version 1-8 and variant 8, 9, a or b, or is all zeros or all f', () => {
		for (const version of '0123456789abcdef') {
			for (const variant of '0123456789abcdef') {
				const text = `0b6a6b7e-3c1f-${version}d2a-${variant}f60-5a7d1c2e3f40`;
				expect([text, UUID.test(text)]).toEqual([
					text,
					'12345678'.includes(version) && '89ab'.includes(variant),
				]);
			}
		}
		expect([NIL, MAX, MAX.toUpperCase()].map((text) => UUID.test(text))).toEqual([
			true,
			true,
			true,
		]);
	});

	it.each([
		'0b6a6b7e3c1f4d2a9f605a7d1c2e3f40',
		'{0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40}',
		'0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40\n',
		'x0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f40',
		'0b6a6b7e-3c1f-4d2a-9f60-5a7d1c2e3f4g',
		`${NIL}0`,
	])('is not %j', (text) => {
		expect(UUID.test(text)).toBe(false);
	});

	it('is read without the space around it', () => {
		expect(uuid.parse(`  ${NIL}\n`)).toBe(NIL);
	});

	it.each([
		['', 'is empty'],
		[' ', 'is empty'],
		['x', "'x' is not a UUID"],
		['x'.repeat(1000), `'${'x'.repeat(60)}' is not a UUID`],
		[5, 'must be a UUID'],
		[null, 'is empty. Enter a UUID'],
		[undefined, 'is empty. Enter a UUID'],
		[[NIL], 'must be a UUID'],
	])('says what is wrong with %j', (value, message) => {
		const issues = uuid.safeParse(value).error?.issues ?? [];
		expect(issues.map((issue) => issue.message)).toEqual([
			expect.stringMatching(new RegExp(`^${message}`)),
		]);
	});
});
