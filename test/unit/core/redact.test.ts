import fc from 'fast-check';
import { createRedactor } from '../../../src/core/redact';

/** What a header can carry, with the signs that JSON and addresses escape. */
const keys = fc
	.array(fc.constantFrom(...'aZ09+/=-_."\\%&<>{}:~'), { minLength: 8, maxLength: 40 })
	.map((characters) => `k1${characters.join('')}`);

const unicode = (sign: string): string =>
	/\w/.test(sign) ? sign : `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`;

/** The ways in which a service may write a key that it echoes. */
const writings: Readonly<Record<string, (key: string) => string>> = {
	'as it is': (key) => key,
	'in capitals': (key) => key.toUpperCase(),
	'as JSON writes it': (key) => JSON.stringify(key).slice(1, -1),
	'as JSON with escaped slashes': (key) => JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/'),
	'as JSON with escaped signs': (key) => Array.from(key, unicode).join(''),
	'as JSON in JSON': (key) => JSON.stringify(JSON.stringify(key)).slice(3, -3),
	'in an address': encodeURIComponent,
	'in an address in an address': (key) => encodeURIComponent(encodeURIComponent(key)),
};

describe.each(['data', 'error'] as const)('a key that comes back in %s', (holds) => {
	it.each(Object.entries(writings))('is replaced %s', (_, write) => {
		fc.assert(
			fc.property(keys, fc.constantFrom('', 'Bearer ', 'x', '{"echo":"'), (key, before) => {
				const redact = createRedactor(['another-0123456789', key]);
				expect(redact(`${before}${write(key)}" end`, holds)).toBe(`${before}***" end`);
			}),
		);
	});

	it.each(['', 'x', 'xy', 'xyz', 'user:', 'Bearer '])(
		'is replaced in base64 after %j',
		(before) => {
			fc.assert(
				fc.property(keys, (key) => {
					const encoded = btoa(`${before}${key}:end`);
					for (const text of [encoded, encoded.replace(/\+/g, '-').replace(/\//g, '_')]) {
						const shown = createRedactor([key])(text, holds);
						expect(shown).toContain('***');
						expect(shown.replace('***', '').length).toBeLessThan(before.length * 1.4 + 12);
					}
				}),
			);
		},
	);
});

it('redacted JSON stays JSON', () => {
	fc.assert(
		fc.property(keys, (key) => {
			const body = JSON.stringify({ [key]: [key, 1.5], text: `no ${key} here` });
			expect(JSON.parse(createRedactor([key])(body, 'error'))).toEqual({
				'***': ['***', 1.5],
				text: 'no *** here',
			});
		}),
	);
});

it.each(['k', 'completed', 'in progress', '2026-01-31', '12345678'])(
	'a key that could be a word, %j, stays in data and is replaced as a whole word in errors',
	(key) => {
		const redact = createRedactor([key]);
		const data = JSON.stringify({ [key]: [`${key}s`, key, 1] });
		expect(redact(data, 'data')).toBe(data);
		expect(redact(`"${key}" is no key, ${key}s are`, 'error')).toBe(`"***" is no key, ${key}s are`);
	},
);

it('the longer of two keys is replaced where one begins with the other', () => {
	const redact = createRedactor(['abcdefg1', 'abcdefg12345', '']);
	expect(redact('abcdefg12345 abcdefg1', 'data')).toBe('*** ***');
});

it('a text without a key stays as it is', () => {
	const text = '{ "a" : 1.0, "b": "\\u00e4\\n\\/ 100%", "b": 2 }';
	expect(createRedactor(['key-0123456789'])(text, 'error')).toBe(text);
	expect(createRedactor([])(text, 'error')).toBe(text);
});
