import fc from 'fast-check';
import { createRedactor } from '../../../src/core/redact';
import { propertyRuns } from '../../support/propertyRuns.mjs';

/** What a header can carry, and what JSON or an address writes in several ways. */
const secrets = fc
	.array(fc.constantFrom(...'aZ09+/=-_."\\%&<>{}:~'), { minLength: 8, maxLength: 40 })
	.map((characters) => `k1${characters.join('')}`)
	// No key is made of signs that stand for nothing.
	.filter((secret) => !secret.endsWith('\\') && secret.replaceAll('\\', '').length >= 8);

const hexOf = (character: string, length: number): string =>
	character.charCodeAt(0).toString(16).padStart(length, '0');

/** One character as some encoder of JSON writes it; `way` draws which of them. */
function escapedAs(character: string, way: number): string {
	const unicode = `\\u${hexOf(character, 4)}`;
	if (way === 0) return unicode;
	if (way === 1) return `\\u${hexOf(character, 4).toUpperCase()}`;
	if (character === '/' && way === 2) return '\\/';
	return JSON.stringify(character).slice(1, -1);
}

const ways = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 40, maxLength: 40 });

const writeJson = (secret: string, draws: readonly number[]): string =>
	Array.from(secret, (character, i) => escapedAs(character, draws[i] ?? 3)).join('');

function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	if (typeof value !== 'object' || value === null) return [];
	return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
}

describe('a secret that was sent', () => {
	it('never comes back in the values and keys of JSON, however its characters are escaped', () => {
		const cases = fc.record({
			secret: secrets,
			draws: ways,
			before: fc.constantFrom('', 'Bearer ', 'x', 'Key: '),
			holds: fc.constantFrom('data' as const, 'error' as const),
		});
		fc.assert(
			fc.property(cases, ({ secret, draws, before, holds }) => {
				const written = before + writeJson(secret, draws);
				const body = `{"list":[{"${written}":1}],"n":1.5,"text":"${written}","deep":{"more":["${written} end"]}}`;
				const redacted = JSON.parse(createRedactor([secret]).body(body, holds)) as unknown;
				for (const text of textsIn(redacted)) expect(text).not.toContain(secret);
				expect(redacted).toMatchObject({
					n: 1.5,
					deep: { more: [expect.stringContaining('end')] },
				});
			}),
			propertyRuns(3_000),
		);
	});

	it('never comes back in JSON that is the text of JSON', () => {
		fc.assert(
			fc.property(secrets, ways, (secret, draws) => {
				const inner = `{"echo":"${writeJson(secret, draws)}"}`;
				const body = JSON.stringify({ body: inner });
				const outer = JSON.parse(createRedactor([secret]).body(body, 'error')) as { body: string };
				expect(outer.body).toContain('***');
				expect(outer.body).not.toContain(writeJson(secret, draws));
			}),
		);
	});

	it('never comes back in text, in a page or in the address of a redirect', () => {
		fc.assert(
			fc.property(secrets, ways, (secret, draws) => {
				const { text, body } = createRedactor([secret]);
				const percent = Array.from(secret, (character, i) =>
					(draws[i] ?? 0) > 2 ? character : `%${hexOf(character, 2)}`,
				).join('');
				expect(text(`no ${secret} here`)).toBe('no *** here');
				expect(body(`<p>${secret}</p>`, 'error')).toBe('<p>***</p>');
				expect(text(`https://x.test/?key=${percent}`)).toBe('https://x.test/?key=***');
				expect(text(`https://${secret.toLowerCase()}.test/`)).toBe('https://***.test/');
			}),
		);
	});
});

it('leaves a body without a secret as it is, to the letter', () => {
	const { body } = createRedactor(['key-0123456789', 'token-0123456789']);
	const text = '{ "a" : 1.0, "b": "\\u00e4\\n\\/ 100%", "b": 2 }';
	expect(body(text, 'data')).toBe(text);
	expect(body('', 'error')).toBe('');
});

it.each(['completed', 'identifier', 'in progress', '2026-01-31', '12345678', 'data'])(
	'leaves data whole in which the key %s stands by chance',
	(key) => {
		const { body } = createRedactor([key]);
		const text = JSON.stringify({ [key]: [`${key}s`, key, Number(key) || 1] });
		expect(body(text, 'data')).toBe(text);
	},
);

it('hides in an error each spelling of a key', () => {
	const sent = 'Sk-Live/0a1B+2c=';
	const { text, body } = createRedactor([sent]);
	const bytes = new TextEncoder().encode(sent);
	const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
	const twice = encodeURIComponent(encodeURIComponent(sent));
	const spellings = [
		sent,
		sent.toUpperCase(),
		encodeURIComponent(sent),
		twice,
		twice.toLowerCase(),
		Array.from(bytes, (byte) => `&#${byte};`).join(''),
		Array.from(bytes, (byte) => `&#x${byte.toString(16)};`).join(''),
		Array.from(bytes, (byte) => `\\u00${byte.toString(16)}`).join(''),
		Array.from(bytes, (byte) => `\\\\u00${byte.toString(16).toUpperCase()}`).join(''),
		sent.replace('/', '&sol;').replace('+', '&plus;').replace('=', '&equals;'),
		hex,
		hex.toUpperCase(),
	];
	for (const spelling of spellings) {
		expect(text(`before ${spelling} after`)).toBe('before *** after');
		expect(text(`x=${spelling}`)).toBe('x=***');
		expect(body(JSON.stringify({ [spelling]: [spelling] }), 'error')).toBe('{"***":["***"]}');
	}
	for (const before of ['', 'x', 'xy', 'xyz', 'Bearer ']) {
		const encoded = btoa(`${before}${sent}:end`);
		for (const spelling of [encoded, encoded.replace(/\+/g, '-').replace(/\//g, '_')]) {
			expect(text(spelling)).toContain('***');
			expect(text(spelling).replace('***', '').length).toBeLessThan(before.length * 1.4 + 12);
		}
	}
});

it('hides every sign of a key as HTML can write it, and as a form writes a blank', () => {
	const sent = `k!"#$%&'()*+,-./ 9:;<=>?@[\\]^_\`{|}x`;
	const names =
		`excl quot num dollar percnt amp apos lpar rpar ast plus comma hyphen period sol colon semi lt
		equals gt quest commat lsqb bsol rsqb Hat lowbar grave lcub verbar rcub`.split(/\s+/);
	const signs = `!"#$%&'()*+,-./:;<=>?@[\\]^_\`{|}`;
	const codes = Array.from(sent, (sign) => sign.charCodeAt(0));
	const { text } = createRedactor([sent]);
	for (const spelling of [
		Array.from(sent, (sign) =>
			signs.includes(sign) ? `&${names[signs.indexOf(sign)]};` : sign,
		).join(''),
		codes.map((code) => `&#${String(code).padStart(20, '0')};`).join(''),
		codes.map((code) => `&#X${code.toString(16)};`).join(''),
		codes.map((code) => `&#${code}`).join(''),
		codes.map((code) => `\\x${code.toString(16)}`).join(''),
		encodeURIComponent(sent).replaceAll('%20', '+'),
	])
		expect(text(`a ${spelling} b`)).toBe('a *** b');
});

it('hides a key of digits that stands as a number in JSON', () => {
	const { body } = createRedactor(['1234567890', '98765432109876543210']);
	const text = '{"a":1234567890,"b":[98765432109876543210,1.234567890e9],"c":12}';
	expect(body(text, 'error')).toBe('{"a":"***","b":["***","***"],"c":12}');
});

it('hides the longer of two secrets where one begins with the other', () => {
	const { text } = createRedactor(['abcdefgh', 'abcdefghijkl', '']);
	expect(text('abcdefghijkl abcdefgh')).toBe('*** ***');
});

it('leaves an error as it is in which something encoded is no key', () => {
	const { text, body } = createRedactor(['key-0123456789']);
	const said = String.raw`{"a":"&constructor; &unknown; \u0041 %41 &#65; C:\\temp"}`;
	expect(text(said)).toBe(said);
	expect(body(said, 'error')).toBe(said);
});
