import { hash } from 'crypto';
import compact from 'lodash/compact';
import countBy from 'lodash/countBy';
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
import {
	digitsOfPerson,
	keysOf,
	nameOfDigits,
	namesOfNumber,
	numberKey,
	ownKeys,
} from './identity';
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
): { readonly rows: Rows; readonly notes: readonly string[]; readonly stop?: string | undefined } {
	const barred = barredBy(rows);
	addPeople(
		barred,
		rows.flatMap(({ entries }) => entries.map(({ content }) => content)),
		ledger,
	);
	for (const key of doNotCallNumbers) {
		barred.set(key, LISTED);
		for (const name of namesOfNumber(key.replace('number:', ''))) barred.set(name, LISTED);
	}
	const whyNot = (content: PlannedConversation) =>
		namesOf(content)
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
		stop: stopOf(rows),
	};
}

/** All keys of a person, and the digits of a Person ID that may be a number. */
function namesOf(content: PlannedConversation): string[] {
	const digits = digitsOfPerson(content.personId);
	return digits === undefined ? keysOf(content) : [...keysOf(content), nameOfDigits(digits)];
}

/** Whoever rows mark: all their keys, and what is known of a number that cannot be read. */
function barredBy(rows: Rows): Barred {
	const barred: Barred = new Map();
	for (const [position, { entries }] of rows.entries())
		for (const { content } of entries.filter(({ outcome }) => outcome === MARKED)) {
			const row = `row ${position + 1}`;
			const same = marked(`${row} of the same person is marked do not call`);
			for (const key of namesOf(content)) addTo(barred, key, same);
			for (const name of content.numbers.flatMap(namesOfNumber)) addTo(barred, name, same);
			const digits = digitsOfPerson(content.personId);
			if (digits !== undefined) addTo(barred, digits, same);
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
	// Where all numbers could be read, no one has to be compared digit by digit.
	const hasLooks = ledger.recall(LOOKS) === true || [...barred.keys()].some(isLook);
	if (hasLooks) ledger.record(LOOKS, true);
	const whyNot = (name: string): NotAccepted | undefined =>
		barred.get(name) ?? (earlier.size > 0 && earlier.has(hidden(name)) ? EARLIER : undefined);
	for (const content of contents) {
		for (const key of namesOf(content)) addTo(barred, key, whyNot(key));
		for (const number of hasLooks ? content.numbers : [])
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
const LOOKS = '!~';
const isLook = (name: string): boolean => /^[\d.*]+$/.test(name);

/** A name in the ledger, in which no numbers stand. */
const hidden = (name: string): string => hash('sha256', name, 'base64url').slice(0, 10);

function notesOf(rows: Rows): string[] {
	const missed = rows.flatMap(({ entries }) =>
		entries.flatMap(({ content: { unreadable = [], shownInPart = [] } }) =>
			unreadable.length > 0 && !shownInPart.some(showsTooLittle)
				? [unreadable.some((text) => looksIn(text).length > 0)]
				: [],
		),
	);
	const counts = countBy(missed);
	const [alike = 0, none = 0] = [counts['true'], counts['false']];
	const have = (count: number): string =>
		`${plural(count, 'row')} marked do not call ${count === 1 ? 'has' : 'have'} no number`;
	return compact([
		alike > 0 &&
			`${have(alike)} that can be read. Anyone whose last digits are the same is left out. Correct it in the sheet`,
		none > 0 &&
			`${have(none)}, so another row of the same person is left out only by its Person ID. Add the number in the sheet`,
	]);
}

/** Why nothing is sent where a row shows too little of the number of someone marked: it may be that of anyone. */
function stopOf(rows: Rows): string | undefined {
	const position = rows.findIndex(({ entries }) =>
		entries.some(({ content: { shownInPart = [] } }) => shownInPart.some(showsTooLittle)),
	);
	if (position < 0) return undefined;
	return `Not sent, because row ${position + 1} is marked do not call and shows too little of its number to tell who must not be called. Enter the whole number in the sheet`;
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
const MASKED_BEFORE = /(?:[*•●xX?_#.]{2,}|…)\D*(\d(?:[\s().-]?\d){3,})\D*$/;
/** One sign that stands for a digit; behind seven or more an x is that of an extension. */
const MASKED_INSIDE = /^(?:\D*\d){1,6}[\s().-]?[*•●xX?_#](\d(?:[\s().-]?\d){3,})\D*$/;
const MASKED_BEHIND =
	/^\D*(\d(?:[\s().-]{0,3}\d)*)[\s().-]*(?:[*•●xX?_]|[#.]{2}|…)[\s().*•●xX?_#…-]*(?:\d[\s().-]?){0,3}$/;
/** All of it is hidden; other signs alone mean that there is none. */
const HIDDEN = /[*•●]{3}|xxx/i;
/** So many of the first digits tell it. */
const BEGINNINGS = [10, 8, 6];
/** Before a number that is written without its country code stand so many digits. */
const MAX_CODE = 3;
const DIALED_BY_LETTER = '22233344455566677778889999';

/** What a text shows of the number in it: its key where nothing but an extension follows, or stretches of its digits, with a dot for each that is not shown. */
function looksIn(text: string): string[] {
	const [start = '', beforeExtension = ''] = /^[^\d+]*([^a-z;#]*)/i.exec(text) ?? [];
	const whole = readPhoneNumber(beforeExtension);
	if ('number' in whole) return [numberKey(whole.number), ...looksIn(text.slice(start.length))];
	const typed = [text, beforeExtension].map(digitsIn).filter(({ length }) => length >= MIN_END);
	const ofTyped = typed.flatMap((digits) => {
		if (digits.includes('.')) return roundedLooks(digits);
		const last = digits.slice(-NATIONAL_DIGITS);
		const cut = [`${last}.`, `${last}..`, ...zeroedLooks(digits)];
		if (digits.length <= NATIONAL_DIGITS) return [digits, ...cut];
		const ends = range(LAST_DIGITS, digits.length + 1);
		return [...cut, ...ends.map((end) => digits.slice(end - LAST_DIGITS, end))];
	});
	return [...(maskedLooks(text) ?? []), ...ofTyped];
}

/** What is shown beside signs that hide digits: the last ones, or else the first; undefined where there are no such signs. */
function maskedLooks(text: string): string[] | undefined {
	const end = text.slice(-MAX_TEXT);
	const last = (MASKED_BEFORE.exec(end) ?? MASKED_INSIDE.exec(end))?.[1]?.replace(/\D/g, '');
	if (last !== undefined) return [last.slice(-NATIONAL_DIGITS)];
	const first = text.length > MAX_TEXT ? undefined : MASKED_BEHIND.exec(text)?.[1];
	return first === undefined ? undefined : beginningOf(first.replace(/\D/g, ''));
}

/** The look of a number by the first digits that are shown, if they are enough. */
function beginningOf(first: string): string[] {
	const digits = first.replace(/^0+/, '');
	const length = BEGINNINGS.find((each) => each <= digits.length);
	return length === undefined ? [] : [`${digits.slice(0, length)}*`];
}

/** Zeros at the end may be in the place of digits that a program did not keep; the last that it kept may be rounded up. */
function zeroedLooks(digits: string): string[] {
	const [, kept = ''] = /^(\d+?)0{4,}$/.exec(digits) ?? [];
	if (kept.length < ROUNDED_TO || digits.length < MIN_ROUNDED) return [];
	return [kept, String(Number(kept) - 1)].flatMap(beginningOf);
}

/** Whether a text that is meant as a number shows a part of one, and not enough to hold back whoever has it. */
function showsTooLittle(text: string): boolean {
	const shown = maskedLooks(text);
	const digits = digitsIn(text).length;
	if (shown !== undefined) return shown.length === 0 && digits < LAST_DIGITS;
	return (/\p{N}/u.test(text) || HIDDEN.test(text)) && looksIn(text).length === 0;
}

/** The first digits of a number, as a spreadsheet shows it: the last of them may be rounded up. */
function roundedLooks(digits: string): string[] {
	const shown = digits.replaceAll('.', '');
	if (shown.length < ROUNDED_TO) return [];
	return [shown, String(Number(shown) - 1)].map((first) =>
		first.slice(0, ROUNDED_TO).padEnd(digits.length, '.'),
	);
}

/** All that a text may show of a number: its last digits, those without the very last, its first ones, and those whose end is rounded away. */
function looksOf(number: string): string[] {
	const digits = number.slice(1);
	return [
		...range(MIN_MASKED, NATIONAL_DIGITS + 1).map((length) => digits.slice(-length)),
		...range(LAST_DIGITS, digits.length).flatMap((length) => [
			`${digits.slice(-length - 1, -1)}.`,
			`${digits.slice(-length - 2, -2)}..`,
		]),
		...range(MAX_CODE + 1).flatMap((start) =>
			BEGINNINGS.map((length) => `${digits.slice(start, start + length)}*`),
		),
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
