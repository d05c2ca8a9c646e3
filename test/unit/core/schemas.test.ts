import { z } from 'zod/v4';
import {
	choice,
	chosenValue,
	collectionOf,
	EXAMPLE_ID,
	findGaps,
	groupOf,
	isRealText,
	listOf,
	numberBetween,
	rowsOf,
	timeout,
	trueOrFalse,
	UUID,
	uuid,
	wholeNumber,
	rejectGaps,
} from '../../../src/core/schemas';

const saidOf = (schema: z.ZodType, entered: unknown): string[] | undefined =>
	schema.safeParse(entered).error?.issues.map(({ message }) => message);

describe('a parameter', () => {
	const size = () => wholeNumber(1, 20);
	const minutes = () => numberBetween('minutes', 1, 20);
	const mode = () => choice(['insert', 'upsert']);
	const columns = () => listOf(['a', 'b', 'c'], 'column');

	it.each<[string, () => z.ZodType, unknown[], unknown[]]>([
		['a whole number', size, [1, 20, '7', ' 7 ', '  12  '], [1, 20, 7, 7, 12]],
		['a whole number without a bound', () => wholeNumber(1), [1e9], [1e9]],
		['a choice', mode, ['insert', 'upsert'], ['insert', 'upsert']],
		['a list', columns, [['a', 'c'], 'a, c', ' a ,,c, '], Array(3).fill(['a', 'c'])],
		['an empty list', columns, ['', []], [[], []]],
		['a timeout', () => timeout, [1, 2.5, 3_600], [1_000, 2_500, 3_600_000]],
		['a number', minutes, [1, 20, 1.5, '7', ' 12.25 '], [1, 20, 1.5, 7, 12.25]],
		['a switch', () => trueOrFalse, [true, false, 'true', ' False '], [true, false, true, false]],
	])('that is %s is read as expressions give it', (_, schema, entered, expected) => {
		expect(entered.map((each) => schema().parse(each))).toEqual(expected);
	});

	it.each<[() => z.ZodType, string, unknown[]]>([
		[size, '1 to 20', [0, 21, 1.5, NaN, '', '1e1', '1.000', 'x', null, true, [3]]],
		[() => wholeNumber(1), '1 or more', [0]],
		[mode, 'one of insert, upsert', ['Insert', ' insert', 'delete', '', null, 0]],
		[columns, 'one of a, b, c', ['x', 'a,x', ['x'], ['A'], [1]]],
		[columns, 'a list of names, each a column', [5, null, { 0: 'a' }]],
		[() => timeout, 'seconds from 1 to 3600', [0, -1, 3_601, NaN, 'x', null]],
		[minutes, 'minutes from 1 to 20', [0.9, 20.1, '', '1e1', '1.', '1,5', '1.000', '1x', [3]]],
		[() => trueOrFalse, 'true or false', ['', 'yes', 1, 0, null, [], {}]],
	])('is refused where it is another: %#', (schema, message, entered) => {
		for (const each of entered)
			expect([each, saidOf(schema(), each)]).toEqual([each, [expect.stringContaining(message)]]);
	});
});

describe('what an expression gave as nothing', () => {
	it('is found at every depth, and nothing else is', () => {
		for (const value of [null, 0, '', [], {}]) expect(findGaps(value)).toEqual([]);
		expect(findGaps(undefined)).toEqual([[]]);
		expect(findGaps({ a: [1, undefined, { b: undefined }] })).toEqual([
			['a', 1],
			['a', 2, 'b'],
		]);
	});

	it('is refused with its place', () => {
		const read = rejectGaps(z.looseObject({}), ['rows']).safeParse({
			a: { b: undefined },
			rows: undefined,
		});
		expect(read.error?.issues.map(({ path }) => path)).toEqual([['a', 'b'], ['rows']]);
	});
});

it.each([undefined, {}, 'a'])(
	'misses the rows of a list in %j, and takes it not for none',
	(value) => {
		expect(rowsOf(z.string()).parse(['a', 'b'])).toEqual(['a', 'b']);
		expect(saidOf(rowsOf(z.string()), value)).toEqual([
			expect.stringContaining('is empty because an expression replaces the whole list'),
		]);
	},
);

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
		for (const text of [NIL, MAX, MAX.toUpperCase()]) expect(UUID.test(text)).toBe(true);
	});

	it('is read in small letters without the space around it', () => {
		expect(uuid.parse(`  ${MAX.toUpperCase()}\n`)).toBe(MAX);
	});

	it('is asked for with an example', () => {
		expect([...saidOf(uuid, '')!, ...saidOf(uuid, `${NIL}0`)!, ...saidOf(uuid, 5)!]).toEqual([
			`is empty. Enter a UUID, e.g. ${EXAMPLE_ID}`,
			`"${NIL}0" is not a UUID. It should look like ${EXAMPLE_ID}`,
			`must be a UUID, e.g. ${EXAMPLE_ID}`,
		]);
	});
});

it('tells a value from the text of an empty expression, and from what surrounds it', () => {
	for (const text of ['undefined', ' null ', 'NaN', '[object Object]', '[object Map]'])
		expect([text, isRealText(text)]).toEqual([text, false]);
	for (const text of ['nullable', 'a null', '[object', 'x [object Map]', '[object Map] y'])
		expect([text, isRealText(text)]).toEqual([text, true]);
	expect(chosenValue({ __rl: true, value: 1 })).toBe(1);
	for (const other of [{ mode: 'id', value: 1 }, { value: 1 }, 'value', null])
		expect(chosenValue(other)).toBe(other);
});

it('a collection is refused where n8n kept only the length of an expression', () => {
	const collection = collectionOf(z.strictObject({ size: z.number().optional() }));
	expect(saidOf(collection, { length: 12 })).toEqual([
		expect.stringContaining('is one expression'),
	]);
	for (const entered of [{}, [], { length: 0 }]) expect(collection.parse(entered)).toEqual({});
	for (const entered of [{ size: 1 }, { size: 1, length: 12 }])
		expect(collection.parse(entered)).toEqual({ size: 1 });
	expect(saidOf(collection, 'all')).toHaveLength(1);
});

it('a group is refused where n8n kept only the length of an expression, also beside its defaults', () => {
	const group = groupOf(z.strictObject({ size: z.number().optional() }));
	for (const entered of [{ length: 12 }, { length: 12, size: 1 }, undefined])
		expect(saidOf(group, entered)).toEqual([expect.stringContaining('is one expression')]);
	for (const entered of [{ size: 1 }, { length: '', size: 1 }])
		expect(group.parse(entered)).toEqual({ size: 1 });
});
