import { toApiError } from '../../src/core/apiError';
import { readBaseUrl } from '../../src/core/credential';
import { describeFailure } from '../../src/core/describeFailure';
import { jsonParameter, readBody } from '../../src/core/json';
import { readPhoneNumber } from '../../src/core/phoneNumber';
import { cleanText, comparableText, isBlank } from '../../src/core/plainText';
import { readMark } from '../../src/core/readMark';
import { createRedactor } from '../../src/core/redact';
import { findGaps, toNumber } from '../../src/core/schemas';
import { utcTimestamp } from '../../src/tickets/filters/days';
import { parseTime } from '../../src/tickets/ticket';

const KEY = 'key-aab0aab123';
const redact = createRedactor([KEY, 'aaaaaaaaaaaaaaab1', '/\\k1234567', 'k']);

/** Texts that make patterns go back, loops begin anew and recursions go deep. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
	backslashes: (length) => '\\'.repeat(length),
	'backslashes and letters': (length) => '\\u'.repeat(length / 2),
	percents: (length) => '%25'.repeat(length / 3),
	'beginnings of a key': (length) => 'aaaaaaaaaaaaaaab'.repeat(length / 16),
	'one letter': (length) => 'a'.repeat(length),
	digits: (length) => `${'1'.repeat(length)}.5`,
	'nested lists': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
};

const reply = (text: string) => ({ kind: 'response', status: 400, headers: {}, text }) as const;
const label = (path: ReadonlyArray<string | number>) => path.join(' > ');

/** Everything that takes text from outside. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
	'the redactor of errors': (text) => redact(text),
	'the reader of bodies': readBody,
	'the reader of errors': (text) =>
		describeFailure(
			toApiError('GET /x', reply(JSON.stringify({ message: text, issues: [text] })), 0),
			label,
		),
	'the reader of error pages': (text) => toApiError('GET /x', reply(text), 0),
	'the reader of JSON parameters': (text) => jsonParameter.safeParse(text),
	'the finder of gaps': (text) => findGaps({ text }),
	cleanText,
	comparableText,
	isBlank,
	toNumber,
	'the reader of marks': (text) => readMark(text, new Set()),
	'the reader of numbers': (text) => readPhoneNumber(text),
	'the reader of addresses': readBaseUrl,
	'the reader of times': parseTime,
	'the reader of days': (text) => utcTimestamp(text, 'UTC'),
};

describe('the work on a hostile text', () => {
	it.each(Object.entries(readers))('of 100 kB is done at once by %s', (_, read) => {
		for (const [name, write] of Object.entries(hostile)) {
			const text = write(100_800);
			const startMs = performance.now();
			read(text);
			// Work that grows with the square of the length takes many seconds.
			expect([name, performance.now() - startMs < 2_000]).toEqual([name, true]);
		}
	});

	it('does not run out of stack with a deep parameter, which is refused', () => {
		const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
		const expected = /nested deeper than 200 levels/;
		expect(jsonParameter.safeParse(deep).error?.issues[0]?.message).toMatch(expected);
		expect(jsonParameter.safeParse(JSON.parse(deep)).error?.issues[0]?.message).toMatch(expected);
		expect(() => findGaps(JSON.parse(deep))).not.toThrow();
	});
});
