import { jsonParameter } from '../../../src/core/json';

const messageOf = (value: unknown): string | undefined =>
	jsonParameter.safeParse(value).error?.issues[0]?.message;

describe('a JSON parameter', () => {
	it('takes an object or a list as it is', () => {
		expect(jsonParameter.parse({ a: 1 })).toEqual({ a: 1 });
		expect(jsonParameter.parse([1])).toEqual([1]);
	});

	it('reads text', () => {
		expect(jsonParameter.parse(' {"a": [1, null]} ')).toEqual({ a: [1, null] });
	});

	it.each(['', ' \n'])('refuses %j as empty', (text) => {
		expect(messageOf(text)).toBe('is empty. Enter JSON, e.g. {}');
	});

	it.each(['{', "{'a': 1}", '{a: 1}', '[1,]', '[object Object]', 'undefined', '{"a":1}{"b":2}'])(
		'refuses %j and says what to look at',
		(text) => {
			expect(messageOf(text)).toMatch(
				/^is not valid JSON \(.+\)\. Check quotes, commas and brackets$/,
			);
		},
	);
});
