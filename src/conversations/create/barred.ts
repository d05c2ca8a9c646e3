import { hash } from 'crypto';
import compact from 'lodash/compact';
import groupBy from 'lodash/groupBy';
import partition from 'lodash/partition';
import { z } from 'zod/v4';
import type { NotAccepted } from '../../bulk/outcomes';
import { leftOut } from '../../bulk/outcomes';
import type { RowPlan } from '../../bulk/plan';
import type { Ledger } from '../../core/operation';
import { plural } from '../../core/text';
import {
	digitsOfPerson,
	keysOf,
	nameOfDigits,
	namesOfNumber,
	numberKey,
	ownKeys,
} from './identity';
import { isLook, looksIn, looksOf, showsTooLittle } from '../../core/phone/looks';
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
	const isAnyoneMarked = rows.some(({ entries }) =>
		entries.some(({ outcome }) => outcome === MARKED),
	);
	const isAnyoneKnown = doNotCallNumbers.size > 0 || ledger.recall(IN_LEDGER) !== undefined;
	if (!isAnyoneMarked && !isAnyoneKnown) return { rows, notes: [] };
	const barred = barredBy(rows);
	addPeople(
		barred,
		rows.flatMap(({ entries }) => entries.map(({ content }) => content)),
		ledger,
	);
	for (const key of doNotCallNumbers) {
		barred.set(key, LISTED);
		for (const name of namesOfNumber(key)) barred.set(name, LISTED);
	}
	return {
		rows: rows.map(({ entries, ...row }) => ({
			...row,
			entries: entries.map(({ content, outcome }) => ({
				content,
				outcome: outcome ?? compact(namesOf(content).map((key) => barred.get(key)))[0],
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
			for (const look of content.unreadable.flatMap(looksIn)) addTo(barred, look, alike);
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
	const missed = rows
		.flatMap(({ entries }) => entries.map(({ content }) => content.unreadable))
		.filter((texts) => texts.length > 0 && !texts.some(showsTooLittle));
	const [alike, none] = partition(missed, (texts) => texts.flatMap(looksIn).length > 0);
	const have = ({ length }: readonly unknown[]): string =>
		`${plural(length, 'row')} marked do not call ${length === 1 ? 'has' : 'have'} no number`;
	return compact([
		alike.length > 0 &&
			`${have(alike)} that can be read. Anyone whose number it may be is left out. Correct it in the sheet`,
		none.length > 0 &&
			`${have(none)}, so another row of the same person is left out only by its Person ID. Add the number in the sheet`,
	]);
}

/** Why nothing is sent where a row shows too little of the number of someone marked: it may be that of anyone. */
function stopOf(rows: Rows): string | undefined {
	const position = rows.findIndex(({ entries }) =>
		entries.some(({ content }) => content.unreadable.some(showsTooLittle)),
	);
	if (position < 0) return undefined;
	return `Not sent, because row ${position + 1} is marked do not call and shows too little of its number to tell who must not be called. Enter the whole number in the sheet`;
}
