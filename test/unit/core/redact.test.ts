import fc from 'fast-check';
import { createRedactor } from '../../../src/core/redact';

/** Keys that a header can carry, with the characters that JSON and URLs escape. */
const keys = fc
	.array(fc.constantFrom(...'aZ09+/=-_."\\%&<>{}:~'), { minLength: 8, maxLength: 40 })
	.map((characters) => `k1${characters.join('')}`);

const unicode = (sign: string): string => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** The ways in which a service may write a key that it echoes. */
const writings: Readonly<Record<string, (key: string) => string>> = {
	'as it is': (key) => key,
	'in capitals': (key) => key.toUpperCase(),
	'as JSON writes it': (key) => JSON.stringify(key).slice(1, -1),
	'as JSON with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
	'as JSON with escaped signs': (key) => key.replace(/\W/g, unicode),
	'as JSON with every sign escaped': (key) => key.replace(/./g, unicode),
	'as JSON with one letter escaped': (key) => unicode('k') + key.slice(1),
	'in an address': encodeURIComponent,
	'as JSON inside JSON': (key) => JSON.stringify(JSON.stringify(key)).slice(3, -3),
	'as JSON inside JSON with escaped signs': (key) =>
		JSON.stringify(key.replace(/\W/g, unicode)).slice(1, -1),
};

it.each(Object.entries(writings))('a key that comes back is replaced %s', (_, write) => {
	fc.assert(
		fc.property(keys, fc.constantFrom('', 'Bearer ', 'x', '{"echo":"'), (key, before) => {
			const redact = createRedactor(['another-0123456789', key]);
			expect(redact(`${before}${write(key)}" end`)).toBe(`${before}***" end`);
		}),
	);
});

it('a key that comes back is replaced in base64', () => {
	fc.assert(
		fc.property(keys, fc.constantFrom('', 'u', 'uu', 'user:'), (key, before) => {
			const redacted = createRedactor([key])(btoa(`${before}${key}:end`));
			expect(redacted).toMatch(/^.{0,7}\*\*\*.{1,8}$/);
		}),
	);
});

it('redacted JSON stays JSON', () => {
	fc.assert(
		fc.property(keys, (key) => {
			const body = JSON.stringify({ [key]: [key, 1.5], text: `no ${key} here` });
			expect(JSON.parse(createRedactor([key])(body))).toEqual({
				'***': ['***', 1.5],
				text: 'no *** here',
			});
		}),
	);
});

it('a short key is replaced as a whole word, and the longer of two keys first', () => {
	expect(createRedactor(['abc', ''])('"abc" is no key, abcs are')).toBe(
		'"***" is no key, abcs are',
	);
	expect(createRedactor(['abcdefg1', 'abcdefg12345'])('abcdefg12345 abcdefg1')).toBe('*** ***');
});

it.each(['k', 'ab', '/', '\\'])(
	'a key of one or two signs leaves other text as it is: %s',
	(key) => {
		expect(createRedactor([key])('{"data": [1, "two"]}')).toBe('{"data": [1, "two"]}');
	},
);

it('a text without a key stays as it is', () => {
	const text = '{ "a" : 1.0, "b": "\\u00e4\\n\\/ 100%", "b": 2 }';
	expect(createRedactor(['key-0123456789'])(text)).toBe(text);
	expect(createRedactor([])(text)).toBe(text);
});
