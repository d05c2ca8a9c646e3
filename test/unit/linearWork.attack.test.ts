import type * as ApiErrors from '../../src/core/apiError';
import type * as Failures from '../../src/core/describeFailure';
import type * as Text from '../../src/core/text';
import type * as Json from '../../src/core/json';
import type * as Spelling from '../../src/core/phoneSpelling';
import type * as Redaction from '../../src/core/redact';
import type * as Schemas from '../../src/core/schemas';
import type * as YesNo from '../../src/core/yesNo';
import type * as Days from '../../src/tickets/filters/days';
import type * as Patterns from '../../src/tickets/service/patterns';
import type * as Values from '../../src/tickets/service/values';
import { marksOf } from '../../src/conversations/create/marks';
import { otherNumbers } from '../../src/conversations/create/numbers';
import { countryOfRow } from '../../src/core/phoneCountry';
import { refusalIn } from '../../src/core/verdict';
import { readRefusal } from '../../src/core/yesNo';
import { countSteps, loadCounted, patternsMadeLate } from '../support/countSteps.mjs';

const { toApiError } = loadCounted('src/core/apiError') as typeof ApiErrors;
const { describeFailure } = loadCounted('src/core/describeFailure') as typeof Failures;
const { jsonParameter } = loadCounted('src/core/json') as typeof Json;
const { readSpelling } = loadCounted('src/core/phoneSpelling') as typeof Spelling;
const { createRedactor } = loadCounted('src/core/redact') as typeof Redaction;
const { gapsIn } = loadCounted('src/core/schemas') as typeof Schemas;
const { isBlank, readBody, sameText, toNumber, trimInvisible, visible } = loadCounted(
	'src/core/text',
) as typeof Text;
const { isMarkColumn, readYesNo } = loadCounted('src/core/yesNo') as typeof YesNo;
const { utcTimestamp } = loadCounted('src/tickets/filters/days') as typeof Days;
const { matchesPattern } = loadCounted('src/tickets/service/patterns') as typeof Patterns;
const { isZoned, timeOf } = loadCounted('src/tickets/service/values') as typeof Values;

const KEY = 'key-aab0aab123';
const redact = createRedactor([KEY, 'aaaaaaaaaaaaaaab1', '/\\k1234567', 'k']);

/** Texts that make patterns go back, loops begin anew and recursions go deep. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
	backslashes: (length) => '\\'.repeat(length),
	'backslashes and letters': (length) => '\\u'.repeat(length / 2),
	percents: (length) => '%25'.repeat(length / 3),
	ampersands: (length) => '&'.repeat(length),
	entities: (length) => '&#0000000'.repeat(length / 9),
	'beginnings of a key': (length) => 'aaaaaaaaaaaaaaab'.repeat(length / 16),
	'one letter': (length) => 'a'.repeat(length),
	digits: (length) => `${'1'.repeat(length)}.5`,
	'blanks between letters': (length) => `a${' '.repeat(length)}a`,
	'invisible characters between letters': (length) => `a${'\u200b'.repeat(length)}a`,
	'opening brackets': (length) => '['.repeat(length),
	'opening tags': (length) => '<script'.repeat(length / 7),
	'nested lists': (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
	quotes: (length) => '"a"'.repeat(length / 3),
	'a time with blanks': (length) => `2026-01-01 10:00${' '.repeat(length)}x\n`,
};

const reply = (text: string) => ({ kind: 'response', status: 400, headers: {}, text }) as const;
const label = (path: ReadonlyArray<string | number>) => path.join(' > ');

/** Everything that takes text from outside. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
	'the redactor of errors': (text) => redact(text, 'error'),
	'the redactor of data': (text) => redact(JSON.stringify({ text }), 'data'),
	'the reader of bodies': readBody,
	'the reader of errors': (text) =>
		describeFailure(
			toApiError('GET /x', reply(JSON.stringify({ message: text, issues: [text] })), 0),
			label,
		),
	'the reader of error pages': (text) => toApiError('GET /x', reply(text), 0),
	'the reader of JSON parameters': (text) => jsonParameter.safeParse(text),
	'the reader of JSON texts': (text) => jsonParameter.safeParse(JSON.stringify({ text })),
	'the reader of numbers in JSON': (text) => jsonParameter.safeParse(`[${text}]`),
	'the finder of gaps': (text) => gapsIn({ text }),
	trimInvisible,
	visible,
	sameText,
	isBlank,
	toNumber,
	isMarkColumn,
	readYesNo,
	readSpelling,
	'the reader of times': timeOf,
	'the reader of zones': isZoned,
	'the reader of days': (text) => utcTimestamp(text, 'UTC'),
	'a pattern with an escape': (text) => matchesPattern(text, `${'%_'.repeat(8)}%\\_`, ''),
	'a pattern of the same letters': (text) => matchesPattern(text, '%aaaaaaaab%\\_', 'i'),
};

const cases = Object.keys(readers).flatMap((reader) =>
	Object.keys(hostile).map((text) => [reader, text] as const),
);

/** Work that never yields is stopped by no timeout of Jest, so it is looked at when it has ended; what is linear takes a part of a second. */
function endsSoon(work: () => void): void {
	const begunMs = Date.now();
	work();
	expect(Date.now() - begunMs).toBeLessThan(60_000);
}

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

	it.each(Object.keys(hostile))(
		'by the patterns of the redactor, whose steps no one counts, ends soon with %s',
		(text) => {
			const input = hostile[text]?.(300_000) ?? '';
			endsSoon(() => {
				expect(redact(input + KEY, 'error')).not.toContain(KEY);
				expect(redact(JSON.stringify({ text: input }), 'data')).toContain('{"text":');
			});
		},
	);

	it.each([
		['the name of a column of a row', `R${'GSETTIN'.repeat(30_000)}\n`],
		['the name of a member of a response', `s${'runs'.repeat(50_000)}\0`],
		['a cell', `choose${'\u{1f1e6}'.repeat(50_000)}\n0`],
		['a mark', 'call,'.repeat(40_000)],
		['signs of a number', `${'+'.repeat(400_000)}a`],
		['what is no answer', `${'n/a-'.repeat(40_000)}x`],
	])('by the patterns for names and cells ends soon with %s', (_, text) => {
		const row = { [text]: { phone: text }, Notes: text, 'Do Not Call': text };
		endsSoon(() => {
			expect(marksOf(row).map(({ name }) => name)).toEqual(['Do Not Call']);
			expect(otherNumbers(row, {}).numbers).toEqual([]);
			expect(countryOfRow(row, 'US')).toEqual({ country: 'US' });
			expect(readRefusal(text)).toBeUndefined();
			expect(refusalIn({ [text]: text, status: 'created' }, 1)).toBeUndefined();
		});
	});

	it('does not run out of stack with a deep parameter, which is refused', () => {
		const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
		const expected = /nested deeper than 200 levels/;
		expect(jsonParameter.safeParse(deep).error?.issues[0]?.message).toMatch(expected);
		expect(jsonParameter.safeParse(JSON.parse(deep)).error?.issues[0]?.message).toMatch(expected);
		expect(() => gapsIn(JSON.parse(deep))).not.toThrow();
	});
});

it('makes no pattern of data: those in functions are of the numbering plans, which are bundled, and of the escaped letters of a key', () => {
	const late = patternsMadeLate();
	const others = late.filter((text) => !text.startsWith('src/core/cleanNumber.ts'));
	expect(others).toEqual([
		"src/core/redact.ts: new RegExp(patterns.join('|') || '(?!)', 'gi')",
	]);
	expect(late.length).toBeGreaterThan(1);
});
