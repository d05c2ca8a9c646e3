import type * as ApiErrors from '../../src/core/apiError';
import type * as Failures from '../../src/core/describeFailure';
import type * as Json from '../../src/core/json';
import type * as PlainText from '../../src/core/plainText';
import type * as Schemas from '../../src/core/schemas';
import type * as Phones from '../../src/core/phoneNumber';
import type * as Marks from '../../src/core/readMark';
import type * as Redaction from '../../src/core/redact';
import type * as Days from '../../src/tickets/filters/days';
import type * as Values from '../../src/tickets/ticket';
import { countSteps, loadCounted, patternsMadeLate } from '../support/countSteps.mjs';

const { toApiError } = loadCounted('src/core/apiError') as typeof ApiErrors;
const { describeFailure } = loadCounted('src/core/describeFailure') as typeof Failures;
const { jsonParameter, readBody } = loadCounted('src/core/json') as typeof Json;
const { readPhoneNumber } = loadCounted('src/core/phoneNumber') as typeof Phones;
const { readMark } = loadCounted('src/core/readMark') as typeof Marks;
const { createRedactor } = loadCounted('src/core/redact') as typeof Redaction;
const { findGaps, toNumber } = loadCounted('src/core/schemas') as typeof Schemas;
const { comparableText, isBlank, cleanText } = loadCounted(
	'src/core/plainText',
) as typeof PlainText;
const { toUtcTimestamp } = loadCounted('src/tickets/filters/days') as typeof Days;
const { parseTime } = loadCounted('src/tickets/ticket') as typeof Values;

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
	'the reader of marks': (text) =>
		readMark(text, { isConsent: true, yesValues: new Set(['DNC']), noValues: new Set() }),
	'the reader of numbers': (text) => readPhoneNumber(text),
	'the reader of times': parseTime,
	'the reader of days': (text) => toUtcTimestamp(text, 'UTC'),
};

const cases = Object.keys(readers).flatMap((reader) =>
	Object.keys(hostile).map((text) => [reader, text] as const),
);

describe('the work on a hostile text', () => {
	it.each(cases)('by %s grows as the text does, with %s', (reader, text) => {
		const read = readers[reader] ?? (() => undefined);
		const write = hostile[text] ?? (() => '');
		read(write(100));
		const [small, large] = [25_200, 100_800].map((length) => {
			const input = write(length);
			return countSteps(() => void read(input));
		});
		expect(large).toBeLessThanOrEqual(4.2 * (small ?? 0) + 2_000);
	});

	it('does not run out of stack with a deep parameter, which is refused', () => {
		const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
		const expected = /nested deeper than 200 levels/;
		expect(jsonParameter.safeParse(deep).error?.issues[0]?.message).toMatch(expected);
		expect(jsonParameter.safeParse(JSON.parse(deep)).error?.issues[0]?.message).toMatch(expected);
		expect(() => findGaps(JSON.parse(deep))).not.toThrow();
	});
});

it('makes no pattern of data but of the escaped letters of a key', () => {
	expect(patternsMadeLate()).toEqual([
		"src/core/redact.ts: new RegExp(patterns.join('|') || '(?!)', 'gi')",
		"src/core/redact.ts: new RegExp(uniqueKeys.map(toFullyEscapable).join('|') || '(?!)', 'gi')",
	]);
});
