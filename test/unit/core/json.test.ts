import {
	fitsJson,
	jsonParameter,
	MAX_DEPTH,
	oneJsonObject,
	readBody,
} from '../../../src/core/json';

const messageOf = (value: unknown): string | undefined =>
	jsonParameter.safeParse(value).error?.issues[0]?.message;

describe('a JSON parameter', () => {
	it('reads text', () => {
		expect(jsonParameter.parse(' {"a": [1, null]} ')).toEqual({ a: [1, null] });
	});

	it.each(['', ' \n'])('refuses %j as empty', (text) => {
		expect(messageOf(text)).toBe('is empty. Enter JSON');
	});

	it.each(['{', '{a: 1}', '[1,]', '[object Object]', '{"a":1}{"b":2}'])('refuses %j', (text) => {
		expect(messageOf(text)).toContain('is not valid JSON');
	});

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

it('replaces a response that is nested too deeply to save, and refuses such a parameter', () => {
	const nest = (levels: number) => `[1, null, "a", ${'['.repeat(levels)}${']'.repeat(levels)}]`;
	const saved = nest(MAX_DEPTH);
	const unsaved = nest(MAX_DEPTH + 1);
	expect(readBody(saved)).toEqual({ kind: 'json', value: JSON.parse(saved) });
	expect(readBody(unsaved)).toEqual({ kind: 'json', value: '(nested too deeply to read)' });
	expect([' \r\n', '<html>'].map(readBody)).toEqual([{ kind: 'empty' }, { kind: 'text' }]);
	expect(messageOf(saved)).toBeUndefined();
	expect(messageOf(unsaved)).toBe('is nested deeper than 200 levels. Flatten it');
});

it('knows what JSON keeps', () => {
	expect([undefined, {}, 'a'].map(fitsJson)).toEqual([false, true, true]);
});

describe('numbers that JSON would change', () => {
	it.each(['{"id": 12345678901234567890}', '[9007199254740993]', '{"a":{"b":-99999999999999999}}'])(
		'are refused: %s',
		(text) => {
			expect(messageOf(text)).toContain('which would be rounded');
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

const one = oneJsonObject('customer', '{"identifier": "C-1"}');
describe('an object in JSON', () => {
	it.each([[{ id: 'a' }], ['{"id":"a"}']])('may be text: %j', (value) => {
		expect(one.parse(value)).toEqual({ id: 'a' });
	});

	it.each([
		...[[], '[{"id":"a"}]'].map((list): [unknown, string] => [
			list,
			'is a list. For one customer per row, add a Split Out node before this one',
		]),
		...[5, '"a"', null].map((value): [unknown, string] => [
			value,
			'must be an object, e.g. {"identifier": "C-1"}',
		]),
	])('is not %j', (value, message) => {
		expect(one.safeParse(value).error?.issues.map((issue) => issue.message)).toEqual([message]);
	});
});
