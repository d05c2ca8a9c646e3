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
import { inAscii } from '../../core/phoneSpelling';
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
				`${row} is marked do not call, and its number cannot be read but may be this one`,
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
			`${have(alike)} that can be read. Anyone whose number it may be is left out. Correct it in the sheet`,
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

/** So many last digits tell a number, and so many in a row, wherever they stand; as its end, fewer do. */
const LAST_DIGITS = 7;
const IN_A_ROW = 6;
const MIN_END = 4;
const ENDS = [MIN_END, 5];
const MAX_END = 40;
/** A spreadsheet shows so few digits of a long number, or writes zeros in the place of the others. */
const ROUNDED = /\d[eE]\+?\d/;
const ZEROS = /0{4,}$/;

const endIn = (digits: string): string => `…${digits}`;
const isLook = (name: string): boolean => /^…?\d+$/.test(name);

/**
 * What a text shows of the number in it, whatever signs or letters stand in the place of others: digits in a row, which may be too
 * many, too few, or rounded; or its end.
 */
function looksIn(text: string): string[] {
	const typed = inAscii(text)
		.normalize('NFKC')
		.replace(/(?<=\d)[\s().,/+-]+(?=\d)/g, '');
	const isRounded = ROUNDED.test(text);
	return [
		...endsIn(typed),
		...(typed.match(/\d+/g) ?? []).flatMap((each) => {
			const run = each.replace(/^0+/, '');
			const kept = run.replace(ZEROS, '');
			// The last digit that is shown may be rounded up.
			const cut = isRounded || kept !== run ? [kept, String(Number(kept) - 1)] : [];
			const ends = range(LAST_DIGITS, run.length + 1, 1).map((to) =>
				run.slice(to - LAST_DIGITS, to),
			);
			return [...[run, ...cut].filter(({ length }) => length >= IN_A_ROW), ...ends.map(endIn)];
		}),
	];
}

/** The last few digits, where they are not a short number of their own: the others are hidden before them. */
function endsIn(typed: string): string[] {
	const [end = '', after = ''] = /(\d+)([\s).]*)$/.exec(typed.slice(-MAX_END))?.slice(1) ?? [];
	const before = typed.slice(0, typed.length - end.length - after.length);
	const isEnd = ENDS.includes(end.length) && (end.length > MIN_END || /[^\s(+-]/.test(before));
	return isEnd ? [endIn(end)] : [];
}

/** All that a text may show of a number. */
function looksOf(number: string): string[] {
	const digits = number.slice(1);
	return [
		...[...ENDS, LAST_DIGITS].map((length) => endIn(digits.slice(-length))),
		...range(0, digits.length - IN_A_ROW + 1, 1).flatMap((from) =>
			range(from + IN_A_ROW, digits.length + 1).map((to) => digits.slice(from, to)),
		),
	];
}

/** All of it is hidden; other signs alone mean that there is none. */
const HIDDEN = /[*•●]{3}|xxx/i;

/** Whether a text that is meant as a number shows a part of one, and not enough to hold back whoever has it. */
const showsTooLittle = (text: string): boolean =>
	(/\p{N}/u.test(text) || HIDDEN.test(text)) && looksIn(text).length === 0;
