import { z } from 'zod/v4';
import { fitsJson, jsonList, jsonParameter } from '../../../src/core/json';

const messageOf = (value: unknown): string | undefined =>
	jsonParameter.safeParse(value).error?.issues[0]?.message;

describe('a JSON parameter', () => {
	it('reads text', () => {
		expect(jsonParameter.parse(' {"a": [1, null]} ')).toEqual({ a: [1, null] });
	});

	it.each(['', ' \n'])('refuses %j as empty', (text) => {
		expect(messageOf(text)).toBe('is empty. Enter JSON');
	});

	it.each(['{', "{'a': 1}", '{a: 1}', '[1,]', '[object Object]', 'undefined', '{"a":1}{"b":2}'])(
		'refuses %j and says what to look at',
		(text) => {
			expect(messageOf(text)).toMatch(
				/^is not valid JSON \(.+\)\. Check quotes, commas and brackets$/,
			);
		},
	);

	it('refuses a key that stands twice in one object, however it is written', () => {
		for (const again of ['"a"', String.raw`"\u0061"`])
			expect(messageOf(`{"a": 1, "b": {"a": "2:"}, ${again} : 3}`)).toBe(
				'contains a key twice in one object. Remove one',
			);
		const once = '{"a": {"b\\"": ":"}, "b": [{"a": 1}, {"a": 2}]}';
		expect(jsonParameter.parse(once)).toEqual(JSON.parse(once));
	});

	it.each([new Map(), new Set(), new Date(0), new Error('x')])(
		'refuses %p, of which JSON would make nothing or another thing',
		(value) => {
			expect(messageOf(value)).toContain('is an object that JSON cannot hold');
		},
	);
});

describe('numbers that JSON would change', () => {
	it.each(['{"id": 12345678901234567890}', '[9007199254740993]', '{"a":{"b":-99999999999999999}}'])(
		'are refused with what to do: %s',
		(text) => {
			const problem = jsonParameter.safeParse(text).error?.issues[0]?.message;
			expect(problem).toMatch(
				/^contains the number -?\d+, which would be rounded\. Put it in quotes$/,
			);
		},
	);

	it.each([
		'{"id": "12345678901234567890"}',
		'[9007199254740991, 1234567890123456.5, 1e20]',
		'{"12345678901234567890": "a\\"12345678901234567890"}',
	])('are read where nothing is lost: %s', (text) => {
		expect(jsonParameter.safeParse(text).success).toBe(true);
	});

	it.each([NaN, Infinity, { a: [NaN] }])('cannot be written: %j', (value) => {
		expect(fitsJson(value)).toBe(false);
	});
});

const schema = jsonList(z.object({ id: z.string({ error: 'must be text' }) }), 'customer');
const problemsOf = (value: unknown): Array<[string, string]> =>
	(schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [
		path.join('.'),
		message,
	]);

describe('a list in JSON', () => {
	it.each([
		['one value', { id: 'a' }, [{ id: 'a' }]],
		['a list', [{ id: 'a' }, { id: 'b' }], [{ id: 'a' }, { id: 'b' }]],
		['one value as text', '{"id":"a"}', [{ id: 'a' }]],
		['a list as text', '[{"id":"a"}]', [{ id: 'a' }]],
	])('may be %s', (_, value, expected) => {
		expect(schema.parse(value)).toEqual(expected);
	});

	it.each([
		['[]', [['', 'is an empty list. Enter a customer']]],
		[[], [['', 'is an empty list. Enter a customer']]],
		[{ id: 1 }, [['id', 'must be text']]],
		[
			[{ id: 1 }, { id: 'b' }, {}],
			[
				['0.id', 'must be text'],
				['2.id', 'must be text'],
			],
		],
	])('is refused as %j, and each problem names its place', (value, problems) => {
		expect(problemsOf(value)).toEqual(problems);
	});
});
