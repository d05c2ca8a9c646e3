import { hash } from 'crypto';
import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import range from 'lodash/range';
import { z } from 'zod/v4';
import type { NotAccepted } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import type { RowPlan } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { readPhoneNumber } from '../../core/phoneNumber';
import { inAscii, roundedDigits } from '../../core/phoneSpelling';
import { plural } from '../../core/text';
import { keysOf, numberKey, ownKeys } from './identity';
import type { PlannedConversation } from './readRows';

const marked = (reason: string): NotAccepted =>
	leftOut(`Not called, because ${reason}`, 'marked Do Not Call');

/** The outcome of someone whose own row says it. */
export const MARKED = marked('the row is marked do not call');
const EARLIER = marked('this execution found the person marked do not call in an earlier round');
const LISTED = leftOut(
	'Not called, because the number is listed under Do Not Call',
	'listed under Do Not Call',
);

type Rows = ReadonlyArray<RowPlan<PlannedConversation>>;

/** Why someone must not be called, by the keys of people and by what a number looks like. */
type Barred = Map<string, NotAccepted>;

/**
 * Leaves out everyone who must not be called: whoever a row marks, in all rows, on every channel and in every spelling, also in later
 * rounds of a loop and attempts of this execution; and whoever is listed.
 */
export function leaveOutBarred(
	rows: Rows,
	{ doNotCallNumbers }: { readonly doNotCallNumbers: ReadonlySet<string> },
	ledger: Ledger,
): { readonly rows: Rows; readonly notes: readonly string[] } {
	const barred = barredBy(rows);
	addPeople(
		barred,
		rows.flatMap(({ entries }) => entries.map(({ content }) => content)),
		ledger,
	);
	for (const key of doNotCallNumbers) barred.set(key, LISTED);
	const whyNot = (content: PlannedConversation) =>
		keysOf(content)
			.map((key) => barred.get(key))
			.find((why) => why !== undefined);
	return {
		rows: rows.map(({ entries, ...row }) => ({
			...row,
			entries: entries.map(({ content, outcome }) => ({
				content,
				outcome: outcome ?? whyNot(content),
			})),
		})),
		notes: notesOf(rows),
	};
}

/** Whoever rows mark: all their keys, and what is known of a number that cannot be read. */
function barredBy(rows: Rows): Barred {
	const barred: Barred = new Map();
	for (const [position, { entries }] of rows.entries())
		for (const { content } of entries.filter(({ outcome }) => outcome === MARKED)) {
			const row = `row ${position + 1}`;
			const same = marked(`${row} of the same person is marked do not call`);
			for (const key of keysOf(content)) addTo(barred, key, same);
			const alike = marked(
				`${row} is marked do not call, and its number cannot be read but ends like this one`,
			);
			for (const look of (content.unreadable ?? []).flatMap(looksIn)) addTo(barred, look, alike);
		}
	return barred;
}

/** The first row that bars someone is named. */
function addTo(barred: Barred, name: string, why: NotAccepted | undefined): void {
	if (why && !barred.has(name)) barred.set(name, why);
}

/** Adds whoever looks like someone barred or was so in an earlier round, and all keys of the same people. */
function addPeople(barred: Barred, contents: readonly PlannedConversation[], ledger: Ledger): void {
	const earlier = new Set(z.array(z.string()).catch([]).parse(ledger.recall(IN_LEDGER)));
	if (barred.size + earlier.size === 0) return;
	const whyNot = (name: string): NotAccepted | undefined =>
		barred.get(name) ?? (earlier.size > 0 && earlier.has(hidden(name)) ? EARLIER : undefined);
	for (const content of contents) {
		for (const key of keysOf(content)) addTo(barred, key, whyNot(key));
		for (const number of content.numbers)
			for (const look of looksOf(number)) addTo(barred, numberKey(number), whyNot(look));
	}
	const people = contents.map(ownKeys).flatMap((keys) => keys.map((key) => ({ key, keys })));
	const peopleWith = groupBy(people, 'key');
	// What is added here is reached, too.
	for (const [key, why] of barred)
		for (const { keys } of peopleWith[key] ?? [])
			for (const other of keys) addTo(barred, other, why);
	for (const name of barred.keys()) earlier.add(hidden(name));
	ledger.record(IN_LEDGER, [...earlier]);
}

const IN_LEDGER = '!';

/** A name in the ledger, in which no numbers stand. */
const hidden = (name: string): string => hash('sha256', name, 'base64url').slice(0, 10);

function notesOf(rows: Rows): string[] {
	const count = rows
		.flatMap(({ entries }) => entries)
		.filter(({ content: { unreadable = [] } }) => unreadable.length > 0).length;
	if (count === 0) return [];
	return [
		`${plural(count, 'row')} marked do not call ${count === 1 ? 'has' : 'have'} no number that can be read. Anyone whose last digits are the same is left out. Correct it in the sheet`,
	];
}

/** So many last digits tell a number, whatever stands around them; up to so many are a number without its country code. */
const LAST_DIGITS = 7;
const NATIONAL_DIGITS = 10;
/** Fewer may be its end, as people write it and where the rest is masked. */
const MIN_END = 5;
const MIN_MASKED = 4;
/** So many digits a spreadsheet shows of a number that it rounds; shorter numbers it does not. */
const ROUNDED_TO = 6;
const MIN_ROUNDED = 9;

const MAX_TEXT = 40;
const MASKED = /[*•●xX?_]{2,}\D*(\d{4,})\D*$/;
const DIALED_BY_LETTER = '22233344455566677778889999';

/** What a text shows of the number in it: its key where nothing but an extension follows, or stretches of its digits, with a dot for each that is not shown. */
function looksIn(text: string): string[] {
	const [start = '', beforeExtension = ''] = /^[^\d+]*([^a-z;#]*)/i.exec(text) ?? [];
	const whole = readPhoneNumber(beforeExtension);
	if ('number' in whole) return [numberKey(whole.number), ...looksIn(text.slice(start.length))];
	const masked = MASKED.exec(text.slice(-MAX_TEXT))?.[1];
	const typed = [text, beforeExtension].map(digitsIn);
	return compact([masked, ...typed.filter(({ length }) => length >= MIN_END)]).flatMap((digits) => {
		if (digits.includes('.')) return roundedLooks(digits);
		const cut = `${digits.slice(-NATIONAL_DIGITS)}.`;
		if (digits.length <= NATIONAL_DIGITS) return [digits, cut];
		const ends = range(LAST_DIGITS, digits.length + 1);
		return [cut, ...ends.map((end) => digits.slice(end - LAST_DIGITS, end))];
	});
}

/** Digits of which a spreadsheet shows only the first: the last of them may be rounded up. */
function roundedLooks(digits: string): string[] {
	const shown = digits.replaceAll('.', '');
	return [shown, String(Number(shown) - 1)].map((first) =>
		first.slice(0, ROUNDED_TO).padEnd(digits.length, '.'),
	);
}

/** All that a text may show of a number: its last digits, those without the very last, and those whose end is rounded away. */
function looksOf(number: string): string[] {
	const digits = number.slice(1);
	return [
		...range(MIN_MASKED, NATIONAL_DIGITS + 1).map((length) => digits.slice(-length)),
		...range(LAST_DIGITS, digits.length).map((length) => `${digits.slice(-length - 1, -1)}.`),
		...range(MIN_ROUNDED, digits.length + 1).map((length) =>
			digits.slice(-length).slice(0, ROUNDED_TO).padEnd(length, '.'),
		),
	];
}

/** The digits in a text that someone typed or a spreadsheet changed: 4.155550101E9, 4155550101.0 and 415-555-O1O1 have those of a number. */
function digitsIn(text: string): string {
	const typed = inAscii(text)
		.normalize('NFKC')
		.replace(/(?<=[\d-])[oO]|[oO](?=\d)/g, '0')
		.replace(/(?<=[\d-])[lLI]|[lLI](?=\d)/g, '1')
		.replace(/(?<=\d\W*)[A-Z]{3,}(?=\W*\d|\W*$)/g, (word) =>
			word.replace(/./g, (letter) => DIALED_BY_LETTER.charAt(letter.charCodeAt(0) - 65)),
		);
	return (
		roundedDigits(typed.trim()) ??
		typed
			.replace(/(?<=\d)\.0+\s*$/, '')
			.replace(/\D/g, '')
			.replace(/^0+/, '')
	);
}
